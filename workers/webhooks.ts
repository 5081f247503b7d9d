import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createClock } from '../src/clock.ts';
import { crash } from '../src/lifecycle.ts';
import { createLogger } from '../src/log.ts';
import { connectRedis } from '../src/redis/connection.ts';
import { watchRoundTrips } from '../src/redis/round-trips.ts';
import { openCollections } from '../src/storage/collections.ts';
import { connectForRequests } from '../src/storage/shared/connection.ts';
import { watchCurrencies } from '../src/storage/currencies/watch.ts';
import { startStorageWatch } from '../src/storage/shared/watch.ts';
import type { DeliveryObserver } from '../src/webhooks/deliver.ts';
import { startDelivery } from '../src/webhooks/delivery.ts';
import type { ObserverCall, ProcessMessage, ThreadData, ThreadMessage } from '../src/webhooks/delivery-thread.ts';

/** What was observed is told together, because each message costs the thread that posts. */
const tellEveryMs = 100;

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
  const { log, flushRepeats } = createLogger('worker', settings.LOG_LEVEL);
  process.once('exit', flushRepeats);
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
  const watch = await startStorageWatch({ storage, uri, log, clock, onStuck: (what) => crash(log, what) }, signal);
  const collections = openCollections(storage.db, clock.now);
  // The process has told of each comparison already.
  const currencies = watchCurrencies(collections.currencyRecord, settings.CURRENCIES, log, () => undefined);
  await currencies.untilRight(signal).catch(() => undefined);
  const roundTrips = watchRoundTrips({ redis: background });
  const observer = createObserver(port);
  const delivery = startDelivery({
    ...{ collections, settings, masterKeys, log, instanceId },
    clock: clock.now,
    currencies: currencies.known,
    mayWork: () => mayWork && roundTrips.work(),
    observe: observer.observe,
    redis: { request, background },
  });
  tell(port, { kind: 'started' });
  if (!signal.aborted) await once(signal, 'abort');
  await delivery.close();
  observer.flush();
  await Promise.all([currencies.close(), roundTrips.close(), watch.close()]);
  for (const connection of [request, background]) connection.disconnect();
  await storage.close();
}

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
    timer ??= setTimeout(flush, tellEveryMs);
  }
  const observe: DeliveryObserver = {
    attempted: (...call) => {
      add(['attempted', ...call]);
    },
    setAside: () => {
      add(['setAside']);
    },
    endpointDisabled: (reason) => {
      add(['endpointDisabled', reason]);
    },
  };
  return { observe, flush };
}

function tell(port: MessagePort, message: ThreadMessage): void {
  port.postMessage(message);
}
