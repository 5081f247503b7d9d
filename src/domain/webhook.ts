import { idPrefixes } from './ids.ts';

/** Of alerts of wallets; all others are of orders. */
export const alertType = 'wallet.alert';
export const webhookTypes = ['transfer.completed', 'transfer.failed', 'transfer.cancelled', alertType] as const;
/** The types of events that an endpoint can ask for. */
export type WebhookType = (typeof webhookTypes)[number];

/** The event that tells of an order's end. */
export const webhookTypeOf = {
  COMPLETED: 'transfer.completed',
  FAILED: 'transfer.failed',
  CANCELLED: 'transfer.cancelled',
} as const satisfies Record<string, WebhookType>;

/** Characters of an endpoint's description. */
export const webhookDescriptionMax = 200;

/**
 * The id of the event that an order was settled, which happens once. It is made from the order's id, so it is the same
 * however often and wherever the event is sent, and a receiver recognises an event that it has seen.
 */
export function eventIdOf(orderId: string): string {
  return idPrefixes.webhookEvent + orderId.slice(idPrefixes.order.length);
}

/** The order whose event has this id; only for ids of {@link eventIdOf}. */
export function orderIdOf(eventId: string): string {
  return idPrefixes.order + eventId.slice(idPrefixes.webhookEvent.length);
}

/**
 * A URL as it is parsed, without its fragment, which is never sent: spellings of one URL are the same then (case of the
 * host, default port, dot segments). A text that is no URL stays as it is.
 */
export function parsedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = '';
  return url.href;
}
