import type { JsonObject } from './openapi-schemas.ts';
import type { Route } from './routes.ts';

/** The clients' own calls, by operation; in Python with words_like_this. What is not here is shown as a `request`. */
export const clientCalls: Readonly<Record<string, string>> = {
  listWallets: 'wallet.list',
  createWallet: 'wallet.create',
  getWallet: 'wallet.get',
  getBalance: 'wallet.balance',
  listFlows: 'wallet.flows',
  getStatement: 'wallet.statement',
  limitWallet: 'wallet.limit',
  freezeWallet: 'wallet.freeze',
  unfreezeWallet: 'wallet.unfreeze',
  closeWallet: 'wallet.close',
  listOrders: 'transfer.list',
  listOrdersOfWallet: 'transfer.listOfWallet',
  getOrder: 'transfer.get',
  getCompletion: 'transfer.completed',
  createTransfer: 'transfer.create',
  deposit: 'transfer.deposit',
  withdraw: 'transfer.withdraw',
  reverseTransfer: 'transfer.reverse',
  holdAmount: 'transfer.hold',
  captureHold: 'transfer.capture',
  releaseHold: 'transfer.release',
  createTransfers: 'transfer.batch',
  previewTransfer: 'transfer.preview',
  cancelTransfer: 'transfer.cancel',
  getKey: 'key',
  createWebhook: 'webhook.create',
  listWebhooks: 'webhook.list',
  getWebhook: 'webhook.get',
  enableWebhook: 'webhook.enable',
  disableWebhook: 'webhook.disable',
  rotateWebhookSecret: 'webhook.rotate',
  deleteWebhook: 'webhook.delete',
  testWebhook: 'webhook.test',
  replayWebhook: 'webhook.replay',
  listWebhookDeliveries: 'webhook.deliveries',
};

/** Beyond it a call's arguments have a line each. */
const lineLengthMax = 60;

interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

interface Call {
  readonly method: string;
  readonly path: string;
  /** Values of the path's variable parts, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** What it cannot be asked without. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject | undefined;
  readonly waits: boolean;
  /** Whether the clients give it as an iterator. */
  readonly isIterated: boolean;
  readonly name: string | undefined;
}

/**
 * How an operation is called from a shell and with the clients. The shell's `request` is the function of docs/api.md.
 * @param values examples of the path's variable parts. @param query examples of its query. @param body the example of its body.
 */
export function codeSamples(
  { method, path, operation }: Pick<Route, 'method' | 'path' | 'operation'>,
  { values, query, body }: Pick<Call, 'values' | 'query' | 'body'>,
): Sample[] {
  const isIterated =
    operation.id === 'createTransfers' || (operation.query !== undefined && 'cursor' in operation.query.shape);
  const waits = method === 'POST' && 'Prefer' in (operation.headers ?? {});
  const call = { method, path, values, query, body, waits, isIterated, name: clientCalls[operation.id] };
  return [
    { lang: 'shell', label: 'Shell', source: shellOf(call) },
    { lang: 'typescript', label: 'TypeScript', source: typeScriptOf(call) },
    { lang: 'python', label: 'Python', source: pythonOf(call) },
  ];
}

function shellOf({ method, path, values, query, body, waits }: Call): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name);
  const asked = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  const filled = asked.length === 0 ? named : `'${named}?${asked.join('&')}'`;
  const end = body === undefined ? '' : ` \\\n  '${JSON.stringify(body, undefined, 2).replaceAll("'", `'\\''`)}'`;
  return `# request is the function of /docs/api#curl-and-openssl\n${waits ? "PREFER='wait=10' " : ''}request ${method} ${filled}${end}`;
}

