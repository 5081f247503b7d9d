import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiDescription } from '../../script/docs/api-description.ts';
import { folder, pythonEnv, pythonOrSkipped } from '../support/python.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: { 'application/json': { schema: { readonly $ref: string } } } };
}

interface Api {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const python = await pythonOrSkipped();
/** Python's call of an endpoint; what has none is called by `request`. */
const calls: Readonly<Record<string, string>> = {
  listWallets: 'wallet.list',
  getBalance: 'wallet.balance',
  getStatement: 'wallet.statement',
  createWallet: 'wallet.create',
  limitWallet: 'wallet.limit',
  listFlows: 'wallet.flows',
  listOrders: 'transfer.list',
  listOrdersOfWallet: 'transfer.list_of_wallet',
  createTransfer: 'transfer.create',
  previewTransfer: 'transfer.preview',
  deposit: 'transfer.deposit',
  withdraw: 'transfer.withdraw',
  reverseTransfer: 'transfer.reverse',
  holdAmount: 'transfer.hold',
  captureHold: 'transfer.capture',
  releaseHold: 'transfer.release',
  createWebhook: 'webhook.create',
  replayWebhook: 'webhook.replay',
  listWebhookDeliveries: 'webhook.deliveries',
};
/** What these take is given in its place: an iterable, an id. */
const inPlace = ['cancelTransfer', 'createTransfers'];
/** A header of the request. */
const ofHeaders = ['wait'];
/** Lists are walked by cursor. */
const ofPages = ['page', 'cursor'];
/** Told by every call that takes arguments by name. */
const program = `
import inspect, json, sys
sys.path.insert(0, 'src')
from signed_wallet_client import Client
from signed_wallet_client._values import wire_name
client = Client(base_url='http://127.0.0.1:1', api_key='a', api_secret='b')
named = lambda call: [wire_name(p.name) for p in inspect.signature(call).parameters.values() if p.kind is p.KEYWORD_ONLY]
calls = {f'{group}.{name}': named(call) for group in ('wallet', 'transfer', 'webhook')
         for name, call in inspect.getmembers(getattr(client, group), inspect.ismethod) if not name.startswith('_')}
print(json.dumps(calls))`;

function argumentsOf({ parameters, requestBody }: Operation, { components }: Api): string[] {
  const name = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
  const query = parameters.filter((each) => each.in === 'query').map((each) => each.name ?? '');
  return [...query, ...Object.keys(components.schemas[name]?.properties ?? {})].filter(
    (each) => !ofPages.includes(each),
  );
}

describe.skipIf(python === undefined)('the calls of the Python client', () => {
  it('take what the API describes, by name', async () => {
    const { stdout } = await promisify(execFile)(python!, ['-c', program], { cwd: folder, env: pythonEnv });
    const taken = JSON.parse(stdout) as Record<string, string[]>;
    const api = apiDescription() as unknown as Api;
    const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));
    const others = operations.filter((each) => !(each.operationId in calls) && argumentsOf(each, api).length > 0);
    expect(others.map(({ operationId }) => operationId).toSorted()).toEqual(inPlace);
    for (const [operationId, call] of Object.entries(calls)) {
      const operation = operations.find((each) => each.operationId === operationId);
      const asked = taken[call]?.filter((name) => !ofHeaders.includes(name));
      expect([call, asked?.toSorted()]).toEqual([call, argumentsOf(operation!, api).toSorted()]);
    }
  });
});
