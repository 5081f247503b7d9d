import type { Clock } from '../clock.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import type { WorkerSettings } from '../config.ts';
import type { Currencies } from '../domain/currency.ts';
import { createPresenter } from '../orders/present.ts';
import type { Logger } from '../log.ts';
import { createWebhookQueue, startWebhookConsumer } from '../queue/webhook-queue.ts';
import type { RedisClient } from '../redis/connection.ts';
import { createReplayPace } from '../redis/webhook-limits.ts';
import { startRounds } from '../rounds.ts';
import type { Collections } from '../storage/collections.ts';
import { startWebhookChecks } from './checks.ts';
import { deliver, type DeliveryObserver } from './deliver.ts';
import { createWebhookSender } from './send.ts';

interface DeliveryOptions {
  readonly collections: Collections;
  /** `background` waits for jobs, `request` is for commands. */
  readonly redis: { readonly background: RedisClient; readonly request: RedisClient };
  readonly settings: Pick<WorkerSettings, 'QUEUE_PREFIX' | 'WEBHOOK_PORTS' | 'WEBHOOK_ALLOW_LOCAL'>;
  readonly currencies: Currencies;
  readonly masterKeys: MasterKeys;
  readonly log: Logger;
  readonly clock: Clock;
  readonly instanceId: string;
  /** Whether this process reaches the queue, it is that of the others, and the master keys are right. */
  readonly mayWork: () => boolean;
  readonly observe: DeliveryObserver;
}

/** How often it looks whether it may take endpoints, and the longest that giving them up may take. */
const takingEveryMs = 500;
const takingMaxMs = 10_000;

/** Sends the events that wait, but nothing while it may not work, so that other workers get the jobs. */
export function startDelivery(options: DeliveryOptions) {
  const { collections, redis, settings, masterKeys, log, clock, instanceId, mayWork, observe } = options;
  const { QUEUE_PREFIX: prefix } = settings;
  const queue = createWebhookQueue(redis.request, prefix);
  const rules = { ports: settings.WEBHOOK_PORTS, allowsLocal: settings.WEBHOOK_ALLOW_LOCAL };
  const sender = createWebhookSender({ rules, clock });
  const tools = {
    ...{ collections, sender, masterKeys, queue, log, clock, observe },
    replayPace: createReplayPace(redis.request, prefix),
    present: createPresenter(options.currencies),
  };
  const startConsumer = () =>
    startWebhookConsumer({
      ...{ redis: redis.background, prefix, log, queue },
      deliver: (endpoint, signal) => deliver(tools, endpoint, signal),
    });
  let consumer: ReturnType<typeof startConsumer> | undefined;
  const taking = startRounds({
    ...{ everyMs: takingEveryMs, roundMaxMs: takingMaxMs },
    round: async () => {
      if (mayWork()) {
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
    /** Takes no more endpoints, and breaks off the requests under way, whose events others send again. */
    async close(): Promise<void> {
      await taking.close();
      await Promise.all([checks.close(), consumer?.close()]);
      sender.close();
      await queue.close();
    },
  };
}
