import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { withDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
const notWritablePrimary = 10107;
const writeConcernFailed = 64;
const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';

// An engine of this file's own, to be broken as it needs.
let engine: Child<EngineReady>;
let mongo: MongoClient;
let service: RunningService;
let workspace: TestWorkspace;
let wallets: [string, string];

beforeAll(async () => {
  engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
  const mongodbUri = withDatabase((await engine.ready).uri, 'failover');
  mongo = new MongoClient(mongodbUri);
  service = await startService({ mongodbUri });
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('1000'), await workspace.wallet()];
}, 120_000);
afterAll(async () => {
  await service.stop();
  await mongo.close();
  await engine.stop(stopTimeoutMs);
});
beforeEach(() => clearFailPoint(mongo));

interface Order {
  transferId: string;
  status: string;
}

function create(bizId?: string) {
  const [sourceWalletId, targetWalletId] = wallets;
  const body = {
    ...(bizId === undefined ? {} : { bizId }),
    sourceWalletId,
    targetWalletId,
    amount: '1',
    currency: 'USD',
  };
  return workspace.client.request<Order>('POST', createPath, { body });
}

const recorded = () => mongo.db().collection('orders').countDocuments();

async function expectTerminal(id: string): Promise<void> {
  await waitFor(async () => {
    const { envelope } = await workspace.client.request<Order>('GET', `${ordersPath}/${id}`);
    return envelope?.data.status === 'COMPLETED';
  });
}

/** More often than the driver tries by itself. */
const failing = (names: string[], times = 5) =>
  failCommands(mongo, times, { failCommands: names, errorCode: notWritablePrimary });

describe('while a primary is none any more', () => {
  it.each(['find', 'aggregate', 'insert'])(
    'a create whose %s is refused goes on with the next one',
    async (command) => {
      const before = await recorded();
      await failing([command]);
      const { status, envelope } = await create();
      expect(status).toBe(200);
      expect(await recorded()).toBe(before + 1);
      await expectTerminal(envelope!.data.transferId);
    },
  );

  it('each kind of read goes on with the next one', async () => {
    const paths = [
      ...[`${ordersPath}/${known}`, `${ordersPath}/${known}/completed`, ordersPath],
      ...[`${ordersPath}/wallet/${wallets[0]}`, '/api/v1/wallets', `/api/v1/wallets/${wallets[0]}`],
      ...[`/api/v1/wallets/${wallets[0]}/balance`, `/api/v1/wallets/${wallets[0]}/flows`],
    ];
    const past = {
      [`/api/v1/wallets/${wallets[0]}/balance`]: { at: '2026-01-01T00:00:00Z' },
      [`/api/v1/wallets/${wallets[0]}/statement`]: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    };
    // So often that each fails, and then again where the driver tries by itself, whatever else the service reads.
    const asked = [...paths.map((path) => [path, {}] as const), ...Object.entries(past)];
    await failing(['find', 'aggregate'], 6 * asked.length);
    const answers = await Promise.all(asked.map(([path, query]) => workspace.client.request('GET', path, { query })));
    expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200));
  });

  let known: string;
  beforeAll(async () => {
    known = (await create()).envelope!.data.transferId;
  });
});

describe('a create that was recorded before its answer was lost', () => {
  it.each([['with', 'recorded-1'] as const, ['without', undefined] as const])(
    '%s a bizId is answered once a majority holds it: as itself, recorded and posted once',
    async (_, bizId) => {
      const before = await recorded();
      await failCommands(mongo, 3, {
        failCommands: ['insert'],
        writeConcernError: { code: writeConcernFailed, errmsg: 'waiting for replication timed out' },
      });
      const { status, headers, envelope } = await create(bizId);
      expect([status, headers['idempotent-replayed']]).toEqual([200, undefined]);
      expect(await recorded()).toBe(before + 1);
      await expectTerminal(envelope!.data.transferId);
    },
  );
});

it('a change whose signed request was recorded before its answer was lost is made, and the request is used', async () => {
  const path = '/api/v1/webhooks';
  const body = { url: 'https://example.com/hook', events: ['transfer.completed'] };
  const made = await workspace.client.request<{ id: string; secret: string }>('POST', path, { body });
  const { id, secret } = made.envelope!.data;
  await failCommands(mongo, 3, {
    failCommands: ['insert'],
    writeConcernError: { code: writeConcernFailed, errmsg: 'waiting for replication timed out' },
  });
  const rotated = await workspace.client.request<{ secret: string }>('POST', `${path}/${id}/rotate`);
  expect(rotated.status).toBe(200);
  expect(rotated.envelope?.data.secret).not.toBe(secret);
});

describe('what makes or changes a wallet', () => {
  const path = '/api/v1/wallets';
  const post = (rest: string, body: object) =>
    workspace.client.request<{ id: string; status: string; creditLimit: string }>('POST', path + rest, { body });
  const events = () =>
    mongo
      .db()
      .collection('auditEvents')
      .countDocuments({ action: { $exists: true } });
  let names = 0;
  const newNames = { reference: () => `lost-${(names += 1)}`, none: () => undefined } as const;
  const wallet = (name: keyof typeof newNames) => {
    const reference = newNames[name]();
    return { currency: 'USD', ...(reference === undefined ? {} : { reference }) };
  };
  const made = () => mongo.db().collection('wallets').countDocuments({ kind: 'STANDARD' });

  /** Makes a wallet, and all changes of it. */
  async function changeAll(name: keyof typeof newNames) {
    const before = [await made(), await events()] as const;
    const first = await post('', wallet(name));
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const { id } = first.envelope!.data;
    const answers = [];
    for (const [verb, body] of [['limit', { creditLimit: '5' }], ['freeze'], ['unfreeze'], ['close']] as const)
      answers.push(await post(`/${id}/${verb}`, body ?? {}));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const limited = { creditLimit: '5.00' };
    expect(answers.map(({ envelope }) => envelope!.data)).toMatchObject(
      ['ACTIVE', 'FROZEN', 'ACTIVE', 'CLOSED'].map((status) => ({ id, status, ...limited })),
    );
    expect([(await made()) - before[0], (await events()) - before[1]]).toEqual([1, 5]);
  }

  it.each(['find', 'insert', 'update', 'commitTransaction'])('goes on with the next primary: %s', async (command) => {
    await failing([command], 8);
    await changeAll('reference');
  });

  it.each(['insert', 'commitTransaction'])('is made once if the answer was lost: %s', async (command) => {
    for (const name of ['reference', 'none'] as const) {
      await failCommands(mongo, 6, {
        failCommands: [command],
        writeConcernError: { code: writeConcernFailed, errmsg: 'waiting for replication timed out' },
      });
      await changeAll(name);
    }
  });

  it('does nothing while no event can be written', async () => {
    const { id } = (await post('', wallet('none'))).envelope!.data;
    const refuseEvents = (isRefused: boolean) =>
      mongo.db().command({ collMod: 'auditEvents', validator: isRefused ? { isWritable: true } : {} });
    await refuseEvents(true);
    const { status } = await post(`/${id}/freeze`, {});
    await refuseEvents(false);
    expect(status).toBe(500);
    const now = await workspace.client.request<{ status: string }>('GET', `${path}/${id}`);
    expect(now.envelope!.data.status).toBe('ACTIVE');
  });
});
