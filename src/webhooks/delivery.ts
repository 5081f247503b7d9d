import type { MasterKeys } from '../auth/secrets.ts';
import { createPresenter } from '../domain/present.ts';
import type { Currencies } from '../domain/currency.ts';
import type { Logger } from '../log.ts';
import { createWebhookQueue, startWebhookConsumer } from '../queue/webhook-queue.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { Collections } from '../storage/collections.ts';
import type { OutboxEntry } from '../storage/webhook-outbox.ts';
import { startWebhookChecks } from './checks.ts';
import { deliver } from './deliver.ts';
import type { DeliveryObserver } from './deliver.ts';
import { secretsOf } from './secrets.ts';
import { createWebhookSender } from './send.ts';
import { createSubscribers } from './subscribers.ts';
import type { TargetRules } from './target.ts';

interface DeliveryOptions {
  readonly collections: Collections;
  /** For waiting, and for commands. */
  readonly redis: { readonly background: RedisClient; readonly request: RedisClient };
  readonly prefix: string;
  /** Where there are none, this process tells the others what is to be sent, and sends nothing. */
  readonly masterKeys: MasterKeys | undefined;
  readonly rules: TargetRules;
  readonly currencies: Currencies;
  readonly log: Logger;
  readonly instanceId: string;
  readonly observe: DeliveryObserver;
}

/** Webhooks in a worker: what its posting leaves in the outbox, and the sending of what waits. */
export function startWebhooks(options: DeliveryOptions) {
  const { collections, redis, prefix, masterKeys, rules, currencies, log, instanceId, observe } = options;
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

  const sender = createWebhookSender({ rules });
  const tools = { collections, sender, queue, present: createPresenter(currencies), log, observe };
  const consumer = startWebhookConsumer({
    ...{ redis: redis.background, prefix, log },
    deliver: (endpoint, signal) =>
      deliver({ ...tools, secretsOf: (of, now) => secretsOf(of, now, masterKeys) }, endpoint, signal),
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
