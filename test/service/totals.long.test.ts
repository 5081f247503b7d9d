import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import type { Order } from '../../src/orders/order.ts';
import { createPostingQueues, type PostingQueues } from '../../src/queue/queue.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { openOrderLists } from '../../src/storage/orders/lists.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const given = process.env['TOTALS_ORDERS'];
/** How many orders are posted in all. */
const orderCount = given === undefined ? 6_000 : Number(given);
const rounds = 5;
const batchSize = 200;
const workspaceCount = 4;
const walletsOfWorkspace = 6;
const partitionCount = 4;
/** Of so many orders of a batch one is set aside for a round. */
const setAsideEvery = 40;
/** Longer than a lease, so that another worker takes over meanwhile. */
const frozenMs = 6_000;
const seed = 20_260_101;
const timeoutMs = 3_600_000;

let service: ServiceProcesses;
let mongodb: MongoClient;
let redis: Redis;
let collections: Collections;
let queues: PostingQueues;
let workspaces: Workspace[];

/** The first of its wallets is EXTERNAL. */
interface Workspace {
  readonly workspaceId: string;
  readonly walletIds: readonly string[];
}

beforeAll(async () => {
  service = await startServiceProcesses({ workers: 2, env: { POSTING_PARTITIONS: String(partitionCount) } });
  mongodb = new MongoClient(service.mongodbUri);
  redis = new Redis(service.redisUrl, { maxRetriesPerRequest: null });
  collections = openCollections(mongodb.db());
  queues = createPostingQueues(redis, 'transfers', () => partitionCount);
  workspaces = await Promise.all(Array.from({ length: workspaceCount }, openWorkspace));
});
afterAll(async () => {
  await Promise.all([queues.close(), mongodb.close()]);
  redis.disconnect();
  await service.stop();
});

async function openWorkspace(): Promise<Workspace> {
  const { id: workspaceId } = await collections.workspaces.create('one of some');
  const { id: external } = await collections.wallets.ensureExternal(workspaceId, 'USD');
  const names = Array.from({ length: walletsOfWorkspace }, (_, index) => `wallet ${index}`);
  const made = names.map((name) => collections.wallets.create({ workspaceId, name, currency: 'USD' }));
  return { workspaceId, walletIds: [external, ...(await Promise.all(made)).map(({ id }) => id)] };
}

const enqueue = (batch: readonly Order[]) =>
  queues.enqueue(
    [...Map.groupBy(batch, ({ workspaceId }) => workspaceId)].map(([workspaceId, of]) => ({
      workspaceId,
      orderIds: of.map(({ id }) => id),
    })),
  );

const orders = () => mongodb.db().collection<Document & { _id: string }>('orders');

/** What lists tell of every workspace and wallet, and what the documents are. */
async function totals() {
  const lists = openOrderLists(mongodb.db());
  const documents = await orders()
    .find({}, { projection: { workspaceId: 1, sourceWalletId: 1, targetWalletId: 1, status: 1 } })
    .toArray();
  const found = new Map<string, number>();
  const add = (...key: unknown[]) => found.set(key.join(' '), (found.get(key.join(' ')) ?? 0) + 1);
  for (const { workspaceId, sourceWalletId, targetWalletId, status } of documents) {
    for (const of of [workspaceId, sourceWalletId, targetWalletId] as unknown[]) {
      // Lists show what is set aside as PENDING.
      add(of, status === 'SET_ASIDE' ? 'PENDING' : status);
      add(of, undefined);
    }
  }
  const told: [string, number][] = [];
  for (const { workspaceId, walletIds } of workspaces) {
    for (const status of [undefined, 'PENDING', 'COMPLETED', 'FAILED'] as const) {
      told.push([`${workspaceId} ${status ?? ''}`, (await lists.count({ workspaceId, status })).total]);
      for (const walletId of walletIds)
        told.push([`${walletId} ${status ?? ''}`, (await lists.count({ workspaceId, walletId, status })).total]);
    }
  }
  return { told, found: told.map(([key]) => [key, found.get(key) ?? 0]) };
}

/** What happens to the workers while a round's orders are posted. */
const mishaps = [
  async () => {
    const [killed] = service.workers.splice(0, 1);
    killed?.kill('SIGKILL');
    await service.startWorker();
  },
  // Both believe that they own its partitions, for a moment.
  async () => {
    const [frozen] = service.workers;
    frozen?.kill('SIGSTOP');
    await sleep(frozenMs);
    frozen?.kill('SIGCONT');
  },
  async () => {
    const [stopped] = service.workers.splice(0, 1);
    await stopped?.stop(20_000);
    await service.startWorker();
  },
];

it(
  'totals are what a recount gives, whatever is posted, fails, is set aside or released, and whoever posts it',
  { timeout: timeoutMs },
  async () => {
    const random = createRandom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const anOrder = (): Order => {
      const { workspaceId, walletIds } = workspaces[below(workspaceCount)]!;
      const source = below(walletIds.length);
      const target = (source + 1 + below(walletIds.length - 1)) % walletIds.length;
      return pendingOrder({
        ...{ workspaceId, sourceWalletId: walletIds[source]!, targetWalletId: walletIds[target]! },
        // Much of what goes out of a wallet is more than it holds.
        ...{ amount: String(1 + below(source === 0 ? 500 : 200)), currency: 'USD' },
      });
    };
    let aside: Order[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const released = aside;
      for (const [workspaceId, of] of Map.groupBy(released, (order) => order.workspaceId))
        await collections.stuckOrders.release(
          workspaceId,
          of.map(({ id }) => id),
        );
      aside = [];
      const recording = async () => {
        for (let left = Math.ceil(orderCount / rounds); left > 0; left -= batchSize) {
          const batch = Array.from({ length: Math.min(batchSize, left) }, anOrder);
          await collections.orders.insertBatch(batch);
          const held = batch.filter((_, index) => index % setAsideEvery === 0);
          const faults = held.map(({ workspaceId, id }) => ({ workspaceId, orderId: id, reason: 'test' }));
          expect((await collections.stuckOrders.recordFaults(faults, 1)).size).toBe(held.length);
          aside.push(...held);
          await enqueue(batch);
        }
        if (released.length > 0) await enqueue(released);
      };
      await Promise.all([recording(), mishaps[round % mishaps.length]!(), service.admin('verify')]);
      await waitFor(async () => (await orders().countDocuments({ status: 'PENDING' })) === 0, {
        timeoutMs: timeoutMs / rounds,
      });
      expect(await orders().countDocuments({ status: 'SET_ASIDE' })).toBe(aside.length);
      const { told, found } = await totals();
      expect(told).toEqual(found);
      expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
    }
    const ended = await orders().distinct('status', { type: { $in: ['DEPOSIT', 'TRANSFER', 'WITHDRAWAL'] } });
    expect(ended.toSorted()).toEqual(['COMPLETED', 'FAILED', 'SET_ASIDE']);
    expect(await orders().countDocuments()).toBe(Math.ceil(orderCount / rounds) * rounds);
  },
);
