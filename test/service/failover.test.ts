import { MongoClient } from 'mongodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngineProcess } from '../../local/engine-process.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { withDatabase } from '../support/database.ts';
import { untilOrder } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
const notWritablePrimary = 10107;
const lostAnswer = { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } };
const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';

// An engine of this file's own, to be broken as it needs.
const engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
afterAll(() => engine.stop(stopTimeoutMs));
const mongodbUri = withDatabase((await engine.ready).uri, 'failover');
const mongo = new MongoClient(mongodbUri);
afterAll(() => mongo.close());
const service = await serviceForTests({ mongodbUri });
const workspace = await createWorkspace(service);
const wallets = [await workspace.wallet('1000'), await workspace.wallet()];
beforeEach(() => clearFailPoint(mongo));

interface Order {
  transferId: string;
  status: string;
}

function create() {
  const [sourceWalletId, targetWalletId] = wallets;
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  return workspace.client.request<Order>('POST', createPath, { body });
}

const recorded = () => mongo.db().collection('orders').countDocuments();

const untilCompleted = (id: string) => untilOrder(workspace, id, ({ status }) => status === 'COMPLETED');

/** More often than the driver tries by itself. */
const failing = (names: string[], times = 4) =>
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
      await untilCompleted(envelope!.data.transferId);
    },
  );

  it('each kind of read goes on with the next one', async () => {
    const known = (await create()).envelope!.data.transferId;
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
});

it('a create that was recorded before its answer was lost is answered once a majority holds it, recorded and posted once', async () => {
  const before = await recorded();
  await failCommands(mongo, 3, { failCommands: ['insert'], ...lostAnswer });
  const { status, headers, envelope } = await create();
  expect([status, headers['idempotent-replayed']]).toEqual([200, undefined]);
  expect(await recorded()).toBe(before + 1);
  await untilCompleted(envelope!.data.transferId);
});

describe('what makes or changes a wallet', () => {
  const path = '/api/v1/wallets';
  const post = (rest: string, body: object) =>
    workspace.client.request<{ id: string; status: string; creditLimit: string }>('POST', path + rest, { body });
  const count = (collection: string, filter: object) => mongo.db().collection(collection).countDocuments(filter);
  const made = () =>
    Promise.all([count('wallets', { kind: 'STANDARD' }), count('auditEvents', { action: { $exists: true } })]);

  /** What is asked of a wallet, the first time to make it, and what it then is. */
  const changes: [verb: string, body: object, changed: object][] = [
    ['', { currency: 'USD' }, { status: 'ACTIVE', creditLimit: '0.00' }],
    ['limit', { creditLimit: '5' }, { status: 'ACTIVE', creditLimit: '5.00' }],
    ['freeze', {}, { status: 'FROZEN' }],
    ['unfreeze', {}, { status: 'ACTIVE' }],
    ['close', {}, { status: 'CLOSED' }],
  ];

  /** @param refused what is refused at each of the changes. */
  async function changeAll(wallet: object, refused: readonly string[] = []) {
    const [walletsBefore, eventsBefore] = await made();
    let id = '';
    for (const [at, [verb, body, changed]] of changes.entries()) {
      const command = refused[at];
      if (command !== undefined) await failing([command]);
      const answer = at === 0 ? await post('', { ...body, ...wallet }) : await post(`/${id}/${verb}`, body);
      expect(answer).toMatchObject({ status: 200, envelope: { data: changed } });
      expect(answer.headers['idempotent-replayed']).toBeUndefined();
      id = answer.envelope!.data.id;
    }
    expect(await made()).toEqual([walletsBefore + 1, eventsBefore + 5]);
  }

  it('goes on with the next primary', async () => {
    await changeAll({ reference: 'next-primary' }, ['insert', 'update', 'commitTransaction', 'find', 'insert']);
  });

  it.each<[string, object]>([
    ['insert', { reference: 'lost-answer' }],
    ['commitTransaction', {}],
  ])('is made once if the answer was lost: %s', async (command, wallet) => {
    await failCommands(mongo, 6, { failCommands: [command], ...lostAnswer });
    await changeAll(wallet);
  });

  it('does nothing while no event can be written', async () => {
    const { id } = (await post('', { currency: 'USD' })).envelope!.data;
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
