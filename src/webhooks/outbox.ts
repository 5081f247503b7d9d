import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { WebhookEndpoints } from '../storage/webhooks/endpoints.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';
import { createSubscribers } from './subscribers.ts';

/** What posting does for webhooks: its transactions write the events, and then whoever is to send them is woken. */
export function openOutbox(endpoints: Pick<WebhookEndpoints, 'subscribers'>, queue: Pick<WebhookQueue, 'wake'>) {
  return {
    subscribersOf: createSubscribers(endpoints),
    onWritten: (entries: readonly OutboxEntry[]): void => {
      const told = entries.flatMap(({ workspaceId, pending }) =>
        pending.map((endpointId) => ({ workspaceId, endpointId })),
      );
      if (told.length > 0) queue.wake(told);
    },
  };
}
