import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formsOf, operations, type Operation } from '../support/described-api.ts';
import { folder, pythonEnv, pythonOrSkipped } from '../support/python.ts';

const python = await pythonOrSkipped();
/** Python's call of an endpoint; what has none is called by `request`. */
const calls: Readonly<Record<string, string>> = {
  listWallets: 'wallet.list',
  getBalance: 'wallet.balance',
  getStatement: 'wallet.statement',
  createWallet: 'wallet.create',
  limitWallet: 'wallet.limit',
  updateWallet: 'wallet.update',
  setLimits: 'wallet.set_limits',
  setAlerts: 'wallet.set_alerts',
  listFlows: 'wallet.flows',
  listOrders: 'transfer.list',
  listOrdersOfWallet: 'transfer.list_of_wallet',
  createTransfer: 'transfer.create',
  createJournal: 'transfer.journal',
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
/** What these take is given in its place: an iterable, an id, an order, a duration. */
const inPlace = ['advanceTestClock', 'cancelTransfer', 'createTransfers', 'previewTransfer'];
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

function argumentsOf(operation: Operation): string[] {
  const query = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const body = formsOf(operation).flatMap(({ properties = {} }) => Object.keys(properties));
  return [...query, ...body].filter((each) => !ofPages.includes(each));
}

describe.skipIf(python === undefined)('the sources of the Python client', () => {
  const run = (...args: string[]) => promisify(execFile)(python!, args, { cwd: folder, env: pythonEnv });

  it('pass their own tests', async () => {
    expect((await run('-m', 'unittest')).stderr).toMatch(/\nRan [1-9]\d+ tests in .+\n\nOK/);
  });

  it('have calls that take what the API describes, by name', async () => {
    const { stdout } = await run('-c', program);
    const taken = JSON.parse(stdout) as Record<string, string[]>;
    const described = operations.map(([, , operation]) => operation);
    const others = described.filter((each) => !(each.operationId in calls) && argumentsOf(each).length > 0);
    expect(others.map(({ operationId }) => operationId).toSorted()).toEqual(inPlace);
    for (const [operationId, call] of Object.entries(calls)) {
      const operation = described.find((each) => each.operationId === operationId);
      const asked = taken[call]?.filter((name) => !ofHeaders.includes(name));
      expect([call, asked?.toSorted()]).toEqual([call, argumentsOf(operation!).toSorted()]);
    }
  });
});
