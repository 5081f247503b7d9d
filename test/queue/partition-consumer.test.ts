import type { Job } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { partitionOf } from '../../src/domain/partition.ts';
import { openQueueInspection, type QueueInspection } from '../../src/queue/inspection.ts';
import { startPartitionConsumer, type PartitionConsumer } from '../../src/queue/partition-consumer.ts';
import type { PostingJobData } from '../../src/queue/job-data.ts';
import { createPostingQueues, type PostingJobResult, type PostingQueues } from '../../src/queue/queue.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { openWedgeable } from './wedgeable.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
const nothingDone: PostingJobResult = { completed: 0, failed: 0, skipped: 0, setAside: 0 };
const count = 8;
const limits = { lockDurationMs: 1_500, stalledIntervalMs: 200, waitMaxMs: 200, lookEveryMs: 200 };
const workspaceId = 'ws_01';
const partition = partitionOf(workspaceId, count);

/** A job in the hands of a consumer. */
interface InHand {
  readonly orderId: string;
  readonly signal: AbortSignal;
  readonly end: (ending: PostingJobResult | 'requeued' | Error) => void;
}

/** A worker process that consumes a partition. */
interface Owner {
  readonly consumer: PartitionConsumer;
  /** Breaks every connection: it says nothing more of its jobs. */
  readonly kill: () => void;
  /** Has the library wait for jobs without end, on a connection that it takes for one that is being opened. */
  readonly wedge: () => Promise<void>;
  readonly inHand: InHand[];
}

let redis: Redis;
let prefix: string;
let queues: PostingQueues;
let inspection: QueueInspection;
let owners: Owner[];

beforeEach(() => {
  redis = new Redis(url, { maxRetriesPerRequest: null });
  prefix = `consumer-test-${Math.random()}`;
  queues = createPostingQueues(redis, prefix, () => count);
  inspection = openQueueInspection(redis, prefix);
  owners = [];
});
afterEach(async () => {
  for (const { inHand } of owners) for (const { end } of inHand) end(nothingDone);
  await Promise.all(owners.map(({ consumer }) => consumer.close()));
  for (const { kill } of owners) kill();
  await Promise.all([queues.close(), inspection.close()]);
  redis.disconnect();
});

function start(ofPartition = partition): Owner {
  const inHand: InHand[] = [];
  const { connection, wedge, disconnect } = openWedgeable(url);
  const handler = {
    post: (batches: PostingJobData['batches'], signal: AbortSignal) => {
      // What it was about to take when it closed.
      if (signal.aborted) return Promise.resolve('requeued' as const);
      const { promise, resolve, reject } = Promise.withResolvers<PostingJobResult | 'requeued'>();
      const orderId = batches[0]?.orderIds[0] ?? '';
      const end: InHand['end'] = (ending) => {
        if (ending instanceof Error) reject(ending);
        else resolve(ending);
      };
      inHand.push({ orderId, signal, end });
      return promise;
    },
    requeue: () => {
      for (const { signal, end } of inHand.toReversed()) if (signal.aborted) end('requeued');
    },
  };
  const consumer = startPartitionConsumer(
    ofPartition,
    { redis: connection, prefix, queues, isRedisThere: () => true },
    handler,
    log,
    limits,
  );
  const owner = {
    ...{ inHand, consumer, wedge },
    kill() {
      owners = owners.filter((each) => each !== owner);
      disconnect();
    },
  };
  owners.push(owner);
  return owner;
}

const enqueue = async (...orderIds: readonly string[]) => {
  for (const id of orderIds) await queues.enqueue([{ workspaceId, orderIds: [id] }]);
};
const ordersOf = ({ inHand }: Owner) => inHand.map(({ orderId }) => orderId);
const queue = () => inspection.queueOf(partition);
const orderIdsOf = ({ data }: Job<PostingJobData>) => data.batches.flatMap(({ orderIds }) => orderIds);

