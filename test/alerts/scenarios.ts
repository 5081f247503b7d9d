import { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';
import { queueNameOf } from '../../src/queue/queue.ts';
import { openPartitioning } from '../../src/storage/partitioning/partitioning.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { clockOffBy } from '../faults/harness/clock-off-by.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { insertExpiredHold, insertFaultyScheduled, pendingOrder } from '../support/pending-order.ts';
import { neglectWebhook } from '../support/neglected-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { startReceiver } from '../webhooks/delivering.ts';
import { create, startForging, startProbing } from './load.ts';
import type { Stack } from './stack.ts';

/** A cause, the alerts that it makes fire, and how it goes away. */
export interface Scenario {
  readonly cause: string;
  readonly alerts: readonly string[];
  /** Makes it so. @returns what makes an end of it; with that done the cause is gone. */
  readonly begin: (stack: Stack) => Promise<() => Promise<void>>;
}

const conflict = {
  failCommands: ['commitTransaction'],
  /** WriteConflict. */
  errorCode: 112,
};
const maxTimeMsExpired = 50;
/** Fewer than a group tries. */
const conflictsAtOnce = 9;
const conflictsEveryMs = 400;
/** Lasts until it is cleared. */
const always = 1_000_000;
/** Of each payer; together more than four fifths of BACKLOG_MAX. */
const waitingOrders = 600;
const drainMaxMs = 120_000;
const killsUntilAlert = 3;

/** In the order in which they are tried. */
export const scenarios: readonly Scenario[] = [
  {
    cause: 'requests without a key, and a wrong token on the operations port',
    alerts: ['SignaturesRefused', 'OperationsDenied'],
    begin(stack) {
      const stops = [startForging(stack), startProbing(stack)];
      return Promise.resolve(() => {
        for (const stop of stops) stop();
        return Promise.resolve();
      });
    },
  },
  {
    cause:
      'a worker whose clock is 5 s behind, with a certificate that expires tomorrow; one that is not scraped; another MASTER_KEYS',
    alerts: ['ClockOff', 'ClocksApart', 'CertificateExpires', 'WorkersUnscraped', 'MasterKeysWrong'],
    begin: beginOddProcesses,
  },
  {
    cause: 'web processes start with another QUEUE_PREFIX, and with other decimals in CURRENCIES',
    alerts: ['QueuesDiffer', 'CurrenciesDiffer'],
    begin: beginDifferingProcesses,
  },
  {
    cause:
      'a partition is paused, an order cannot be posted, one cannot be started, and another is of a later release, and refers to a hold',
    alerts: ['PartitionPaused', 'OrdersStuck', 'OrderTypeUnknown', 'ExpiryLate', 'ScheduleLate'],
    begin: beginStuck,
  },
  {
    cause: 'a receiver says that it is gone, and no worker comes to another webhook',
    alerts: ['WebhookEndpointDisabled', 'WebhooksBehind'],
    begin: beginLostWebhooks,
  },
  { cause: 'Redis refuses jobs', alerts: ['EnqueueFails'], begin: beginRefusingJobs },
  {
    cause: 'commits take 5.5 s',
    alerts: ['LatencyHigh'],
    async begin({ mongo }) {
      const slow = { blockConnection: true, blockTimeMS: 5_500 };
      await failCommands(mongo, always, { failCommands: ['commitTransaction'], ...slow });
      return () => untilPosted(mongo);
    },
  },
  {
    cause: 'commits meet several conflicts before they pass',
    alerts: ['Contention'],
    begin({ mongo }) {
      const again = setInterval(() => {
        failCommands(mongo, conflictsAtOnce, conflict).catch(() => undefined);
      }, conflictsEveryMs);
      return Promise.resolve(() => {
        clearInterval(again);
        return untilPosted(mongo);
      });
    },
  },
  {
    cause: 'every commit meets a conflict, while orders come in',
    alerts: ['PostingFails', 'BacklogOld', 'BacklogNearMax', 'WorkersShort'],
    begin: beginConflicts,
  },
  {
    cause: 'the only worker was killed',
    alerts: ['NoWorkers', 'PartitionsUnowned', 'ScrapeFails'],
    async begin({ worker }) {
      worker.child.kill('SIGKILL');
      await worker.child.exited;
      return () => worker.restart();
    },
  },
  {
    cause: 'Redis was killed',
    alerts: ['ServerDown', 'ApiErrors'],
    async begin(stack) {
      await stack.killRedis();
      return () => stack.restartRedis();
    },
  },
  {
    cause: 'MongoDB hangs',
    alerts: ['ServerDown'],
    begin({ engine }) {
      engine.kill('SIGSTOP');
      return Promise.resolve(() => {
        engine.kill('SIGCONT');
        return Promise.resolve();
      });
    },
  },
  {
    cause: 'MongoDB answers, and refuses to be read',
    alerts: ['ServiceUnread'],
    async begin({ mongo }) {
      await failCommands(mongo, always, { failCommands: ['find', 'aggregate'], errorCode: maxTimeMsExpired });
      return () => clearFailPoint(mongo);
    },
  },
  {
    cause: 'the only worker is killed and started again, three times',
    alerts: ['ProcessesLost'],
    async begin({ mongo, worker }) {
      for (let kill = 0; kill < killsUntilAlert; kill += 1) {
        worker.child.kill('SIGKILL');
        await worker.child.exited;
        await worker.restart();
      }
      return async () => {
        // As after the half hour for which they count.
        await mongo.db('transfers').collection('processRuns').deleteMany({});
      };
    },
  },
  {
    cause: 'the only web process starts again while Redis is away',
    alerts: ['ApiStarting'],
    async begin(stack) {
      await stack.killRedis();
      stack.web.child.kill('SIGKILL');
      await stack.web.child.exited;
      const started = stack.web.restart();
      return async () => {
        await stack.restartRedis();
        await started;
      };
    },
  },
  {
    cause: 'the only web process was killed',
    alerts: ['ApiGone', 'ScrapeFails'],
    async begin({ web }) {
      web.child.kill('SIGKILL');
      await web.child.exited;
      return () => web.restart();
    },
  },
];

async function beginOddProcesses(stack: Stack): Promise<() => Promise<void>> {
  const { prometheus, web, worker } = stack;
  const odd = await stack.startWorker({ ...clockOffBy(-5_000), ...stack.expiringTls });
  const unscraped = await stack.startWorker();
  const MASTER_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`;
  // It answers on its operations port, and never becomes ready.
  const wrong = await stack.startWeb({ MASTER_KEYS });
  await prometheus.setTargets([web, worker, odd, wrong].map(({ target }) => target));
  return async () => {
    await Promise.all([odd, unscraped, wrong].map((member) => stack.end(member)));
    await prometheus.setTargets([web, worker].map(({ target }) => target));
  };
}

async function beginDifferingProcesses(stack: Stack): Promise<() => Promise<void>> {
  const { prometheus, web, worker } = stack;
  const [others, decimals] = [
    await stack.startWeb({ QUEUE_PREFIX: 'other' }),
    await stack.startWeb({ CURRENCIES: 'BTC:4' }),
  ];
  await prometheus.setTargets([web, worker, others, decimals].map(({ target }) => target));
  return async () => {
    await Promise.all([others, decimals].map((member) => stack.end(member)));
    await prometheus.setTargets([web, worker].map(({ target }) => target));
  };
}

async function beginStuck(stack: Stack): Promise<() => Promise<void>> {
  const [payer, other] = stack.payers;
  const partitioning = openPartitioning(stack.mongo.db('transfers'));
  await partitioning.setPaused(other.partition, true);
  const { workspaceId, wallets } = payer;
  // As if a fault had got in: the API itself refuses a target of another currency. The sweeper takes it to a worker.
  const sides = { sourceWalletId: wallets.source, targetWalletId: wallets.euros };
  const faulty = pendingOrder({ workspaceId, ...sides, amount: '1', currency: 'USD' });
  const database = stack.mongo.db('transfers');
  const between = { sourceWalletId: wallets.source, targetWalletId: wallets.target };
  const later = pendingOrder({ workspaceId, ...between, amount: '1', currency: 'USD' });
  await openCollections(database).orders.insertBatch([faulty, later]);
  const orders = database.collection<{ _id: string }>('orders');
  const hold = await insertExpiredHold(database, { workspaceId, ...between, currency: 'USD' });
  const scheduled = await insertFaultyScheduled(database, { workspaceId, ...between, currency: 'USD' });
  await orders.updateOne({ _id: later.id }, { $set: { type: 'LATER', parentId: hold } });
  return async () => {
    await orders.deleteMany({ _id: { $in: [faulty.id, later.id, hold, scheduled] } });
    await partitioning.setPaused(other.partition, false);
  };
}

async function beginLostWebhooks({ admin, mongo, payers: [{ workspaceId }], redisUrl }: Stack) {
  // The load settles orders of this workspace: the other webhook is told of them.
  const receiver = await startReceiver(
    ({ url }, response) => void response.writeHead(url === '/gone' ? 410 : 200).end(),
  );
  const of = ['--workspace', workspaceId];
  const { id: gone = '' } = await admin('webhook', 'create', ...of, '--url', new URL('/gone', receiver.url).href);
  const { id: neglected = '' } = await admin('webhook', 'create', ...of, '--url', receiver.url);
  await admin('webhook', 'test', ...of, '--webhook', gone);
  const endpoints = openCollections(mongo.db('transfers')).webhookEndpoints;
  await waitFor(async () => (await endpoints.find(workspaceId, gone))?.disabledReason === 'GONE');
  const attend = await neglectWebhook(mongo.db('transfers'), redisUrl, neglected);
  return async () => {
    await attend();
    await admin('webhook', 'delete', ...of, '--webhook', gone, '--yes');
    await admin('webhook', 'delete', ...of, '--webhook', neglected, '--yes');
    await receiver.close();
  };
}

async function beginRefusingJobs({ redisUrl, payers }: Stack): Promise<() => Promise<void>> {
  const redis = new Redis(redisUrl);
  // The list of the jobs that wait, in BullMQ's own naming.
  const key = `transfers:${queueNameOf(payers[0].partition)}:wait`;
  await redis.del(key);
  await redis.set(key, 'not a list');
  return async () => {
    await redis.del(key);
    redis.disconnect();
  };
}

/** Every commit of the worker's is told of a conflict: it tries again, gives up, and what is accepted waits. */
async function beginConflicts({ mongo, payers }: Stack): Promise<() => Promise<void>> {
  await failCommands(mongo, always, conflict);
  for (const payer of payers) await Promise.all(Array.from({ length: waitingOrders }, () => create(payer)));
  return () => untilPosted(mongo);
}

/** Lets commits pass again, and waits for the orders that they held up. */
async function untilPosted(mongo: MongoClient): Promise<void> {
  await clearFailPoint(mongo);
  const heldUp = { status: 'PENDING', createdAt: { $lt: new Date() } };
  const orders = mongo.db('transfers').collection('orders');
  await waitFor(async () => (await orders.countDocuments(heldUp)) === 0, { timeoutMs: drainMaxMs, intervalMs: 250 });
}
