import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { RecordedOrder } from '../../src/storage/orders/documents.ts';
import type { Stage } from '../servers/stage.ts';

/** A job and the queue that it belongs into. */
export interface QueueJob {
  readonly queue: string;
  readonly data: object;
}

const insertBatchSize = 256;
const jobsPerCall = 500;
const jobOptions = { removeOnComplete: { count: 1_000 }, attempts: 5 } as const;

/** Records PENDING orders as the web process does, in groups. */
export async function record({ world }: Stage, orders: readonly RecordedOrder[]): Promise<void> {
  for (let at = 0; at < orders.length; at += insertBatchSize) {
    await world.collections.orders.insertBatch(orders.slice(at, at + insertBatchSize));
  }
}

export interface JobQueues {
  /** Puts jobs into their queues, those of a queue in their order. */
  add(jobs: readonly QueueJob[]): Promise<void>;
  close(): Promise<void>;
}

export function openJobQueues({ servers, prefix }: Stage): JobQueues {
  const connection = new Redis(servers.redisUrl, { maxRetriesPerRequest: null });
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? new Queue(name, { connection, prefix });
    queues.set(name, queue);
    return queue;
  };
  return {
    async add(jobs) {
      const addTo = async ([name, ofQueue]: [string, QueueJob[]]): Promise<void> => {
        const added = ofQueue.map(({ data }) => ({ name: 'post', data, opts: jobOptions }));
        for (let at = 0; at < added.length; at += jobsPerCall) {
          await queueOf(name).addBulk(added.slice(at, at + jobsPerCall));
        }
      };
      await Promise.all([...Map.groupBy(jobs, ({ queue }) => queue)].map(addTo));
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}
