import { createClock } from '../src/clock.ts';
import type { WorkerSettings } from '../src/settings/config.ts';
import type { Start } from '../src/lifecycle.ts';
import { createObservers } from '../src/ops/observers.ts';
import { openOperations } from '../src/ops/operations.ts';
import { createWebhookQueue } from '../src/queue/webhook-queue.ts';
import { watchRoundTrips } from '../src/waiting/round-trips.ts';
import { connectRedis, mastersOf } from '../src/redis/connection.ts';
import { agreeOnSettings } from '../src/shared-settings.ts';
import { bringUp } from '../src/storage/shared/start.ts';
import { openCollections } from '../src/storage/collections.ts';
import { connectForRequests, connectStorage } from '../src/storage/shared/connection.ts';
import { followCurrencies } from '../src/accepting/currencies.ts';
import { ensureSchema } from '../src/storage/schema/schema.ts';
import { followClock } from '../src/storage/shared/clock.ts';

/** What posting and webhooks have in common in a worker process. */
export type Connected = Awaited<ReturnType<typeof connectWorker>>;

/** Connects a worker process to its servers, and opens its operations port meanwhile. @throws the signal's reason. */
export async function connectWorker(start: Start<WorkerSettings>) {
  const { settings, log, signal, instanceId } = start;
  const { MONGODB_URI: uri, QUEUE_PREFIX: prefix, WORKER_ROLE: role } = settings;
  const correctedClock = createClock();
  const { now: clock, dating } = correctedClock;
  const observers = createObservers(log, clock);
  // Webhooks of many workspaces are sent at once, of which those on a shard without a primary hang.
  const connectMongodb = role === 'posting' ? connectStorage : connectForRequests;
  const connecting = [
    connectMongodb(uri, log, signal),
    connectRedis(settings, 'request', log, signal),
    connectRedis(settings, 'background', log, signal),
  ] as const;
  const [mongodb, redis] = connecting;
  const kind = role === 'webhooks' ? 'webhooks' : 'worker';
  const ops = await openOperations(kind, start, { mongodb, redis }, observers, clock);
  const [storage, commandRedis, workerRedis] = await Promise.all(connecting);
  const clocks = { clock: correctedClock, onClock: observers.clock };
  const clockRounds = await followClock(storage.db, clocks, log, signal);
  await bringUp(() => ensureSchema(storage.db), log, signal);
  const collections = openCollections(storage.db, dating);
  const agreed = await agreeOnSettings(start, commandRedis, collections);
  const currencies = await followCurrencies(collections.currencyRecord, log, signal);
  const redisAnswers = watchRoundTrips(() => mastersOf(workerRedis));
  const mongodbAnswers = watchRoundTrips(() => [storage]);
  const mayWork = (): boolean => redisAnswers.work() && mongodbAnswers.work();
  const webhookQueue = createWebhookQueue(commandRedis, prefix);
  return {
    ...{ storage, commandRedis, workerRedis, clock, dating, observers, collections, currencies, webhookQueue },
    mongodbAnswers: mongodbAnswers.work,
    /** What lets one process at a time do something, while its servers answer. */
    leaseCandidate: { leases: collections.leases, instanceId, mayWork },
    opsPort: ops.port,
    /** Says that the process does its work now. */
    begin(): void {
      ops.begin({ tlsHosts: storage.tlsHosts, queues: agreed });
    },
    async close(): Promise<void> {
      await Promise.all([currencies, redisAnswers, mongodbAnswers].map((part) => part.close()));
      await webhookQueue.close();
      await ops.close();
      for (const connection of [workerRedis, commandRedis]) connection.disconnect();
      await clockRounds.close();
      await storage.close();
    },
  };
}
