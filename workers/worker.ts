import { createClock } from '../src/clock.ts';
import type { WorkerSettings } from '../src/settings/config.ts';
import type { Running, Start } from '../src/lifecycle.ts';
import { createObservers, type Observers } from '../src/ops/observers.ts';
import { openOperations } from '../src/ops/operations.ts';
import { createNoticeSender } from '../src/queue/notices.ts';
import { startPartitionConsumer } from '../src/queue/partition-consumer.ts';
import { createPostingQueues } from '../src/queue/queue.ts';
import { createWebhookQueue } from '../src/queue/webhook-queue.ts';
import { watchRoundTrips } from '../src/redis/round-trips.ts';
import { connectRedis, type RedisClient } from '../src/redis/connection.ts';
import { agreeOnSettings } from '../src/shared-settings.ts';
import { bringUp } from '../src/storage/shared/start.ts';
import { openCollections, type Collections } from '../src/storage/collections.ts';
import { connectStorage } from '../src/storage/shared/connection.ts';
import { followCurrencies } from '../src/accepting/currencies.ts';
import { createPostedWrites } from '../src/storage/group-writes.ts';
import { openPulse, type Pulse } from '../src/storage/processes/pulse.ts';
import { openPostingSessions, type PostingSessions } from '../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../src/storage/schema/schema.ts';
import { isSharded } from '../src/storage/schema/sharding.ts';
import { followClock } from '../src/storage/shared/clock.ts';
import { startHeartbeat } from '../src/posting/heartbeat.ts';
import { startReaper } from '../src/posting/reaper.ts';
import { createEndIfHung, createGroupTransaction } from '../src/posting/group-transaction.ts';
import type { PostObserver } from '../src/posting/observer.ts';
import { followPartitionCount } from '../src/posting/partition-count.ts';
import { startPausableConsumer } from '../src/posting/pausable-consumer.ts';
import { createOwnPartitions } from '../src/posting/own-partitions.ts';
import { startPartitionOwner } from '../src/posting/partition-owner.ts';
import { createPostGroup } from '../src/posting/post-group.ts';
import { createPoster } from '../src/posting/poster.ts';
import { openSlots } from '../src/posting/slots.ts';
import { startSweeper } from '../src/posting/sweep.ts';
import { startDueRounds } from '../src/scheduling/due-rounds.ts';
import { expiry } from '../src/scheduling/expiry.ts';
import { schedule } from '../src/scheduling/schedule.ts';
import { startDeliveryThread } from '../src/webhooks/delivery-thread.ts';
import { openOutbox } from '../src/webhooks/outbox.ts';

/**
 * Starts what a worker process does. It posts the orders of its partitions, sweeps those whose jobs were lost (both in
 * src/posting), and sends webhooks in a thread of its own (webhooks.ts). Run as many as the load needs.
 */
