import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/api-client.ts';
import { newId } from '../../src/domain/ids.ts';
import { postingQueueName } from '../../src/queue/posting-queue.ts';
import { prepareBooks } from '../faults/harness/books.ts';
import { wake } from '../faults/harness/enqueue.ts';
import { placeOf, startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const createPath = '/api/v1/transfer/command/create';
const ordersEach = 20;
/** Of three masters: those without a replica, and the one that has it. */
const [withoutReplica, replaced] = [[1, 2], 0];
const workspacesCount = 6;
const pauseMs = 20;
/** A busy machine takes its time to find a master gone, and back. */
const patiently = { timeoutMs: 60_000 };
const testTimeoutMs = 150_000;
const stopTimeoutMs = 20_000;

/** A workspace with its client. */
interface Tenant {
  readonly client: Client;
  readonly workspaceId: string;
  readonly sides: { readonly sourceWalletId: string; readonly targetWalletId: string };
  /** The master that has the nonces of its key. */
  readonly keyPlace: number;
}

interface Sent {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

let cluster: RedisCluster;
let service: ServiceProcesses;
let mongo: MongoClient;
let tenants: Tenant[];
/** The master that has the queue. */
let queuePlace: number;

beforeAll(async () => {
  cluster = await startRedisCluster({ replicated: true });
  const masterKey = randomBytes(32);
  const MASTER_KEYS = `1:${masterKey.toString('base64')}`;
  service = await startServiceProcesses({ redisUrl: cluster.url, workers: 2, env: { MASTER_KEYS } });
  mongo = new MongoClient(service.mongodbUri);
  queuePlace = await placeOf(postingQueueName, cluster.masters);
  const placeOfKey = (index: number): number => index % cluster.masters.length;
  const books = await prepareBooks({
    db: mongo.db(),
    masterKeys: new Map([[1, masterKey]]),
    count: workspacesCount,
    wake: (workspaceIds) => wake({ redis: { url: cluster.url } }, workspaceIds),
    newKeyId: (index) => keyAt(placeOfKey(index)),
  });
  tenants = books.map(({ workspaceId, wallets, ...key }, index) => {
    const [sourceWalletId, targetWalletId] = wallets.get('USD') as [string, string];
    const sides = { sourceWalletId, targetWalletId };
    return { client: service.client(key), workspaceId, sides, keyPlace: placeOfKey(index) };
  });
}, testTimeoutMs);
afterAll(async () => {
  await service.stop();
  await mongo.close();
  await cluster.stop();
}, testTimeoutMs);

/** An id of an API key whose nonces that master has. */
async function keyAt(place: number): Promise<string> {
  let id = newId('apiKey');
  while ((await placeOf(id, cluster.masters)) !== place) id = newId('apiKey');
  return id;
}

async function create(tenant: Tenant): Promise<Sent> {
  const body = { ...tenant.sides, amount: '0.01', currency: 'USD' };
  const { status, headers } = await tenant.client.request('POST', createPath, { body });
  return { status, retryAfter: headers['retry-after'] };
}

/** So many times, one after the other of each, of all at once. */
async function byEach<T>(senders: readonly Tenant[], send: (tenant: Tenant) => Promise<T>): Promise<T[]> {
  const many = senders.map(async (tenant) => {
    const sent = [];
    for (let time = 0; time < ordersEach; time += 1) sent.push(await send(tenant));
    return sent;
  });
  return (await Promise.all(many)).flat();
}

/** Creates of all, one after the other of each, until it is stopped. */
function startLoad() {
  const stopping = new AbortController();
  const running = tenants.map(async (tenant) => {
    while (!stopping.signal.aborted) {
      expect((await create(tenant)).status).toBeOneOf([200, 503]);
      await delay(pauseMs);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(running);
  };
}

const pendingCount = (): Promise<number> => mongo.db().collection('orders').countDocuments({ status: 'PENDING' });

async function expectAllTerminal(): Promise<void> {
  await waitFor(async () => (await pendingCount()) === 0, { ...patiently, what: 'The end of all orders' });
}

async function expectSound(): Promise<void> {
  const found = await service.admin<{ breaches: unknown; byStatus: Record<string, number> }>('verify');
  expect(found).toMatchObject({ breaches: 0, byStatus: { PENDING: 0, FAILED: 0 } });
}

/** Creates of all go on. A single one may be refused where the machine is too busy for a command's second. */
async function expectAccepted(of: readonly Tenant[]): Promise<void> {
  const isAccepted = async (tenant: Tenant) => (await create(tenant)).status === 200;
  await byEach(of, (tenant) => waitFor(() => isAccepted(tenant), { ...patiently, what: 'A create' }));
}

/** Every key's creates are answered, and every order is posted. */
async function expectWhole(): Promise<void> {
  await expectAccepted(tenants);
  await expectAllTerminal();
}

describe('on a cluster of three masters, one of which has a replica', () => {
  it('the orders of every workspace are completed', expectWhole, testTimeoutMs);

  it.each(withoutReplica.flatMap((away) => [false, true].map((isEmpty) => [away, isEmpty] as const)))(
    'master %i that is away refuses the keys that are on it, and stops posting if it has the queue; back (empty: %s), all ends',
    async (away, isEmpty) => {
      const stopLoad = startLoad();
      await cluster.masters[away]!.kill();
      const isRefused = ({ keyPlace }: Tenant): boolean => keyPlace === away;
      for (const { status, retryAfter } of await byEach(tenants.filter(isRefused), create)) {
        expect(status).toBe(503);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
      await expectAccepted(tenants.filter((tenant) => !isRefused(tenant)));
      await stopLoad();
      if (queuePlace === away) expect(await pendingCount()).toBeGreaterThan(0);
      else await expectAllTerminal();
      await cluster.masters[away]!.start({ isEmpty });
      await expectAllTerminal();
      await expectWhole();
      await expectSound();
    },
    testTimeoutMs,
  );

  it(
    'a worker that starts while a master is away takes part once it is back, and one that stops ends in order',
    async () => {
      const [away] = withoutReplica;
      const stopLoad = startLoad();
      await cluster.masters[away!]!.kill();
      const added = await service.startWorker();
      expect(await service.workers[0]!.stop(stopTimeoutMs)).toMatchObject({ code: 0 });
      await stopLoad();
      await cluster.masters[away!]!.start();
      await expectWhole();
      expect(await added.stop(stopTimeoutMs)).toMatchObject({ code: 0 });
      await expectWhole();
      await expectSound();
    },
    testTimeoutMs,
  );

  it(
    'a master that its replica takes the place of is missed for as long as that takes',
    async () => {
      const stopLoad = startLoad();
      await cluster.masters[replaced]!.kill();
      await expectAccepted(tenants);
      await stopLoad();
      await expectAllTerminal();
      await expectSound();
    },
    testTimeoutMs,
  );
});
