import { idPrefixes } from './ids.ts';

export const webhookTypes = ['transfer.completed', 'transfer.failed'] as const;
/** What an endpoint can be told. */
export type WebhookType = (typeof webhookTypes)[number];

/**
 * The id of the event that an order reached its terminal state, which it does once: made of the order's own, so that however
 * often it is sent, to whomever, it is the same, and its receiver can tell that it has seen it.
 */
export function eventIdOf(orderId: string): string {
  return idPrefixes.webhookEvent + orderId.slice(idPrefixes.order.length);
}

/** The order whose event has this id; only for ids of {@link eventIdOf}. */
export function orderIdOf(eventId: string): string {
  return idPrefixes.order + eventId.slice(idPrefixes.webhookEvent.length);
}
