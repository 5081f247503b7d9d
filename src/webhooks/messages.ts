import type { Presenter } from '../orders/present.ts';
import { eventIdOf, orderIdOf, type WebhookType } from '../domain/webhook.ts';
import type { Order } from '../orders/order.ts';
import { testType, type Delivery } from '../storage/webhooks/deliveries.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';

/** An event on its way to one endpoint. */
export interface Message {
  readonly eventId: string;
  readonly type: Delivery['type'];
  /** How often it was sent before. */
  readonly attempts: number;
  /** When it became due. */
  readonly since: Date;
}

/** The messages of an outbox entry for an endpoint that asked for these types of events. */
export function messagesOf({ completed, failed }: OutboxEntry, events: readonly WebhookType[], since: Date): Message[] {
  const of = (type: WebhookType, orderIds: readonly string[]): Message[] =>
    events.includes(type) ? orderIds.map((id) => ({ eventId: eventIdOf(id), type, attempts: 0, since })) : [];
  return [...of('transfer.completed', completed), ...of('transfer.failed', failed)];
}

export function toMessage({ eventId, type, attempts, createdAt }: Delivery): Message {
  return { eventId, type, attempts, since: createdAt };
}

/** Ids of the orders that messages are about; a test is about none. */
export function orderIdsOf(messages: readonly Message[]): string[] {
  return messages.filter(({ type }) => type !== testType).map(({ eventId }) => orderIdOf(eventId));
}

/**
 * The body of a message, the same at every attempt. @param order of the message; undefined for a test.
 * Source: Standard Webhooks, "Payload structure".
 */
export function bodyOf({ type, since }: Message, order: Order | undefined, present: Presenter): string {
  const timestamp = order === undefined ? since : (order.completedAt ?? order.updatedAt);
  return JSON.stringify({
    type,
    timestamp: timestamp.toISOString(),
    data: order === undefined ? {} : present.order(order),
  });
}
