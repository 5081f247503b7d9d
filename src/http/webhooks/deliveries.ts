import { z } from 'zod';
import { hasIdForm } from '../../domain/ids.ts';
import { alertType, orderIdOf, webhookTypes } from '../../domain/webhook.ts';
import { because } from '../../errors.ts';
import { exampleOf } from '../../orders/examples.ts';
import { testType, type Delivery } from '../../storage/webhooks/deliveries.ts';
import { id, open, time } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import { parse } from '../parse.ts';
import type { Route } from '../route.ts';
import { eventId, exampleCreatedAt, exampleEventId, get, idOf } from './webhook.ts';

const deliveriesMax = 100;
const deliveriesDefault = 20;

const deliveryExample = {
  eventId: exampleEventId,
  type: 'transfer.completed' as const,
  transferId: exampleOf.transferId,
  state: 'DELIVERED' as const,
  attempts: 1,
  status: 200,
  error: null,
  durationMs: 41,
  lastAttemptAt: exampleCreatedAt,
  nextAttemptAt: null,
  createdAt: exampleCreatedAt,
  updatedAt: exampleCreatedAt,
};

const WebhookDelivery = z
  .strictObject({
    eventId,
    type: open(z.enum([...webhookTypes, testType])).meta({ description: 'What the event tells of.' }),
    transferId: id.nullable().meta({ description: 'The order that it tells of; null of an alert and of a test.' }),
    state: open(z.enum(['PENDING', 'DELIVERED', 'SET_ASIDE'])).meta({
      description: 'PENDING until it is DELIVERED, or SET_ASIDE: not tried again by itself, after three days.',
    }),
    attempts: z.int().nonnegative().meta({ description: 'Attempts so far; a replay counts anew.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the last answer; null where there was none.' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed, as a symbol.' }),
    durationMs: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Milliseconds that the last attempt took; null before the first.' }),
    lastAttemptAt: time.nullable().meta({ description: 'When it was tried last; null before the first attempt.' }),
    nextAttemptAt: time.nullable().meta({
      description:
        'When it is tried next, of what is due already the time of the answer; null if it is not tried again.',
    }),
    createdAt: time.meta({ description: 'When it was first to be sent. A replay does not change it.' }),
    updatedAt: time.meta({ description: 'When its state or its attempts changed last.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'What became of an event at a webhook.', examples: [deliveryExample] });

const WebhookDeliveryPage = z
  .strictObject({
    items: z.array(WebhookDelivery).meta({ description: 'Those of the newest orders first.' }),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
  })
  .meta({ id: 'WebhookDeliveryPage', description: 'A page of what became of events.' });

const deliveriesQuery = z.object({
  size: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .pipe(z.coerce.number<string>().int().max(deliveriesMax))
    .default(deliveriesDefault)
    .meta({ description: 'Rows of a page.' }),
  cursor: z
    .string()
    .refine((cursor) => hasIdForm('webhookEvent', cursor), because('CURSOR_MALFORMED'))
    .optional()
    .meta({ description: 'The `nextCursor` of the page before.' }),
});

export function deliveryListRoute({ endpoints, clockOf }: RouteParts): Route {
  return get(
    '/{id}/deliveries',
    {
      id: 'listWebhookDeliveries',
      summary: 'List what became of events',
      description: 'Of each event whether it was DELIVERED, and why not: the last 1,000, of 30 days.',
      query: deliveriesQuery,
      answer: WebhookDeliveryPage,
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ workspaceId, params, query }) => {
      const { size, cursor } = parse(deliveriesQuery, query);
      const deliveries = await endpoints.deliveries(workspaceId, idOf(params), size + 1, cursor);
      const items = deliveries.slice(0, size);
      const nextCursor = deliveries.length > size ? items.at(-1)?.eventId : null;
      const now = (await clockOf(workspaceId))();
      return { data: { items: items.map((delivery) => presentedDelivery(delivery, now)), nextCursor } };
    },
  );
}

/** A delivery that is overdue is shown as due now. */
function presentedDelivery(
  { eventId, type, state, attempts, status, error, durationMs, ...times }: Delivery,
  now: Date,
) {
  const { lastAttemptAt, createdAt, updatedAt } = times;
  const nextAttemptAt = times.nextAttemptAt !== null && times.nextAttemptAt < now ? now : times.nextAttemptAt;
  const transferId = type === testType || type === alertType ? null : orderIdOf(eventId);
  const shown = { eventId, type, transferId, state, attempts, status, error, durationMs };
  return { ...shown, lastAttemptAt, nextAttemptAt, createdAt, updatedAt };
}
