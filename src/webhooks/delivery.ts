import type { WorkerSettings } from '../config.ts';
import { createPresenter } from '../domain/present.ts';
import type { Currencies } from '../domain/currency.ts';
import type { Logger } from '../log.ts';
import { createWebhookQueue, startWebhookConsumer } from '../queue/webhook-queue.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { Collections } from '../storage/collections.ts';
import type { OutboxEntry } from '../storage/webhook-outbox.ts';
import { startWebhookChecks } from './checks.ts';
import { deliver, type DeliveryObserver } from './deliver.ts';
import { createWebhookSender } from './send.ts';
import { createSubscribers } from './subscribers.ts';

interface DeliveryOptions {
  readonly collections: Collections;
  /** For waiting, and for commands. */
  readonly redis: { readonly background: RedisClient; readonly request: RedisClient };
  /** Without MASTER_KEYS this process tells the others what is to be sent, and sends nothing. */
  readonly settings: Pick<WorkerSettings, 'QUEUE_PREFIX' | 'MASTER_KEYS' | 'WEBHOOK_PORTS' | 'WEBHOOK_ALLOW_LOCAL'>;
  readonly currencies: Currencies;
  readonly log: Logger;
  readonly instanceId: string;
  readonly observe: DeliveryObserver;
}

/** Webhooks in a worker: what its posting leaves in the outbox, and the sending of what waits. */
export function startWebhooks(options: DeliveryOptions) {
  const { collections, redis, settings, currencies, log, instanceId, observe } = options;
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
  if (masterKeys === undefined) return { outbox, close: () => queue.close() };

  const rules = { ports: settings.WEBHOOK_PORTS, allowsLocal: settings.WEBHOOK_ALLOW_LOCAL };
  const sender = createWebhookSender({ rules });
  const tools = { collections, sender, masterKeys, queue, present: createPresenter(currencies), log, observe };
  const consumer = startWebhookConsumer({
    ...{ redis: redis.background, prefix, log, queue },
    deliver: (endpoint, signal) => deliver(tools, endpoint, signal),
  });
  const checks = startWebhookChecks({ collections, queue, log, instanceId });
  return {
    outbox,
    /** Takes no more, breaks off what is being sent, which others send again. */
    async close(): Promise<void> {
      await Promise.all([checks.close(), consumer.close()]);
      sender.close();
      await queue.close();
    },
  };
}
