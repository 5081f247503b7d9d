import { createClock } from '../src/clock.ts';
import type { WorkerSettings } from '../src/settings/config.ts';
import type { Running, Start } from '../src/lifecycle.ts';
import { createObservers, type Observers } from '../src/ops/observers.ts';
import { openOperations } from '../src/ops/operations.ts';
import { createNoticeSender } from '../src/queue/notices.ts';
import { createWebhookQueue } from '../src/queue/webhook-queue.ts';
import { watchRoundTrips } from '../src/waiting/round-trips.ts';
import { connectRedis, mastersOf } from '../src/redis/connection.ts';
import { agreeOnSettings } from '../src/shared-settings.ts';
import { bringUp } from '../src/storage/shared/start.ts';
import { openCollections, type Collections } from '../src/storage/collections.ts';
import { connectStorage } from '../src/storage/shared/connection.ts';
import { followCurrencies } from '../src/accepting/currencies.ts';
import { createPostedWrites } from '../src/storage/group-writes.ts';
import { endTransactions, openPostingSessions } from '../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../src/storage/schema/schema.ts';
import { isSharded } from '../src/storage/schema/sharding.ts';
import { followClock } from '../src/storage/shared/clock.ts';
import { createEndIfHung, createGroupTransaction } from '../src/posting/group-transaction.ts';
import type { PostObserver } from '../src/posting/observer.ts';
import { createPostGroup } from '../src/posting/post-group.ts';
import { followPause } from '../src/posting/pause.ts';
import { createPoster } from '../src/posting/poster.ts';
import { createRememberedWallets } from '../src/posting/remembered-wallets.ts';
import { createRunBucket } from '../src/posting/run-bucket.ts';
import { createPostingQueue } from '../src/queue/posting-queue.ts';
import { startPostingConsumer } from '../src/queue/posting-consumer.ts';
import { openSlots } from '../src/posting/slots.ts';
import { startSweeper } from '../src/posting/sweep.ts';
import { startDueRounds } from '../src/scheduling/due-rounds.ts';
import { expiry } from '../src/scheduling/expiry.ts';
import { schedule } from '../src/scheduling/schedule.ts';
import { startDeliveryThread } from '../src/webhooks/delivery-thread.ts';
import { openOutbox } from '../src/webhooks/outbox.ts';

/**
 * Starts what a worker process does. It posts orders, wakes those that nobody was woken for (both in src/posting), and sends webhooks in a thread of its own (webhooks.ts). Run as many as the load needs.
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
  const { currencyRecord, leases, postingPause, stuckOrders, webhookEndpoints } = collections;
  const agreed = await agreeOnSettings(start, commandRedis, collections);
  const currencies = await followCurrencies(currencyRecord, log, signal);
  const postingQueue = createPostingQueue(commandRedis, prefix);
  const sessions = openPostingSessions(storage.client, settings.POSTING_GROUPS_IN_FLIGHT);
  const onCluster = await bringUp(() => isSharded(storage.db), log, signal);
  const pause = await followPause(postingPause, postingQueue, log, signal);
  const redisAnswers = watchRoundTrips(() => mastersOf(workerRedis));
  const mongodbAnswers = watchRoundTrips(() => [storage]);
  const mayWork = (): boolean => redisAnswers.work() && mongodbAnswers.work();
  const webhookQueue = createWebhookQueue(commandRedis, prefix);
  const webhooks = startSendingWebhooks(start, collections, { mayWork, observers });
  const endIfHung = createEndIfHung(crash);
  const outbox = openOutbox(webhookEndpoints, webhookQueue);
  const remembered = createRememberedWallets();
  const endOpen = (ids: readonly string[]): Promise<void> => endTransactions(storage.db, ids);
  const postInTransaction = createGroupTransaction({
    collections,
    writePosted: createPostedWrites(storage.db, instanceId),
    currencies,
    clock: dating,
    subscribersOf: outbox.subscribersOf,
    remembered,
    endTransactions: endOpen,
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
  const runBucket = createRunBucket({
    queue: postingQueue,
    self: { instanceId, sessions: sessions.ids },
    poster,
    remembered,
    endTransactions: endOpen,
    isPaused: pause.isPaused,
  });
  const jobs = { redis: workerRedis, prefix, instanceId, mayWork: mongodbAnswers.work };
  const consumer = startPostingConsumer(jobs, runBucket, log);
  const turn = { leases, instanceId, mayWork };
  const sweeper = startSweeper({ collections, isSharded: onCluster, queue: postingQueue, clock, log }, turn);
  const dueSources = { collections, isSharded: onCluster, queue: postingQueue, clock: dating, log };
  const dueRounds = [expiry, schedule].map((work) => startDueRounds(work(dueSources), dueSources, turn));
  ops.begin({
    tlsHosts: storage.tlsHosts,
    queues: agreed,
    wrongSetting: webhooks.wrongSetting,
  });
  log.info({ event: 'ready', opsPort: ops.port }, 'posting');

  return {
    opsPort: ops.port,
    async stop() {
      await Promise.all([sweeper, ...dueRounds, consumer, pause, webhooks].map((part) => part.close()));
      await Promise.all([currencies, redisAnswers, mongodbAnswers].map((part) => part.close()));
      await Promise.all([sessions.end(), postingQueue.close(), webhookQueue.close()]);
      await ops.close();
      for (const connection of [workerRedis, commandRedis]) connection.disconnect();
      await clockRounds.close();
      await storage.close();
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
