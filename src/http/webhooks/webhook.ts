import { z } from 'zod';
import { webhookTypes, type WebhookType } from '../../domain/webhook.ts';
import { testType } from '../../storage/webhooks/deliveries.ts';
import { exampleOf } from '../../orders/examples.ts';
import { createdAt, EventType, id, open, time, workspaceId } from '../fields.ts';
import { Order, orderExample } from '../transfers/order.ts';

const exampleCreatedAt = '2026-01-01T09:00:00.000Z';
const exampleEventId = 'ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV';

export const exampleWebhookId = 'wh_01M7Y8T3B7C1E5G8J2M4P6QRST';

const webhookExample = {
  id: exampleWebhookId,
  workspaceId: exampleOf.workspaceId,
  url: 'https://example.com/webhooks',
  description: 'Bookkeeping',
  events: [...webhookTypes],
  status: 'ENABLED' as const,
  disabledReason: null,
  previousSecretValidUntil: null,
  failures: 0,
  waiting: 0,
  failingSince: null,
  waitingSince: null,
  createdAt: exampleCreatedAt,
  updatedAt: exampleCreatedAt,
};

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

const failedExample = {
  ...orderExample,
  status: 'FAILED',
  failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' },
  completedAt: null,
} as const;

const cancelledExample = {
  ...orderExample,
  status: 'CANCELLED',
  executeAt: '2026-02-01T09:00:00.000Z',
  completedAt: null,
} as const;

/** The body that made the webhook of the examples. */
export const createWebhook = {
  url: webhookExample.url,
  events: webhookExample.events,
  description: webhookExample.description,
};

const webhookId = id.meta({ description: 'The webhook.' });
const eventId = id.meta({ description: 'The event; the same at every attempt, and at every webhook.' });

const WebhookStatus = z
  .enum(['ENABLED', 'DISABLED'])
  .meta({ id: 'WebhookStatus', description: 'Nothing is sent to a DISABLED one.' });
const DisabledReason = z.enum(['REQUESTED', 'FAILING', 'GONE']).meta({
  id: 'DisabledReason',
  description: 'REQUESTED: by you. FAILING: nothing came through for a day. GONE: it answered 410.',
});

const webhook = {
  id: webhookId,
  workspaceId,
  url: z.string().meta({ description: 'Where events are sent.' }),
  description: z.string().meta({ description: 'Your own note of what it is for; may be empty.' }),
  events: z.array(open(EventType)).meta({ description: 'What is sent.' }),
  status: open(WebhookStatus),
  disabledReason: open(DisabledReason).nullable().meta({ description: 'Why it is DISABLED; null if it is not.' }),
  previousSecretValidUntil: time.nullable().meta({ description: 'Until then messages are signed with two secrets.' }),
  failures: z.int().nonnegative().meta({ description: 'Tries in a row in which nothing came through.' }),
  waiting: z.int().nonnegative().meta({ description: 'Events that waited when it was last served.' }),
  failingSince: time.nullable().meta({ description: 'Since when nothing comes through; null if something does.' }),
  waitingSince: time.nullable().meta({ description: 'Since when the oldest waiting event waits; null if none does.' }),
  createdAt,
  updatedAt: time.meta({ description: 'When it changed last.' }),
};

export const Webhook = z
  .strictObject(webhook)
  .meta({ id: 'Webhook', description: 'Where events are sent, and whether they arrive.', examples: [webhookExample] });

const WebhookDelivery = z
  .strictObject({
    eventId,
    type: open(z.enum([...webhookTypes, testType])).meta({ description: 'What the event tells of.' }),
    transferId: id.nullable().meta({ description: 'The order that it tells of; null of a test.' }),
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

export const WebhookWithSecret = z
  .strictObject({
    ...webhook,
    secret: z.string().meta({ description: '`whsec_` and the Base64 of the key that messages are signed with.' }),
  })
  .meta({
    id: 'WebhookWithSecret',
    description: 'A webhook, and its secret, which is not shown again.',
    examples: [{ ...webhookExample, secret: 'whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMsIG5vIG1vcmU=' }],
  });

export const WebhookList = z
  .strictObject({ items: z.array(Webhook).meta({ description: 'Oldest first.' }) })
  .meta({ id: 'WebhookList', description: 'The webhooks of a workspace.' });

export const WebhookDeliveryPage = z
  .strictObject({
    items: z.array(WebhookDelivery).meta({ description: 'Those of the newest orders first.' }),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
  })
  .meta({ id: 'WebhookDeliveryPage', description: 'A page of what became of events.' });

const typeNote = { description: 'What the event tells of.' };
const timestamp = time.meta({ description: 'When that happened.' });
const settledOrder = Order.meta({ description: 'The order as it ended.' });

/** Of an order that ended. @param at when it did, in the example. */
function endMessage<Type extends WebhookType>(
  type: Type,
  id: string,
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED',
  at: string,
  example: z.input<typeof Order>,
) {
  return z.strictObject({ type: z.literal(type).meta(typeNote), timestamp, data: settledOrder }).meta({
    id,
    description: `What is sent once an order is ${status}.`,
    examples: [{ type, timestamp: at, data: example }],
  });
}

const completed = endMessage(
  'transfer.completed',
  'TransferCompletedMessage',
  'COMPLETED',
  exampleOf.postedAt,
  orderExample,
);
const failed = endMessage('transfer.failed', 'TransferFailedMessage', 'FAILED', failedExample.updatedAt, failedExample);
const cancelled = endMessage(
  'transfer.cancelled',
  'TransferCancelledMessage',
  'CANCELLED',
  cancelledExample.updatedAt,
  cancelledExample,
);

const TestMessage = z
  .strictObject({
    type: z.literal(testType).meta(typeNote),
    timestamp,
    data: z.strictObject({}).meta({ description: 'Nothing.' }),
  })
  .meta({
    id: 'WebhookTestMessage',
    description: 'What is sent to try a webhook.',
    examples: [{ type: testType, timestamp: exampleCreatedAt, data: {} }],
  });

/** What is sent to webhooks, by its type: when, and of what form. */
export const webhookMessages = {
  'transfer.completed': { summary: 'Sent once an order is COMPLETED', message: completed },
  'transfer.failed': { summary: 'Sent once an order is FAILED', message: failed },
  'transfer.cancelled': { summary: 'Sent once an order is CANCELLED', message: cancelled },
  [testType]: { summary: 'Sent where its owner asks for it, to try the receiver', message: TestMessage },
} as const satisfies Record<WebhookType | typeof testType, object>;

export const WebhookTest = z.strictObject({ eventId }).meta({
  id: 'WebhookTest',
  description: 'A test event that is being sent.',
  examples: [{ eventId: exampleEventId }],
});

export const Deleted = z
  .strictObject({ id: webhookId })
  .meta({ id: 'Deleted', description: 'What is no more.', examples: [{ id: webhookExample.id }] });
