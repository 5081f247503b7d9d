import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/api-client.ts';
import { newId } from '../../src/domain/ids.ts';
import { queueNameOf } from '../../src/queue/queue.ts';
import { openPartitioning } from '../../src/storage/partitioning/partitioning.ts';
import { prepareBooks } from '../faults/harness/books.ts';
import { enqueue } from '../faults/harness/enqueue.ts';
import { placeOf, startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const createPath = '/api/v1/transfer/command/create';
const ordersEach = 20;
/** Of three masters: one without a replica, and the one that has it. */
const [away, replaced] = [1, 0];
const pauseMs = 20;
/** A busy machine takes its time to find a master gone, and back. */
const patiently = { timeoutMs: 60_000 };
const testTimeoutMs = 150_000;
const stopTimeoutMs = 20_000;

/** A workspace with its client: its orders are in one partition. */
interface Tenant {
  readonly client: Client;
  readonly workspaceId: string;
  readonly sides: { readonly sourceWalletId: string; readonly targetWalletId: string };
  /** The masters that have the nonces of its key, and the queue of its partition. */
  readonly keyPlace: number;
  readonly queuePlace: number;
}

interface Sent {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

let cluster: RedisCluster;
let service: ServiceProcesses;
let mongo: MongoClient;
let tenants: Tenant[];

beforeAll(async () => {
  cluster = await startRedisCluster({ replicated: true });
  const masterKey = randomBytes(32);
  const MASTER_KEYS = `1:${masterKey.toString('base64')}`;
  service = await startServiceProcesses({ redisUrl: cluster.url, workers: 2, env: { MASTER_KEYS } });
  mongo = new MongoClient(service.mongodbUri);
  const queuePlaces = await placesOfQueues();
  // Of each master's partitions, the first has its key there as well, the next has it elsewhere, and so on.
  const keyPlaces = queuePlaces.map((place, partition) => {
    const rank = queuePlaces.slice(0, partition).filter((other) => other === place).length;
    return (place + rank) % cluster.masters.length;
  });
  const books = await prepareBooks({
    db: mongo.db(),
    masterKeys: new Map([[1, masterKey]]),
    enqueue: (batches) => enqueue({ mongodb: { client: mongo }, redis: { url: cluster.url } }, batches, 1),
    newKeyId: (partition) => keyAt(keyPlaces[partition]!),
  });
  tenants = books.map(({ workspaceId, wallets, ...key }, partition) => {
    const [sourceWalletId, targetWalletId] = wallets.get('USD') as [string, string];
    const places = { keyPlace: keyPlaces[partition]!, queuePlace: queuePlaces[partition]! };
    return { client: service.client(key), workspaceId, sides: { sourceWalletId, targetWalletId }, ...places };
  });
}, testTimeoutMs);
afterAll(async () => {
  await service.stop();
  await mongo.close();
  await cluster.stop();
}, testTimeoutMs);

async function placesOfQueues(): Promise<number[]> {
  const count = await openPartitioning(mongo.db()).agree(undefined);
  const names = Array.from({ length: count }, (_, partition) => queueNameOf(partition));
  return Promise.all(names.map((name) => placeOf(name, cluster.masters)));
}

/** An id of an API key whose nonces that master has. */
async function keyAt(place: number): Promise<string> {
  let id = newId('apiKey');
  while ((await placeOf(id, cluster.masters)) !== place) id = newId('apiKey');
  return id;
}

function isRefused({ keyPlace }: Tenant): boolean {
  return keyPlace === away;
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

async function pendingOf(of: readonly Tenant[] = tenants): Promise<number> {
  const workspaceId = { $in: of.map((tenant) => tenant.workspaceId) };
  return mongo.db().collection('orders').countDocuments({ workspaceId, status: 'PENDING' });
}

async function expectAllTerminal(of?: readonly Tenant[]): Promise<void> {
  await waitFor(async () => (await pendingOf(of)) === 0, { ...patiently, what: 'The end of all orders' });
}

async function expectSound(): Promise<void> {
  const found = await service.admin<{ breaches: unknown; byStatus: Record<string, number> }>('verify');
  expect(found).toMatchObject({ breaches: 0, byStatus: { PENDING: 0, FAILED: 0 } });
}

/** How many partitions each owner has. */
async function shares(): Promise<number[]> {
  const leases = await mongo
    .db()
    .collection<{ _id: string; holder: string }>('leases')
    .find({ _id: /^partition-/ })
    .toArray();
  return [...Map.groupBy(leases, ({ holder }) => holder).values()].map((own) => own.length).sort();
}

/** Creates of all go on. A single one may be refused where the machine is too busy for a command's second. */
async function expectAccepted(of: readonly Tenant[]): Promise<void> {
  const isAccepted = async (tenant: Tenant) => (await create(tenant)).status === 200;
  await byEach(of, (tenant) => waitFor(() => isAccepted(tenant), { ...patiently, what: 'A create' }));
}

async function expectShares(...expected: number[]): Promise<void> {
  await expect.poll(shares, { timeout: patiently.timeoutMs }).toEqual(expected);
}

/** Every key's creates are answered, and every partition's orders are posted. */
async function expectWhole(): Promise<void> {
  await expectAccepted(tenants);
  await expectAllTerminal();
}

describe('on a cluster of three masters, one of which has a replica', () => {
  it('the orders of every partition are completed', expectWhole, testTimeoutMs);

  it.each([
    ['with its data', false],
    ['empty', true],
  ])(
    'a master that is away stops what is on it alone; back %s, everything recorded ends',
    async (_, isEmpty) => {
      const stopLoad = startLoad();
      await cluster.masters[away]!.kill();
      const [refused, others] = [tenants.filter(isRefused), tenants.filter((tenant) => !isRefused(tenant))];
      for (const { status, retryAfter } of await byEach(refused, create)) {
        expect(status).toBe(503);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
      await expectAccepted(others);
      await stopLoad();
      await expectAllTerminal(tenants.filter(({ queuePlace }) => queuePlace !== away));
      // Recorded, but no job can carry them.
      expect(await pendingOf()).toBeGreaterThan(0);
      await cluster.masters[away]!.start({ isEmpty });
      await expectAllTerminal();
      await expectWhole();
      await expectSound();
    },
    testTimeoutMs,
  );

  it(
    'a worker that starts while a master is away has its share all the same, and one that stops ends in order',
    async () => {
      await expectShares(4, 4);
      const stopLoad = startLoad();
      await cluster.masters[away]!.kill();
      const added = await service.startWorker();
      await expectShares(2, 3, 3);
      expect(await service.workers[0]!.stop(stopTimeoutMs)).toMatchObject({ code: 0 });
      await expectShares(4, 4);
      await stopLoad();
      await cluster.masters[away]!.start();
      await expectAllTerminal();
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
