import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partitionOf } from '../../src/domain/partition.ts';
import { partitionLease } from '../../src/posting/own-partitions.ts';
import { createPostingQueues, type PostingQueues } from '../../src/queue/queue.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const prefix = 'transfers';
const partitionCount = 6;
const workspaceCount = 18;
const ordersPerJob = 32;
const postedMaxMs = 60_000;
const stopTimeoutMs = 20_000;

let service: ServiceProcesses;
let mongodb: MongoClient;
let redis: Redis;
let collections: Collections;
let queues: PostingQueues;
/** As it is known to who enqueues. */
let countNow = partitionCount;
let workspaces: Workspace[];

interface Workspace {
  readonly workspaceId: string;
  readonly source: string;
  readonly target: string;
}

beforeAll(async () => {
  service = await startServiceProcesses({ workers: 2, env: { POSTING_PARTITIONS: String(partitionCount) } });
  mongodb = new MongoClient(service.mongodbUri);
  redis = new Redis(service.redisUrl, { maxRetriesPerRequest: null });
  collections = openCollections(mongodb.db());
  queues = createPostingQueues(redis, prefix, () => countNow);
  workspaces = await Promise.all(Array.from({ length: workspaceCount }, openWorkspace));
});
afterAll(async () => {
  await Promise.all([queues.close(), mongodb.close()]);
  redis.disconnect();
  await service.stop();
});

/** With one pair of wallets, which every order of it touches; the source need not be funded. */
async function openWorkspace(): Promise<Workspace> {
  const { id: workspaceId } = await collections.workspaces.create('one of many');
  const { id: source } = await collections.wallets.ensureExternal(workspaceId, 'USD');
  const { id: target } = await collections.wallets.create({ workspaceId, name: 'target', currency: 'USD' });
  return { workspaceId, source, target };
}

/** Records orders of 0.01 each, and enqueues a job for them. */
async function enqueueJob({ workspaceId, source, target }: Workspace): Promise<void> {
  const values = { workspaceId, sourceWalletId: source, targetWalletId: target, amount: '0.01', currency: 'USD' };
  const orders = Array.from({ length: ordersPerJob }, () => pendingOrder(values));
  await collections.orders.insertBatch(orders);
  await queues.enqueue([{ workspaceId, orderIds: orders.map(({ id }) => id) }]);
}

const orders = () =>
  mongodb.db().collection<{ status: string; workspaceId: string; postedBy?: { worker: string } }>('orders');
const untilPosted = () =>
  waitFor(async () => (await orders().countDocuments({ status: 'PENDING' })) === 0, { timeoutMs: postedMaxMs });

async function sumOverWorkers(name: string): Promise<number> {
  const texts = service.workers.map(async ({ ready }) => {
    const answer = await fetch(`http://127.0.0.1:${(await ready).opsPort}/metrics`);
    return parseMetrics(await answer.text()).get(name)?.samples[0]?.value ?? 0;
  });
  return (await Promise.all(texts)).reduce((sum, value) => sum + value, 0);
}

/** Until each of two workers has its share of the partitions, so that none changes hands any more. */
const untilShared = () =>
  waitFor(
    async () => {
      const names = Array.from({ length: partitionCount }, (_, partition) => partitionLease(partition));
      const holders = [...(await collections.leases.holders(names)).values()];
      const shares = [...Map.groupBy(holders, (holder) => holder).values()].map(({ length }) => length);
      return shares.length === 2 && shares.every((share) => share === partitionCount / 2);
    },
    { timeoutMs: 20_000 },
  );
const untilAllOwned = () =>
  waitFor(async () => (await (await fetch(service.opsUrl)).text()).includes('each has an owner'), {
    timeoutMs: 20_000,
  });

describe('two workers', () => {
  it('post the orders of many workspaces, each by the one that owns its partition, without a conflict', async () => {
    await untilShared();
    for (let round = 0; round < 2; round += 1) {
      for (const workspace of workspaces) await enqueueJob(workspace);
    }
    await untilPosted();
    expect(await orders().countDocuments({ status: 'COMPLETED' })).toBe(2 * ordersPerJob * workspaceCount);
    // Every order of a workspace writes the same two wallets: any two groups at once would have met.
    expect(await sumOverWorkers('transfers_post_conflicts_total')).toBe(0);
    const workersOf = new Map<number, Set<string>>();
    for (const { workspaceId } of workspaces) {
      const partition = partitionOf(workspaceId, partitionCount);
      const workers = (await orders().distinct('postedBy.worker', { workspaceId })) as string[];
      workersOf.set(partition, new Set([...(workersOf.get(partition) ?? []), ...workers]));
    }
    expect([...workersOf.values()].map(({ size }) => size)).toEqual([...workersOf.keys()].map(() => 1));
    expect(new Set([...workersOf.values()].flatMap((workers) => [...workers])).size).toBe(2);
    expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
  });

  it('are one where the other is killed: it posts the orders of all, each once', async () => {
    const before = await orders().countDocuments();
    const [killed] = service.workers;
    for (let round = 0; round < 4; round += 1) {
      for (const workspace of workspaces) await enqueueJob(workspace);
      if (round === 1) killed?.kill('SIGKILL');
    }
    service.workers.splice(0, 1);
    await untilPosted();
    await untilAllOwned();
    expect(await orders().countDocuments({ status: 'COMPLETED' })).toBe(before + 4 * ordersPerJob * workspaceCount);
    expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
  });
});

describe('a process', () => {
  it('that is told another number of partitions refuses to start, and says what to do', async () => {
    const refused = service.startWorker({ POSTING_PARTITIONS: '7' });
    await expect(refused).rejects.toThrow('ended before it was ready (exit code 1)');
    const message = service.logs.find((line) => line.includes('POSTING_PARTITIONS is 7'));
    expect(message).toContain(`this database has ${partitionCount} partitions`);
    expect(message).toContain('admin partitions set --count 7');
  });

  it('that is told none takes the number as it is', async () => {
    const worker = await service.startWorker({ POSTING_PARTITIONS: '' });
    const share = partitionCount / 2;
    await waitFor(
      async () => {
        const { opsPort } = await worker.ready;
        const html = await (await fetch(service.opsUrl)).text();
        const details = /<details id="partitions">.*?<\/details>/s.exec(html)?.[0] ?? '';
        return opsPort > 0 && details.split(`:${worker.pid}:`).length === 1 + share;
      },
      { timeoutMs: 20_000 },
    );
    expect((await worker.stop(stopTimeoutMs)).code).toBe(0);
  });
});

it('their number changes while orders wait, and every order is posted; those of a partition that is no more too', async () => {
  const fewer = 2;
  const before = await orders().countDocuments();
  // As by a process that has not heard of it yet.
  for (const workspace of workspaces) await enqueueJob(workspace);
  expect(await service.admin('partitions', 'set', '--count', String(fewer))).toEqual({ partitions: fewer });
  countNow = fewer;
  for (const workspace of workspaces) await enqueueJob(workspace);
  await untilPosted();
  expect(await orders().countDocuments({ status: 'COMPLETED' })).toBe(before + 2 * ordersPerJob * workspaceCount);
  await waitFor(async () => (await (await fetch(service.opsUrl)).text()).includes('2 partitions; each has an owner'), {
    timeoutMs: 20_000,
  });
  for (let partition = fewer; partition < partitionCount; partition += 1) {
    expect(await queues.load(partition)).toEqual({ waitingJobs: 0, oldestJobAt: undefined });
  }
  expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
});