describe('a partition’s queue', () => {
  test('has the orders of its workspaces, and no other’s', async () => {
    const workspaceIds = Array.from({ length: 20 }, (_, index) => `ws_${index}`);
    await queues.enqueue(workspaceIds.map((id) => ({ workspaceId: id, orderIds: [`of-${id}`] })));
    for (let each = 0; each < count; each += 1) {
      const own = workspaceIds.filter((id) => partitionOf(id, count) === each);
      const jobs = await inspection.queueOf(each).getWaiting();
      expect(jobs.flatMap(orderIdsOf)).toEqual(own.map((id) => `of-${id}`));
      expect(jobs).toHaveLength(Math.min(1, own.length));
      expect((await queues.load(each)).waitingJobs).toBe(jobs.length);
    }
  });

  test('tells when its oldest job came, also while an owner has it in hand', async () => {
    expect(await queues.load(partition)).toEqual({ waitingJobs: 0, oldestJobAt: undefined });
    await enqueue('first', 'second');
    const [first] = await queue().getWaiting(0, 0);
    const oldestJobAt = new Date(first?.timestamp ?? 0);
    expect(await queues.load(partition)).toEqual({ waitingJobs: 2, oldestJobAt });
    const owner = start();
    await waitFor(() => owner.inHand.length === 2);
    expect(await queues.load(partition)).toEqual({ waitingJobs: 0, oldestJobAt });
  });
});

describe('a consumer', () => {
  test('takes many jobs at once, of its own partition alone', async () => {
    const [owner, other] = [start(), start((partition + 1) % count)];
    const orderIds = Array.from({ length: 50 }, (_, index) => `order-${index}`);
    await enqueue(...orderIds);
    await waitFor(() => owner.inHand.length === 50);
    expect(ordersOf(owner)).toEqual(orderIds);
    expect(other.inHand).toEqual([]);
  });

  test('that fails a job tries it again, a little later', async () => {
    const owner = start();
    await enqueue('a');
    await waitFor(() => owner.inHand.length === 1);
    owner.inHand[0]?.end(new Error('MongoDB is away'));
    await waitFor(() => owner.inHand.length === 2);
    owner.inHand[1]?.end(nothingDone);
    const [job] = await waitFor(async () => {
      const completed = await queue().getCompleted();
      return completed.length > 0 && completed;
    });
    expect(job?.attemptsMade).toBe(2);
  });

  test.each([
    { batches: 'x' },
    { batches: [{ workspaceId, orderIds: [{ $gt: '' }] }] },
    { batches: [{ workspaceId: { $ne: null }, orderIds: [] }] },
    { batches: [{ workspaceId, orderIds: ['a'] }], causes: [{}] },
    null,
  ])('takes no job that is none of this service’s, such as %j, and fails it for good', async (data) => {
    const owner = start();
    await queue().add('post', data as unknown as PostingJobData);
    await enqueue('b');
    const [failed] = await waitFor(async () => {
      const jobs = await queue().getFailed();
      return jobs.length > 0 && jobs;
    });
    await waitFor(() => owner.inHand.length === 1);
    expect(ordersOf(owner)).toEqual(['b']);
    expect(failed).toMatchObject({
      attemptsMade: 1,
      failedReason: expect.stringContaining('not a job of this service') as string,
    });
    expect(await inspection.jobsOf('a', partition, new Date(0), new Date())).toEqual([]);
  });

  test('whose connection for waiting never comes back is replaced, once jobs wait that it does not take', async () => {
    const owner = start();
    await enqueue('before');
    await waitFor(() => owner.inHand.length === 1);
    owner.inHand[0]?.end(nothingDone);
    await owner.wedge();
    await enqueue('after');
    await waitFor(() => ordersOf(owner).includes('after'));
    expect(ordersOf(owner)).toEqual(['before', 'after']);
  });

  test('that dies leaves its jobs to the next one', async () => {
    const first = start();
    await enqueue('a', 'b');
    await waitFor(() => first.inHand.length === 2);
    first.kill();
    const second = start();
    await enqueue('c');
    await waitFor(() => second.inHand.length === 3);
    expect(ordersOf(second).toSorted()).toEqual(['a', 'b', 'c']);
  });
});