export async function startWorker(start: Start<WorkerSettings>): Promise<Running> {
  const { settings, log, signal, instanceId, crash } = start;
  const { MONGODB_URI: uri, QUEUE_PREFIX: prefix } = settings;
  const correctedClock = createClock();
  const { now: clock, dating } = correctedClock;
  const observers = createObservers(log, clock);
  const connecting = [
    connectStorage(uri, log, signal),
    connectRedis(settings, 'request', log, signal),
    connectRedis(settings, 'background', log, signal),
  ] as const;
  const [mongodb, redis] = connecting;
  const ops = await openOperations('worker', start, { mongodb, redis }, observers, clock);
  const [storage, commandRedis, workerRedis] = await Promise.all(connecting);
  const clocks = { clock: correctedClock, onClock: observers.clock };
  const clockRounds = await followClock(storage.db, clocks, log, signal);
  await bringUp(() => ensureSchema(storage.db), log, signal);
  const collections = openCollections(storage.db, dating);
  const { currencyRecord, leases, partitioning, processReports, stuckOrders, webhookEndpoints } = collections;
  const agreed = await agreeOnSettings(start, commandRedis, collections);
  const currencies = await followCurrencies(currencyRecord, log, signal);
  const partitionCount = await followPartitionCount(partitioning, settings.POSTING_PARTITIONS, log, signal);
  const queues = createPostingQueues(commandRedis, prefix, partitionCount.now);
  const sessions = openPostingSessions(storage.client, settings.POSTING_GROUPS_IN_FLIGHT);
  const onCluster = await bringUp(() => isSharded(storage.db), log, signal);
  const pulse = await openPulse(settings.MONGODB_URI, log, signal);
  // Nothing that a stop breaks off is waited for between this, which lists the process, and ops.begin: so it stops in order.
  const part = startTakingPart(start, pulse, workerRedis, sessions);
  const { mayWork } = part;
  const webhookQueue = createWebhookQueue(commandRedis, prefix);
  const webhooks = startSendingWebhooks(start, collections, { mayWork, observers });
  const endIfHung = createEndIfHung(crash);
  const outbox = openOutbox(webhookEndpoints, webhookQueue);
  const postInTransaction = createGroupTransaction({
    collections,
    writePosted: createPostedWrites(storage.db, instanceId),
    currencies,
    clock: dating,
    subscribersOf: outbox.subscribersOf,
    endIfHung,
  });
  const observe = observing(observers.post, outbox, createNoticeSender(commandRedis, prefix));
  const postGroup = createPostGroup({ postInTransaction, stuckOrders, observe, log, endIfHung });
  const poster = createPoster({
    orders: collections.orders,
    posts: openSlots(sessions.all, postGroup, observe),
    isSharded: onCluster,
    onUnknownType({ id, type }) {
      observers.typeUnknown(type);
      const reason = `this release does not know the type ${type}`;
      log.error({ orderId: id, reason }, 'an order waits for a worker of a later release');
    },
  });
  const jobs = { redis: workerRedis, prefix, queues, isRedisThere: mayWork };
  const startConsumer = (partition: number) =>
    startPausableConsumer(partition, {
      pauses: partitionCount,
      start: () => startPartitionConsumer(partition, jobs, poster, log),
      log,
    });
  const own = createOwnPartitions({ leases, instanceId, startConsumer, log });
  const owner = startPartitionOwner(own, part, partitionCount.now, log);
  const turn = { leases, instanceId, mayWork };
  const sweeper = startSweeper(
    { collections, isSharded: onCluster, queues, partitionCount: partitionCount.now, clock, log },
    turn,
  );
  const dueSources = { collections, isSharded: onCluster, queues, clock: dating, log };
  const dueRounds = [expiry, schedule].map((work) => startDueRounds(work(dueSources), dueSources, turn));
  await part.listed;
  ops.begin({
    to: processReports,
    tlsHosts: storage.tlsHosts,
    queues: agreed,
    wrongSetting: webhooks.wrongSetting,
    ownedPartitions: owner.owned,
  });
  log.info({ event: 'ready', opsPort: ops.port }, 'posting');

  return {
    opsPort: ops.port,
    async stop() {
      part.leave();
      await Promise.all([sweeper, ...dueRounds, owner, partitionCount, webhooks].map((part) => part.close()));
      await Promise.all([part.close(), currencies.close()]);
      await Promise.all([sessions.end(), queues.close(), webhookQueue.close()]);
      await ops.close();
      for (const connection of [workerRedis, commandRedis]) connection.disconnect();
      await clockRounds.close();
      await storage.close();
    },
  };
}

/**
 * This worker among the others: it says that it is alive, and ends the transactions of those that are not. It takes part, so
 * that it may have partitions and do what one worker does for all, only while Redis answers.
 * @param redis waits for jobs.
 */
function startTakingPart(
  { instanceId, log }: Pick<Start<unknown>, 'instanceId' | 'log'>,
  pulse: Pulse,
  redis: RedisClient,
  sessions: PostingSessions,
) {
  const roundTrips = watchRoundTrips(redis);
  const mayWork = roundTrips.work;
  const heartbeat = startHeartbeat(instanceId, { pulse, sessions, mayWork, log });
  const reaper = startReaper(instanceId, pulse, log);
  return {
    listed: heartbeat.first,
    workers: heartbeat.workers,
    mayWork,
    /** From now on no partitions are assigned to this worker. It goes on saying that it is alive. */
    leave: () => {
      heartbeat.leave();
    },
    /** Stops, after `leave`; resolves once this process is no longer listed. */
    async close(): Promise<void> {
      await Promise.all([heartbeat.close(), reaper.close(), roundTrips.close()]);
      await pulse.close();
    },
  };
}

/** After each group that is posted, wakes the senders of its webhooks, and sends notices to those who wait for its orders. */
function observing(
  observe: PostObserver,
  outbox: Pick<ReturnType<typeof openOutbox>, 'onWritten'>,
  sendNotices: (orderIds: readonly string[]) => void,
): PostObserver {
  return {
    ...observe,
    groupPosted(group) {
      outbox.onWritten(group.outbox);
      sendNotices(group.orders.map(({ id }) => id));
      observe.groupPosted(group);
    },
  };
}

/** Starts the thread that sends webhooks. Without MASTER_KEYS there is none, and other workers send them. */
function startSendingWebhooks(
  { settings, instanceId, log }: Pick<Start<WorkerSettings>, 'settings' | 'instanceId' | 'log'>,
  collections: Collections,
  { mayWork, observers }: { readonly mayWork: () => boolean; readonly observers: Observers },
) {
  if (settings.MASTER_KEYS === undefined) return { wrongSetting: () => undefined, close: () => Promise.resolve() };
  return startDeliveryThread(
    new URL('webhooks.ts', import.meta.url),
    { settings, instanceId },
    { mayWork, isWanted: () => collections.webhookEndpoints.isAny() },
    observers.webhooks,
    log,
  );
}
