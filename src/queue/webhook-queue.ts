import { Queue, Worker, type Processor } from 'bullmq';
import pTimeout from 'p-timeout';
import type { Logger } from '../log.ts';
import type { RedisClient } from '../redis/connection.ts';
import { Bulkhead } from '../waiting/bulkhead.ts';
import { startRounds } from '../waiting/rounds.ts';
import { ConsumerPause } from './consumer-pause.ts';
import { readWebhookJob, type EndpointToWake } from './job-data.ts';
import { openedWhileAway, type QueueLocation } from './posting-queue.ts';

export type WebhookQueue = ReturnType<typeof createWebhookQueue>;

/** The braces are a hash tag, so that all keys of the queue are in one slot of a Redis Cluster. */
export const webhookQueueName = '{webhooks}';
const jobName = 'deliver';
/** Endpoints to be woken are collected for this long, in which many groups are posted. */
const collectMs = 20;
/**
 * Endpoints that a process serves at once; most of the time they wait for an answer. A workspace may have all of its endpoints
 * served. There are more permits for slow ones, and an overflow for those that were not known to be slow: a receiver that does not
 * answer holds its permit for ten seconds.
 */
const deliveryLimits = { permits: 32, slowPermits: 64, overflow: 256, permitsOfKey: 10 };
/** Jobs that a process takes, so that those behind many of one workspace are found: they wait in it for a permit. */
export const jobsInHandMax = 512;
const lockDurationMs = 15_000;
const stalledIntervalMs = 5_000;
const stalledCountMax = 10;
/** The pause between looks whether the servers answer. */
const lookEveryMs = 500;
/** The longest wait, after the last run has ended, until Redis knows it. */
const partingMaxMs = 3_000;
const usualLimits = {
  /**
   * A run that takes longer is abandoned. It may take 20 s, and a message (10 s) and a MongoDB command (10 s) may begin at
   * its end.
   */
  runMaxMs: 45_000,
  /** An empty queue is looked at again after this long, because Redis may have woken a connection that was lost. */
  waitMaxMs: 5_000,
};

/** However often an endpoint is woken, at most one job of it runs and one waits. Source: BullMQ, "Deduplication". */
export function createWebhookQueue(redis: RedisClient, prefix: string) {
  const queue = new Queue<EndpointToWake>(webhookQueueName, {
    connection: redis,
    prefix,
    ...openedWhileAway,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', () => undefined);
  const collected = new Map<string, EndpointToWake>();
  let timer: NodeJS.Timeout | undefined;

  async function add(endpoints: readonly EndpointToWake[]): Promise<void> {
    const jobs = endpoints.map(({ workspaceId, endpointId: id }) => ({
      name: jobName,
      data: { workspaceId, endpointId: id },
      opts: { deduplication: { id, keepLastIfActive: true } },
    }));
    await queue.addBulk(jobs);
  }

  function send(): void {
    timer = undefined;
    const endpoints = [...collected.values()];
    collected.clear();
    add(endpoints).catch(() => undefined);
  }

  function wake(endpoints: readonly EndpointToWake[]): void {
    for (const { workspaceId, endpointId } of endpoints) collected.set(endpointId, { workspaceId, endpointId });
    if (collected.size > 0) timer ??= setTimeout(send, collectMs);
  }

  return {
    /**
     * Has workers look at these endpoints soon. Never throws, and waits for nothing, because a lost job is replaced when its
     * endpoint's next check is due.
     */
    wake,
    /** The same, for the endpoints that outbox entries are still to be sent to. */
    wakeFor: (entries: readonly { readonly workspaceId: string; readonly pending: readonly string[] }[]): void => {
      wake(entries.flatMap(({ workspaceId, pending }) => pending.map((endpointId) => ({ workspaceId, endpointId }))));
    },
    /** Has workers look at these endpoints. Throws if Redis is away; some of the jobs may have been added all the same. */
    wakeNow: add,
    async close(): Promise<void> {
      clearTimeout(timer);
      if (timer !== undefined) send();
      // Redis may be away.
      await pTimeout(queue.close(), { milliseconds: partingMaxMs, fallback: () => undefined });
    },
  };
}

/**
 * Takes endpoints from the queue, several at once, and serves their workspaces through a bulkhead. A job whose process dies goes to
 * another process. A run that hangs is abandoned, because no other run of its endpoint begins before its job has ended. While its
 * servers do not answer a process, it takes no endpoints, and breaks off the requests under way, whose events others send again.
 */
export function startWebhookConsumer(
  { mayWork, ...location }: QueueLocation & { readonly mayWork: () => boolean },
  deliver: (endpoint: EndpointToWake, signal: AbortSignal) => Promise<void>,
  log: Logger,
  limits: Partial<typeof usualLimits> = {},
): { close(): Promise<void> } {
  const { runMaxMs, waitMaxMs } = { ...usualLimits, ...limits };
  const closing = new AbortController();
  const pause = new ConsumerPause();
  const bulkhead = new Bulkhead(deliveryLimits);
  async function run(endpoint: EndpointToWake): Promise<void> {
    const over = new AbortController();
    try {
      // The run ends at once if the process stops or may not work, and leaves what it has to send to others.
      const delivering = deliver(endpoint, AbortSignal.any([closing.signal, pause.signal, over.signal]));
      await pTimeout(delivering, { milliseconds: runMaxMs });
    } finally {
      over.abort();
    }
  }
  const runJob: Processor<EndpointToWake, void> = async ({ data }) => {
    const endpoint = readWebhookJob(data);
    await bulkhead.run(endpoint.workspaceId, () => run(endpoint));
  };
  const worker = openWorker(location, runJob, waitMaxMs, log);
  const looks = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: partingMaxMs,
    round: () => pause.look(worker, mayWork(), log),
  });
  return {
    async close() {
      closing.abort();
      void looks.close();
      // Jobs whose end Redis does not know stall, and are run again by others.
      await pTimeout(worker.close(), { milliseconds: partingMaxMs, fallback: () => undefined });
    },
  };
}

function openWorker(
  { redis, prefix }: QueueLocation,
  runDelivery: Processor<EndpointToWake, void>,
  waitMaxMs: number,
  log: Logger,
): Worker<EndpointToWake, void> {
  const worker = new Worker<EndpointToWake, void>(webhookQueueName, runDelivery, {
    connection: redis,
    prefix,
    concurrency: jobsInHandMax,
    drainDelay: waitMaxMs / 1_000,
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    maxStalledCount: stalledCountMax,
    // It asks INFO, which a Redis user without dangerous commands may not.
    skipVersionCheck: true,
  });
  worker.on('error', (error) => {
    log.warn({ server: 'redis', reason: error.message }, 'the consumer of webhooks met an error');
  });
  worker.on('failed', (job, error) => {
    // Of a job that is none of this service's, anything may be the data.
    const { endpointId } = (job?.data ?? {}) as Partial<EndpointToWake>;
    log.warn({ err: error, endpointId }, 'webhooks were not delivered; they are tried again');
  });
  return worker;
}
