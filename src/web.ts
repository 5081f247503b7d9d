import { keysToSeal } from './auth/master-keys.ts';
import { authenticate, chargeRate } from './auth/pipeline.ts';
import { createPrincipals } from './auth/principals.ts';
import { createClock, type Clock } from './clock.ts';
import type { Currencies } from './domain/currency.ts';
import type { WebSettings } from './settings/config.ts';
import { apiRoutes } from './http/api-routes.ts';
import { createApp } from './http/app.ts';
import { createFailureCount } from './http/failures.ts';
import { createPresenter } from './orders/present.ts';
import { createBodyLimits } from './http/route.ts';
import { listen } from './http/server.ts';
import { createSingleReads } from './http/single-reads.ts';
import { createChangeOnce } from './http/single-use.ts';
import type { Running, Start } from './lifecycle.ts';
import type { Logger } from './log.ts';
import { createObservers, type Observers } from './ops/observers.ts';
import { openOperations } from './ops/operations.ts';
import { startPages } from './ops/pages.ts';
import { subscribeToNotices } from './queue/notices.ts';
import { createPostingQueue } from './queue/posting-queue.ts';
import { createWebhookQueue } from './queue/webhook-queue.ts';
import { connectRedis, type RedisClient } from './redis/connection.ts';
import { announceChange, subscribeToChanges } from './redis/messages.ts';
import { createNonces } from './redis/nonces.ts';
import { createFirstTimes } from './redis/first-times.ts';
import { createFailureLimit, createKeyLimit } from './redis/rate-limits.ts';
import { createWebhookCallLimit } from './redis/webhook-limits.ts';
import { agreeOnSettings } from './shared-settings.ts';
import { bringUp } from './storage/shared/start.ts';
import { openLists } from './reading/lists.ts';
import { openOrderSearch } from './reading/order-search.ts';
import { openCollections, type Collections } from './storage/collections.ts';
import {
  batchPermits,
  webhookPermits,
  connectForLists,
  connectForRequests,
  type Storage,
} from './storage/shared/connection.ts';
import { followCurrencies } from './accepting/currencies.ts';
import { createThroughFailover, type ThroughFailover } from './waiting/failover.ts';
import { isTransientFault } from './storage/shared/transaction.ts';
import { ensureSchema } from './storage/schema/schema.ts';
import { isSharded } from './storage/schema/sharding.ts';
import { followClock } from './storage/shared/clock.ts';
import type { OutboxEntry } from './storage/webhooks/outbox.ts';
import { createAcceptor } from './accepting/accept.ts';
import { createBatchAcceptor } from './accepting/batch.ts';
import { createPrepareCancel } from './accepting/cancel.ts';
import { createPreviewer } from './accepting/preview.ts';
import { startBackPressure } from './accepting/back-pressure.ts';
import { createOrderEnqueuer } from './accepting/order-enqueuer.ts';
import { createScheduledLimit } from './accepting/scheduled-limit.ts';
import { createRecorder } from './accepting/record.ts';
import { createWalletCheck } from './accepting/wallet-check.ts';
import { createTestTime } from './scheduling/advance.ts';
import { Bulkhead } from './waiting/bulkhead.ts';
import { Endpoints } from './webhooks/endpoints.ts';

