import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createClock } from '../src/clock.ts';
import { createPresenter } from '../src/orders/present.ts';
import { createThreadLogger } from '../src/log.ts';
import { createWebhookQueue, startWebhookConsumer } from '../src/queue/webhook-queue.ts';
import { mastersOf, connectRedis } from '../src/redis/connection.ts';
import { createReplayPace } from '../src/redis/webhook-limits.ts';
import { watchRoundTrips } from '../src/waiting/round-trips.ts';
import { startRounds } from '../src/waiting/rounds.ts';
import { openCollections } from '../src/storage/collections.ts';
import { connectForRequests } from '../src/storage/shared/connection.ts';
import { followCurrencies } from '../src/accepting/currencies.ts';
import { followClock } from '../src/storage/shared/clock.ts';
import { createAttempts, type DeliveryObserver } from '../src/webhooks/attempts.ts';
import { startWebhookChecks } from '../src/webhooks/checks.ts';
import { createDeliver } from '../src/webhooks/deliver.ts';
import type { ObserverCall, ProcessMessage, ThreadData, ThreadMessage } from '../src/webhooks/delivery-thread.ts';
import { createRunRecorder } from '../src/webhooks/run-result.ts';
import { createRun } from '../src/webhooks/run.ts';
import { createWebhookSender } from '../src/webhooks/send.ts';
import { targetRules } from '../src/webhooks/target.ts';

/** What was observed is sent to the process together, because each message costs the thread that posts. */
const observedEveryMs = 100;
/** How often it is asked whether endpoints may be taken, and the longest that giving them up may take. */
const takingEveryMs = 500;
const takingMaxMs = 10_000;

if (parentPort === null) throw new Error('this is a thread of workers/main.ts');
await runThread(parentPort, workerData as ThreadData);
// Also where a connection is still being closed.
process.exit(0);

/** Sends webhooks until the process says `stop`. Any error ends the thread, and the process starts it again. */
async function runThread(port: MessagePort, { settings, instanceId }: ThreadData): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let mayWork = false;
  port.on('message', (message: ProcessMessage) => {
    if (message.kind === 'stop') stopping.abort(new Error('stopped'));
    else ({ mayWork } = message);
  });
  const log = createThreadLogger(settings.LOG_LEVEL, (line) => {
    tell(port, { kind: 'logged', line });
  });
  const { MONGODB_URI: uri } = settings;
  const masterKeys = new Map([...(settings.MASTER_KEYS ?? [])].map(([version, key]) => [version, Buffer.from(key)]));
  const connecting = Promise.all([
    connectForRequests(uri, log, signal),
    connectRedis(settings, 'request', log, signal),
    connectRedis(settings, 'background', log, signal),
  ]);
  const connected = await connecting.catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (connected === undefined) return;
  const [storage, request, background] = connected;
  const clock = createClock();
  // The process itself logs what becomes of these.
  const silent = log.child({}, { level: 'silent' });
  const clockRounds = await followClock(storage.db, { clock }, silent, signal);
  const collections = openCollections(storage.db, clock.now);
  const currencies = await followCurrencies(collections.currencyRecord, silent, signal);
  const roundTrips = watchRoundTrips(() => mastersOf(background));
  const observer = createObserver(port);
  const { QUEUE_PREFIX: prefix, WEBHOOK_ALLOW_LOCAL: allowsLocal } = settings;
  const queue = createWebhookQueue(request, prefix);
  const sender = createWebhookSender({ rules: targetRules(allowsLocal), clock: clock.now });
  const deliver = createDeliver(
    collections,
    createAttempts(sender, masterKeys, clock.now, observer),
    createRun(collections, createReplayPace(request, prefix), createPresenter(currencies.known), clock.now),
    createRunRecorder(collections, queue, log),
    clock.now,
  );
  const maySend = (): boolean => mayWork && roundTrips.work();
  const consumer = startConsumerWhile(maySend, () => startWebhookConsumer({ redis: background, prefix }, deliver, log));
  const turn = { leases: collections.leases, instanceId, mayWork: maySend };
  const checks = startWebhookChecks(collections.webhookEndpoints, queue, turn, clock.now, log);
  tell(port, { kind: 'started' });
  if (!signal.aborted) await once(signal, 'abort');
  await Promise.all([consumer.close(), checks.close()]);
  sender.close();
  await queue.close();
  observer.flush();
  await Promise.all([currencies.close(), roundTrips.close(), clockRounds.close()]);
  for (const connection of [request, background]) connection.disconnect();
  await storage.close();
}

/** Consumes while this thread may work. Otherwise it gives its endpoints up, so that other workers get the jobs. */
function startConsumerWhile(mayWork: () => boolean, start: () => ReturnType<typeof startWebhookConsumer>) {
  let consumer: ReturnType<typeof start> | undefined;
  const rounds = startRounds({
    everyMs: takingEveryMs,
    roundMaxMs: takingMaxMs,
    round: async () => {
      if (mayWork()) {
        consumer ??= start();
        return;
      }
      const left = consumer;
      consumer = undefined;
      await left?.close();
    },
  });
  return {
    /** Takes no more endpoints, and breaks off the requests under way, whose events others send again. */
    async close(): Promise<void> {
      await rounds.close();
      await consumer?.close();
    },
  };
}

/** Passes on what delivery does, for the operator. */
function createObserver(port: MessagePort) {
  let calls: ObserverCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (calls.length > 0) tell(port, { kind: 'observed', calls });
    calls = [];
  }
  function add(call: ObserverCall): void {
    calls.push(call);
    timer ??= setTimeout(flush, observedEveryMs);
  }
  return {
    attempted: (...call: Parameters<DeliveryObserver['attempted']>): void => {
      add(['attempted', ...call]);
    },
    setAside: (): void => {
      add(['setAside']);
    },
    flush,
  };
}

function tell(port: MessagePort, message: ThreadMessage): void {
  port.postMessage(message);
}
