// Makes the calls of the conformance suite (packages/client-conformance) with this client: JSON lines on stdin and stdout.
import { createInterface } from 'node:readline';
import {
  ApiError,
  ClockError,
  ConnectionError,
  createClient,
  sign,
  StillPendingError,
  TransferCancelledError,
  TransferFailedError,
  UnexpectedAnswerError,
  UsageError,
  verifyWebhook,
  WebhookError,
  type BatchLine,
  type CallOptions,
  type Client,
  type ClientOptions,
  type ClockTarget,
  type SigningInput,
  type StatementRange,
  type WebhookInput,
} from './src/index.ts';

interface Given {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly options: Partial<ClientOptions>;
  readonly random: number;
}

/** What each call takes of these. One may be of any type: what is wrong with it the client has to say. */
interface Arguments {
  readonly id: string;
  readonly body: never;
  readonly filters: never;
  readonly lines: never;
  readonly creditLimit: never;
  readonly limits: never;
  readonly alerts: never;
  readonly at?: string;
  readonly limit?: number;
  readonly timeoutMs?: number;
  readonly waitSeconds?: number;
  readonly bodyBase64?: string;
  readonly now: number;
}

interface Call {
  readonly id: number;
  readonly client?: Given;
  readonly call: string;
  readonly arguments: Arguments;
  readonly aborted?: boolean;
}

/** A client, and the pauses that it took since they were told last. */
interface Kept {
  readonly client: Client;
  pausesMs: number[];
}

/** What an answer says beside its result or error. */
interface Beside {
  before?: readonly unknown[];
  sent?: (readonly BatchLine[])[];
}

const capabilities = ['abort', 'pauses', 'side-by-side', 'on-send', 'request', 'untyped', 'times'];
const clients = new Map<string, Kept>();
const underWay = new Map<number, AbortController>();

function clientOf({ name, baseUrl, apiKey, apiSecret, options, random }: Given): Kept {
  Math.random = () => random;
  const known = clients.get(name);
  if (known !== undefined) return known;
  const kept: Kept = {
    client: createClient({
      ...{ baseUrl, apiKey, apiSecret, ...options },
      onRetry: ({ waitMs }) => kept.pausesMs.push(waitMs),
    }),
    pausesMs: [],
  };
  clients.set(name, kept);
  return kept;
}

/** What an iterable gives, or its first items; `beside` has those before an error. */
async function collect(items: AsyncIterable<unknown>, limit: number | undefined, beside: Beside): Promise<unknown[]> {
  const taken: unknown[] = [];
  beside.before = taken;
  for await (const item of items) {
    taken.push(item);
    if (taken.length === limit) break;
  }
  delete beside.before;
  return taken;
}

function batch({ transfer }: Client, given: Arguments, options: CallOptions, beside: Beside): Promise<unknown[]> {
  const { lines, limit, ...wanted } = given;
  const sent: (readonly BatchLine[])[] = [];
  beside.sent = sent;
  const onSend = (told: readonly BatchLine[]): void => void sent.push(told);
  return collect(transfer.batch(lines, { ...(wanted as object), ...options, onSend }), limit, beside);
}

async function request(client: Client, given: Arguments, options: CallOptions): Promise<unknown> {
  const { method, path, pathValues = {}, ...rest } = given as object as Record<string, unknown>;
  const wanted = { path: pathValues as Record<string, string>, ...rest, ...options };
  const { data, status } = await client.requestUntyped(method as string, path as string, wanted);
  return { data, status };
}