function typeScriptOf(call: Call): string {
  const head =
    "import { createClient } from 'signed-wallet-client';\n\nconst client = createClient({ baseUrl, apiKey, apiSecret });\n";
  const { method, path, values, name, isIterated, body } = call;
  if (name === undefined) {
    const options = { ...(Object.keys(values).length > 0 ? { path: values } : {}), ...(body ? { body } : {}) };
    const end = Object.keys(options).length === 0 ? '' : `, ${literal(options, typeScript)}`;
    return `${head}const { data } = await client.request('${method}', '${path}'${end});\nconsole.log(data);`;
  }
  const args = argumentsOf(call, { ...lone, 'wallet.limit': 'creditLimit' }).map((value) => literal(value, typeScript));
  const called = `client.${name}(${args.map((text) => broken(text)).join(', ')})`;
  return isIterated
    ? `${head}for await (const item of ${called}) console.log(item);`
    : `${head}console.log(await ${called}${call.waits ? '.completed()' : ''});`;
}

function pythonOf(call: Call): string {
  const { method, path, values, name, isIterated, body } = call;
  const head =
    'from signed_wallet_client import Client\n\nwith Client(base_url=base_url, api_key=api_key, api_secret=api_secret) as client:\n';
  if (name === undefined) {
    const options = [
      ...(Object.keys(values).length > 0 ? [`path_values=${literal(values, onWire)}`] : []),
      ...(body === undefined ? [] : [`body=${literal(body, onWire)}`]),
    ];
    return `${head}    print(client.request(${[`"${method}"`, `"${path}"`, ...options].join(', ')}).data)`;
  }
  const args = argumentsOf(call, lone).flatMap((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, each]) => `${key === 'from' ? 'from_' : snake(key)}=${literal(each, python)}`)
      : [literal(value, python)],
  );
  const line = args.join(', ');
  const indent = ' '.repeat(8);
  const listed = line.length <= lineLengthMax ? line : `\n${args.map((text) => `${indent}${text},\n`).join('')}    `;
  const called = `client.${snake(name)}(${listed})`;
  if (isIterated) return `${head}    for item in ${called}:\n        print(item)`;
  return call.waits
    ? `${head}    order = ${called}\n    print(client.transfer.completed(order.transfer_id))`
    : `${head}    print(${called})`;
}

/** A long object, a member a line. */
function broken(text: string): string {
  if (text.length <= lineLengthMax || !text.startsWith('{ ')) return text;
  return text
    .replace(/^\{ /, '{\n  ')
    .replace(/ \}$/, ',\n}')
    .replaceAll(/, (?=\w+: )/g, ',\n  ');
}

/** Calls that take one field of the body, without its name. */
const lone: Readonly<Record<string, string>> = { 'transfer.cancel': 'transferId', 'transfer.batch': 'transfers' };

/** What a client's call takes: the ids of the path, then the query or the body, or what of it is not a call's own matter. */
function argumentsOf({ values, query, body, name = '' }: Call, lones: typeof lone): unknown[] {
  const field = lones[name];
  const asked = Object.keys(query).length === 0 ? [] : [query];
  const given = body === undefined ? [] : [field === undefined ? body : body[field]];
  return [...Object.values(values), ...asked, ...given];
}

interface Language {
  readonly key: (name: string) => string;
  readonly words: Readonly<Record<string, string>>;
  readonly quote: (text: string) => string;
}

const typeScript: Language = {
  key: (name) => name,
  words: {},
  quote: (text) =>
    `'${JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('\\"', '"')
      .replaceAll("'", String.raw`\'`)}'`,
};
const python: Language = {
  key: (name) => `"${snake(name)}"`,
  words: { true: 'True', false: 'False', null: 'None' },
  quote: (text) => JSON.stringify(text),
};

/** Python, with the names of the wire. */
const onWire: Language = { ...python, key: (name) => `"${name}"` };

/** An example's value as a program has it. */
function literal(value: unknown, language: Language): string {
  if (typeof value === 'string') return language.quote(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, language)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return language.words[String(value)] ?? String(value);
  const members = Object.entries(value).map(([key, each]) => `${language.key(key)}: ${literal(each, language)}`);
  return language === typeScript ? `{ ${members.join(', ')} }` : `{${members.join(', ')}}`;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
