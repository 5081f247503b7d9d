import type { Presenter } from '../orders/present.ts';
import { alertType, eventIdOf, webhookTypes, type WebhookType } from '../domain/webhook.ts';
import type { Order } from '../orders/order.ts';
import type { Delivery } from '../storage/webhooks/deliveries.ts';
import { toAlertEvent } from '../storage/wallets/limits.ts';
import { idsOf, type OutboxEntry } from '../storage/webhooks/outbox.ts';
import { eventAttemptsMin, eventPauseMs, eventTriedMs } from './backoff.ts';
import type { SendResult } from './send.ts';

/*
 * An event on its way to one endpoint. The sender makes a delivery of each event of an outbox entry, attempts it, and only
 * then stores it: with what became of the first attempt, or, if there was no time for one, as PENDING and due at once. So an
 * event that is taken at once costs one document, written once. Each further attempt replaces what is stored.
 */

/** The deliveries of an outbox entry to an endpoint that asked for these types of events. @param since when they became due. */
export function deliveriesOf(entry: OutboxEntry, events: readonly WebhookType[], since: Date): Delivery[] {
  return webhookTypes
    .filter((type) => events.includes(type))
    .flatMap((type) =>
      type === alertType
        ? (entry.alerts ?? []).map(({ eventId, ...alert }) => newDelivery({ eventId, type, alert }, since))
        : idsOf(entry, type).map((id) => newDelivery({ eventId: eventIdOf(id), type }, since)),
    );
}

/** What is delivered: an event of an order, of an alert, or a test. */
export type DeliveredEvent = Pick<Delivery, 'eventId' | 'type' | 'alert'>;

/** An event that has not been attempted, or is to be sent as if it had not. It is due at once. */
export function newDelivery(event: DeliveredEvent, since: Date): Delivery {
  return {
    ...event,
    state: 'PENDING',
    attempts: 0,
    status: null,
    error: null,
    durationMs: null,
    nextAttemptAt: since,
    lastAttemptAt: null,
    dueSince: since,
    createdAt: since,
    updatedAt: since,
  };
}

/** A delivery after a further attempt: delivered, to be tried again, or set aside. */
export function afterAttempt(
  delivery: Delivery,
  { status, error, durationMs, retryAfterMs }: SendResult,
  now: Date,
): Delivery {
  const attempts = delivery.attempts + 1;
  const attempted = { ...delivery, attempts, status, error, durationMs, lastAttemptAt: now };
  if (error === null) return { ...attempted, state: 'DELIVERED', nextAttemptAt: null };
  const nextAttemptAt = new Date(now.getTime() + Math.max(eventPauseMs(attempts), retryAfterMs));
  const isTriedOut =
    attempts >= eventAttemptsMin && nextAttemptAt.getTime() - delivery.dueSince.getTime() > eventTriedMs;
  return isTriedOut ? { ...attempted, state: 'SET_ASIDE', nextAttemptAt: null } : { ...attempted, nextAttemptAt };
}

/**
 * The body that is sent: the order as it stands then, or what the alert told of its wallet. @param order that it is about; undefined
 * of an alert or a test. @param isTest whether it is of a test workspace, which receivers are told.
 * Source: Standard Webhooks, "Payload structure".
 */
export function bodyOf(
  { type, alert, createdAt }: Delivery,
  order: Order | undefined,
  isTest: boolean,
  present: Presenter,
): string {
  const timestamp = alert?.at ?? order?.completedAt ?? order?.updatedAt ?? createdAt;
  const ofAlert = alert === undefined ? {} : present.alertEvent(toAlertEvent(alert));
  return JSON.stringify({
    type,
    timestamp: timestamp.toISOString(),
    ...(isTest ? { test: true } : {}),
    data: order === undefined ? ofAlert : present.order(order),
  });
}