/** Starts what a web process does: the API on one port, operations on another. */
export async function startWeb(start: Start<WebSettings>): Promise<Running> {
  const { settings, log, signal } = start;
  const { MONGODB_URI: uri, QUEUE_PREFIX: prefix } = settings;
  const throughFailover = createThroughFailover(isTransientFault);
  const correctedClock = createClock();
  const { now: clock, dating } = correctedClock;
  const observers = createObservers(log, clock);
  const connecting = [connectForRequests(uri, log, signal), connectToRedis(settings, log, signal)] as const;
  const [mongodb, connections] = connecting;
  const ofRequests = { mongodb, redis: connections.then(({ nonces }) => nonces) };
  const ops = await openOperations('web', start, ofRequests, observers, clock);
  const [storage, redis, listReading] = await Promise.all([...connecting, connectForLists(uri, log, signal)]);
  const clocks = { clock: correctedClock, onClock: observers.clock };
  const clockRounds = await followClock(storage.db, clocks, log, signal);
  await bringUp(() => ensureSchema(storage.db), log, signal);
  const cluster = await lookForCluster(storage, log, signal);
  const collections = openCollections(storage.db, dating);
  const { currencyRecord } = collections;
  const agreed = await agreeOnSettings(start, redis.queues, collections);
  const currencyRounds = await followCurrencies(currencyRecord, log, signal);
  const { current: currencies } = currencyRounds;
  const notices = await subscribeToNotices(redis.notices, prefix);
  const accepting = await openAccepting({
    ...{ settings, log, redis: redis.queues, collections, cluster, currencies, throughFailover, observers },
    clock: dating,
  });
  const principals = createPrincipals(collections, settings.MASTER_KEYS, throughFailover);
  await subscribeToChanges(redis.notices, prefix, (walletId) => {
    if (walletId === undefined) principals.forget();
    accepting.forgetWallet(walletId);
  });
  const { nonces, usualRate, keyLimit, failureLimit } = openLimits(redis.nonces, settings);
  const routes = apiRoutes({
    collections,
    lists: openLists(listReading.db),
    throughFailover,
    bulkheads: cluster,
    accepting,
    notices,
    endpoints: openEndpoints(redis.queues, collections, settings, clock),
    currencies,
    usualRate,
    clock,
    testTime: accepting.testTime,
    isFirstTime: createFirstTimes(redis.queues, prefix),
  });
  const app = createApp(
    routes,
    {
      authenticate: (attempt) =>
        authenticate(attempt, { principals, nonces, keyLimit, clock: dating }, observers.refused),
      chargeRate: (attempt, count) => chargeRate(attempt, count, keyLimit),
      trustedProxies: settings.TRUSTED_PROXIES,
      countFailure: createFailureCount(failureLimit),
      changeOnce: createChangeOnce(collections.signedRequests, throughFailover),
    },
    { clock, log, isDraining: () => signal.aborted, onAnswered: observers.answered },
  );
  const pages = startPages({
    collections,
    orderSearch: openOrderSearch(storage.db),
    redis: redis.operator,
    lastSnapshot: accepting.pressure.lastSnapshot,
    health: ops.health,
    settings,
    present: createPresenter(currencies),
    clock,
  });
  ops.begin({ tlsHosts: storage.tlsHosts, queues: agreed }, pages);
  const options = { clock, bodyBytesMax: createBodyLimits(routes), keepAliveMs: settings.KEEP_ALIVE_SECONDS * 1_000 };
  const api = await listen(app, settings.HOST, settings.PORT, options);
  log.info({ event: 'ready', port: api.port, opsPort: ops.port }, `API listening on port ${api.port}`);

  return {
    port: api.port,
    opsPort: ops.port,
    async stop() {
      await api.close();
      await Promise.all([principals.close(), currencyRounds.close()]);
      await accepting.close();
      await Promise.all([ops.close(), pages.close()]);
      for (const connection of Object.values(redis)) connection.disconnect();
      await clockRounds.close();
      await Promise.all([storage.close(), listReading.close()]);
    },
  };
}

type Cluster = Awaited<ReturnType<typeof lookForCluster>>;

/** On a sharded cluster: bulkheads for the batches of creates, for reads, and for webhooks, so that none waits for another. */
async function lookForCluster({ db }: Storage, log: Logger, signal: AbortSignal) {
  const isOne = await bringUp(() => isSharded(db), log, signal);
  const ofBatches = () => (isOne ? new Bulkhead(batchPermits) : undefined);
  return {
    isSharded: isOne,
    creates: ofBatches(),
    reads: ofBatches(),
    webhooks: isOne ? new Bulkhead(webhookPermits) : undefined,
  };
}

/** One connection for each kind of use, so that none waits for another's commands. */
async function connectToRedis(settings: WebSettings, log: Logger, signal: AbortSignal) {
  const [nonces, queues, notices, operator] = await Promise.all([
    connectRedis(settings, 'request', log, signal),
    connectRedis(settings, 'request', log, signal),
    connectRedis(settings, 'background', log, signal),
    connectRedis(settings, 'request', log, signal),
  ]);
  return { nonces, queues, notices, operator };
}