function ofTransfers(name: string, { transfer }: Client, given: Arguments, options: CallOptions, beside: Beside) {
  const { id, body, filters, limit, timeoutMs, waitSeconds } = given;
  const making = waitSeconds === undefined ? options : { ...options, waitSeconds };
  const wait = { ...options, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  switch (name) {
    case 'create':
    case 'deposit':
    case 'withdraw':
    case 'journal':
    case 'reverse':
    case 'hold':
    case 'capture':
    case 'release':
      return transfer[name](body, making);
    case 'preview':
      return transfer.preview(body, options);
    case 'createCompleted':
      return transfer.create(body, making).completed(wait);
    case 'completed':
      return transfer.completed(id, wait);
    case 'get':
    case 'cancel':
      return transfer[name](id, options);
    case 'list':
      return collect(transfer.list(filters, options), limit, beside);
    case 'listOfWallet':
      return collect(transfer.listOfWallet(id, filters, options), limit, beside);
    default:
      throw new Error(`There is no call transfer.${name}.`);
  }
}

function ofWallets(name: string, { wallet }: Client, given: Arguments, options: CallOptions, beside: Beside) {
  const { id, body, creditLimit, limits, alerts, at, filters, limit } = given;
  switch (name) {
    case 'create':
      return wallet.create(body, options);
    case 'get':
    case 'freeze':
    case 'unfreeze':
    case 'close':
    case 'limits':
    case 'alerts':
      return wallet[name](id, options);
    case 'setLimits':
      return wallet.setLimits(id, limits, options);
    case 'setAlerts':
      return wallet.setAlerts(id, alerts, options);
    case 'limit':
      return wallet.limit(id, creditLimit, options);
    case 'balance':
      return wallet.balance(id, at === undefined ? options : { ...options, at });
    case 'statement':
      return statement(wallet, given, options, beside);
    case 'list':
      return collect(wallet.list(filters, options), limit, beside);
    case 'flows':
      return collect(wallet.flows(id, filters, options), limit, beside);
    default:
      throw new Error(`There is no call wallet.${name}.`);
  }
}

async function statement(wallet: Client['wallet'], given: Arguments, options: CallOptions, beside: Beside) {
  const { id, limit, ...range } = given;
  const asked = await wallet.statement(id, range as object as StatementRange, options);
  return { ...asked, items: await collect(asked, limit, beside) };
}

function ofWebhooks(name: string, { webhook }: Client, given: Arguments, options: CallOptions, beside: Beside) {
  const { id, body, filters, limit } = given;
  switch (name) {
    case 'create':
      return webhook.create(body, options);
    case 'list':
      return webhook.list(options);
    case 'get':
    case 'enable':
    case 'disable':
    case 'rotate':
    case 'test':
    case 'delete':
      return webhook[name](id, options);
    case 'replay':
      return webhook.replay(id, body, options);
    case 'deliveries':
      return collect(webhook.deliveries(id, filters, options), limit, beside);
    default:
      throw new Error(`There is no call webhook.${name}.`);
  }
}

function signed({ bodyBase64 = '', ...given }: Arguments): Promise<unknown> {
  const { secret, ...input } = given as object as SigningInput & { readonly secret: string };
  return sign({ ...input, body: Buffer.from(bodyBase64, 'base64') }, secret);
}

/** The time is asked for before anything is waited for. */
async function verified({ bodyBase64, now, ...input }: Arguments): Promise<unknown> {
  const body = bodyBase64 === undefined ? {} : { body: Buffer.from(bodyBase64, 'base64') };
  const clock = Date.now;
  Date.now = () => now * 1000;
  try {
    return await verifyWebhook({ ...(input as object as WebhookInput), ...body });
  } finally {
    Date.now = clock;
  }
}

function made(call: Call, kept: Kept | undefined, options: CallOptions, beside: Beside): unknown {
  const given = call.arguments;
  if (kept === undefined) return call.call === 'sign' ? signed(given) : verified(given);
  const { client } = kept;
  const [resource = '', name = ''] = call.call.split('.');
  if (call.call === 'key') return client.key(options);
  if (call.call === 'test.clock.get') return client.test.clock.get(options);
  if (call.call === 'test.clock.advance') return client.test.clock.advance(given as object as ClockTarget, options);
  if (call.call === 'request') return request(client, given, options);
  if (call.call === 'transfer.batch') return batch(client, given, options, beside);
  if (resource === 'transfer') return ofTransfers(name, client, given, options, beside);
  return (resource === 'wallet' ? ofWallets : ofWebhooks)(name, client, given, options, beside);
}

function errorOf(error: unknown, isAborted: boolean): object {
  const { message, name } = error as Error;
  const kinds = [
    [UsageError, 'usage'],
    [ApiError, 'api'],
    [UnexpectedAnswerError, 'unexpected-answer'],
    [ConnectionError, 'connection'],
    [TransferFailedError, 'transfer-failed'],
    [TransferCancelledError, 'transfer-cancelled'],
    [StillPendingError, 'still-pending'],
    [WebhookError, 'webhook'],
    [ClockError, 'clock'],
  ] as const;
  const [, kind] = kinds.find(([type]) => error instanceof type) ?? [];
  if (kind !== undefined) return { ...(error as object), kind, message };
  return isAborted ? { kind: 'aborted' } : { kind: 'other', message: `${name}: ${message}` };
}

async function answer(call: Call): Promise<object> {
  const aborting = new AbortController();
  underWay.set(call.id, aborting);
  if (call.aborted === true) aborting.abort();
  const beside: Beside = {};
  let kept: Kept | undefined;
  try {
    kept = call.client === undefined ? undefined : clientOf(call.client);
    const result = (await made(call, kept, { signal: aborting.signal }, beside)) ?? null;
    return { id: call.id, result, ...beside, ...pausesOf(kept) };
  } catch (error) {
    return { id: call.id, error: errorOf(error, aborting.signal.aborted), ...beside, ...pausesOf(kept) };
  } finally {
    underWay.delete(call.id);
  }
}

function pausesOf(kept: Kept | undefined): object {
  const { pausesMs = [] } = kept ?? {};
  if (kept !== undefined) kept.pausesMs = [];
  return { pausesMs };
}

/** A time of the language, which JSON has not. */
function ownTime(_: string, value: unknown): unknown {
  const { $time } = Object(value) as { readonly $time?: string };
  return $time === undefined ? value : new Date($time);
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

write({ hello: { client: 'signed-wallet-client', capabilities } });
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line, ownTime) as Call | { readonly abort: number };
  if ('abort' in message) underWay.get(message.abort)?.abort();
  else void answer(message).then(write);
}
