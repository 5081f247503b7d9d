import type { WorkerSettings } from '../src/settings/config.ts';
import type { Start } from '../src/lifecycle.ts';
import { createNoticeSender } from '../src/queue/notices.ts';
import { bringUp } from '../src/storage/shared/start.ts';
import { createPostedWrites } from '../src/storage/group-writes.ts';
import { endTransactions, openPostingSessions } from '../src/storage/processes/posting-sessions.ts';
import { isSharded } from '../src/storage/schema/sharding.ts';
import { followPosting } from '../src/posting/follow.ts';
import { createEndIfHung, createGroupTransaction, createRemembered } from '../src/posting/group-transaction.ts';
import type { PostObserver } from '../src/posting/observer.ts';
import { createPostGroup } from '../src/posting/post-group.ts';
import { Poster } from '../src/posting/poster.ts';
import { createRunBucket } from '../src/posting/run-bucket.ts';
import { createPostingQueue } from '../src/queue/posting-queue.ts';
import { startPostingConsumer } from '../src/queue/posting-consumer.ts';
import type { WebhookQueue } from '../src/queue/webhook-queue.ts';
import { openSlots } from '../src/posting/slots.ts';
import { startSweeper } from '../src/posting/sweep.ts';
import { startDueRounds } from '../src/scheduling/due-rounds.ts';
import { expiry } from '../src/scheduling/expiry.ts';
import { schedule } from '../src/scheduling/schedule.ts';
import { createGoOnInTime, startTestClockRounds } from '../src/scheduling/test-clock.ts';
import { createSubscribers } from '../src/webhooks/subscribers.ts';
import type { Connected } from './connect.ts';

/** Posts orders, wakes those that nobody was woken for, and does what is due by itself. */
export async function startPosting(
  { settings, log, signal, instanceId, crash }: Start<WorkerSettings>,
  { storage, commandRedis, workerRedis, clock, dating, observers, collections, currencies, ...others }: Connected,
) {
  const { QUEUE_PREFIX: prefix, POSTING_GROUPS_IN_FLIGHT: groupsInFlight } = settings;
  const { webhookQueue, mongodbAnswers, leaseCandidate } = others;
  const { stuckOrders, webhookEndpoints } = collections;
  const postingQueue = createPostingQueue(commandRedis, prefix);
  const sessions = openPostingSessions(storage.client, groupsInFlight);
  const onCluster = await bringUp(() => isSharded(storage.db), log, signal);
  const following = await followPosting(collections, postingQueue, log, signal);
  const endIfHung = createEndIfHung(crash);
  const remembered = createRemembered(collections);
  const endOpen = (ids: readonly string[]): Promise<void> => endTransactions(storage.db, ids);
  const postInTransaction = createGroupTransaction({
    collections,
    writePosted: createPostedWrites(storage.db, instanceId),
    currencies,
    clock: dating,
    dateIn: collections.testClocks.dateIn,
    subscribersOf: createSubscribers(webhookEndpoints),
    remembered,
    endTransactions: endOpen,
    endIfHung,
  });
  const observe = observing(observers.post, webhookQueue, createNoticeSender(commandRedis, prefix));
  const postGroup = createPostGroup({ postInTransaction, stuckOrders, observe, log, endIfHung });
  const poster = new Poster({
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
    goOnInTime: createGoOnInTime(collections, webhookQueue, dating),
    remembered: remembered.wallets,
    endTransactions: endOpen,
    isPaused: following.isPaused,
  });
  const { workers } = following;
  const jobs = { redis: workerRedis, prefix, instanceId, mayWork: mongodbAnswers, workers };
  const consumer = startPostingConsumer(jobs, runBucket, log);
  const sweeper = startSweeper({ collections, isSharded: onCluster, queue: postingQueue, clock, log }, leaseCandidate);
  const dueSources = { collections, isSharded: onCluster, queue: postingQueue, clock: dating, log };
  const dueRounds = [expiry, schedule].map((work) => startDueRounds(work(dueSources), dueSources, leaseCandidate));
  const testClockRounds = startTestClockRounds(collections, postingQueue, leaseCandidate, log);
  return {
    async close(): Promise<void> {
      await Promise.all([sweeper, ...dueRounds, testClockRounds, consumer, following].map((part) => part.close()));
      await Promise.all([sessions.end(), postingQueue.close()]);
    },
  };
}

/** After each group that is posted, wakes the senders of its webhooks, and sends notices to those who wait for its orders. */
function observing(
  observe: PostObserver,
  webhookQueue: Pick<WebhookQueue, 'wakeFor'>,
  sendNotices: (orderIds: readonly string[]) => void,
): PostObserver {
  return {
    ...observe,
    groupPosted(group) {
      webhookQueue.wakeFor(group.outbox);
      sendNotices(group.posting.ended.map(({ order }) => order.id));
      observe.groupPosted(group);
    },
  };
}