/** Of its rate a key may use so many times as much within one second now and then. */
const burstFactor = 2;

/** All three on one connection, so that the commands of a request share a round trip. */
function openLimits(redis: RedisClient, settings: WebSettings) {
  const prefix = settings.QUEUE_PREFIX;
  const perSecond = settings.KEY_RATE_PER_SECOND;
  const usualRate = { perSecond, burst: burstFactor * perSecond };
  return {
    nonces: createNonces(redis, prefix),
    usualRate,
    keyLimit: createKeyLimit(redis, prefix, usualRate),
    failureLimit: createFailureLimit(redis, prefix, settings.FAILURES_PER_MINUTE),
  };
}

interface AcceptingParts extends Pick<Start<WebSettings>, 'settings' | 'log'> {
  readonly redis: RedisClient;
  readonly collections: Collections;
  readonly cluster: Cluster;
  readonly currencies: Currencies;
  readonly throughFailover: ThroughFailover;
  readonly observers: Observers;
  readonly clock: Clock;
}

/** What takes orders and brings them to the workers, and what is known of the orders that wait. */
async function openAccepting(parts: AcceptingParts) {
  const { settings, log, redis, collections, cluster, currencies, throughFailover, observers, clock } = parts;
  const { BACKLOG_MAX: backlogMax, BACKLOG_MAX_WORKSPACE: backlogMaxWorkspace } = settings;
  const { backlog, dueOrders, orders, testClocks, wallets } = collections;
  const { clockOf } = testClocks;
  const queue = createPostingQueue(redis, settings.QUEUE_PREFIX);
  const webhookQueue = createWebhookQueue(redis, settings.QUEUE_PREFIX);
  const pressure = startBackPressure({ backlogMax, backlogMaxWorkspace }, backlog, log);
  // So that the first answer about the backlog, to a scaler for example, has it already.
  await pressure.firstSnapshot;
  const enqueuer = createOrderEnqueuer(queue, log);
  const walletCheck = createWalletCheck(wallets, cluster.creates);
  const recorder = createRecorder(orders, enqueuer, cluster.creates, observers.batchRecorded);
  const { check: checkPressure } = pressure;
  const checkScheduled = createScheduledLimit(dueOrders, testClocks);
  const checks = { walletCheck, checkPressure, checkScheduled };
  const acceptor = createAcceptor({ recorder, ...checks, throughFailover, currencies, clockOf });
  return {
    acceptor,
    batches: createBatchAcceptor({ acceptor, recorder, throughFailover, checkPressure, clockOf }),
    previewer: createPreviewer(acceptor, collections, currencies, clockOf),
    pressure,
    testTime: createTestTime(collections, queue, clock),
    prepareCancel: createPrepareCancel({
      find: createSingleReads(orders.findMany, throughFailover, cluster.reads),
      cancelOrder: collections.cancelOrder,
      throughFailover,
      onWritten: webhookQueue.wakeFor,
    }),
    forgetWallet: walletCheck.forget,
    async onWalletChanged(id: string, entry?: OutboxEntry): Promise<void> {
      walletCheck.forget(id);
      if (entry !== undefined) webhookQueue.wakeFor([entry]);
      await announceChange(redis, settings.QUEUE_PREFIX, id).catch(() => undefined);
    },
    /** Resolves once every order recorded so far is enqueued, or could not be and is left to the sweeper. */
    async close(): Promise<void> {
      await enqueuer.drain();
      await Promise.all([queue.close(), webhookQueue.close(), pressure.close()]);
    },
  };
}

/** What clients do with their webhooks. */
function openEndpoints(redis: RedisClient, collections: Collections, settings: WebSettings, clock: Clock) {
  const { WEBHOOK_ALLOW_LOCAL: allowsLocal, MASTER_KEYS: keys, QUEUE_PREFIX: prefix } = settings;
  const masterKeys = () => keysToSeal(keys, collections);
  const callLimit = createWebhookCallLimit(redis, prefix);
  return new Endpoints({ collections, masterKeys, allowsLocal, clock, callLimit });
}
