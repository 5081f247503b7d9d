import type { Clock } from '../clock.ts';
import { watchMasterKeys } from '../auth/master-key-watch.ts';
import type { WorkerSettings } from '../config.ts';
import { createPresenter } from '../domain/present.ts';
import type { Currencies } from '../domain/currency.ts';
import type { Logger } from '../log.ts';
import { createWebhookQueue, startWebhookConsumer } from '../queue/webhook-queue.ts';
import type { RedisClient } from '../redis/connection.ts';
import { createReplayPace } from '../redis/webhook-limits.ts';
import { startRounds } from '../rounds.ts';
import type { Collections } from '../storage/collections.ts';
import type { OutboxEntry } from '../storage/webhook-outbox.ts';
import { startWebhookChecks } from './checks.ts';
import { deliver, type DeliveryObserver } from './deliver.ts';
import { createWebhookSender } from './send.ts';
import { createSubscribers } from './subscribers.ts';

interface DeliveryOptions {
  readonly collections: Collections;
  /** `background` waits for jobs, `request` is for commands. */
  readonly redis: { readonly background: RedisClient; readonly request: RedisClient };
  /** Without MASTER_KEYS this process tells the others what is to be sent, and sends nothing. */
  readonly settings: Pick<WorkerSettings, 'QUEUE_PREFIX' | 'MASTER_KEYS' | 'WEBHOOK_PORTS' | 'WEBHOOK_ALLOW_LOCAL'>;
  readonly currencies: Currencies;
  readonly log: Logger;
  readonly clock: Clock;
  readonly instanceId: string;
  /** Whether this process reaches the queue, and it is that of the others. */
  readonly mayWork: () => boolean;
  readonly observe: DeliveryObserver;
  /** See {@link watchMasterKeys}. */
  readonly onMasterKeysChecked: (areRight: boolean) => void;
}

/** How often it looks whether it may take endpoints, and the longest that giving them up may take. */
const takingEveryMs = 500;
const takingMaxMs = 10_000;

const nothingWrong = (): undefined => undefined;

/**
 * Webhooks in a worker: the outbox for its posting, and the sending of events that wait. It sends nothing before its master
 * keys were found right, nor while it may not work, so that other workers get the jobs.
 */
export function startWebhooks(options: DeliveryOptions) {
  const { collections, redis, settings, currencies, log, clock, instanceId, mayWork, observe } = options;
  const { QUEUE_PREFIX: prefix, MASTER_KEYS: masterKeys } = settings;
  const queue = createWebhookQueue(redis.request, prefix);
  const outbox = {
    subscribersOf: createSubscribers(collections.webhookEndpoints),
    onWritten: (entries: readonly OutboxEntry[]): void => {
      const told = entries.flatMap(({ workspaceId, pending }) =>
        pending.map((endpointId) => ({ workspaceId, endpointId })),
      );
      if (told.length > 0) queue.wake(told);
    },
  };
  if (masterKeys === undefined) return { outbox, wrongSetting: nothingWrong, close: () => queue.close() };

  const rules = { ports: settings.WEBHOOK_PORTS, allowsLocal: settings.WEBHOOK_ALLOW_LOCAL };
  const sender = createWebhookSender({ rules, clock });
  const replayPace = createReplayPace(redis.request, prefix);
  const tools = {
    collections,
    sender,
    masterKeys,
    queue,
    replayPace,
    present: createPresenter(currencies),
    ...{ log, clock },
    observe,
  };
  const keys = watchMasterKeys(masterKeys, collections, log, options.onMasterKeysChecked);
  const startConsumer = () =>
    startWebhookConsumer({
      ...{ redis: redis.background, prefix, log, queue },
      deliver: (endpoint, signal) => deliver(tools, endpoint, signal),
    });
  let consumer: ReturnType<typeof startConsumer> | undefined;
  const taking = startRounds({
    ...{ everyMs: takingEveryMs, roundMaxMs: takingMaxMs },
    round: async () => {
      if (mayWork() && keys.wrongSetting() === undefined) {
        consumer ??= startConsumer();
        return;
      }
      const left = consumer;
      consumer = undefined;
      await left?.close();
    },
  });
  const checks = startWebhookChecks({ collections, queue, log, clock, instanceId, mayWork });
  return {
    outbox,
    /** Why this worker sends nothing yet; undefined once its master keys were found right. */
    wrongSetting: keys.wrongSetting,
    /** Takes no more endpoints, and breaks off the requests under way, whose events others send again. */
    async close(): Promise<void> {
      await taking.close();
      await Promise.all([checks.close(), keys.close(), consumer?.close()]);
      sender.close();
      await queue.close();
    },
  };
}
