import { z } from 'zod';
import { webhookTypes, type WebhookType } from '../domain/webhook.ts';
import { testType } from '../storage/webhooks/deliveries.ts';
import { exampleOf } from '../orders/examples.ts';
import { id, time } from './fields.ts';
import { Order, orderExample } from './transfer-resources.ts';

const createdAt = '2026-01-01T09:00:00.000Z';
const eventId = 'ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV';

const webhookExample = {
  id: 'wh_01M7Y8T3B7C1E5G8J2M4P6QRST',
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
  createdAt,
  updatedAt: createdAt,
};

const deliveryExample = {
  eventId,
  type: 'transfer.completed' as const,
  state: 'DELIVERED' as const,
  attempts: 1,
  status: 200,
  error: null,
  durationMs: 41,
  nextAttemptAt: null,
  createdAt,
  updatedAt: createdAt,
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

const webhook = {
  id,
  workspaceId: id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookTypes)),
  status: z.enum(['ENABLED', 'DISABLED']),
  disabledReason: z
    .enum(['REQUESTED', 'FAILING', 'GONE'])
    .nullable()
    .meta({ description: 'FAILING: nothing came through for a day. GONE: it answered 410.' }),
  previousSecretValidUntil: time.nullable().meta({ description: 'Until then messages are signed with two secrets.' }),
  failures: z.int().nonnegative().meta({ description: 'Tries in a row in which nothing came through.' }),
  waiting: z.int().nonnegative().meta({ description: 'Events that waited when it was last served.' }),
  failingSince: time.nullable(),
  waitingSince: time.nullable(),
  createdAt: time,
  updatedAt: time,
};

export const Webhook = z
  .strictObject(webhook)
  .meta({ id: 'Webhook', description: 'Where events are sent, and whether they arrive.', examples: [webhookExample] });

const WebhookDelivery = z
  .strictObject({
    eventId: id,
    type: z.enum([...webhookTypes, testType]),
    state: z
      .enum(['PENDING', 'DELIVERED', 'SET_ASIDE'])
      .meta({ description: 'SET_ASIDE: not tried again by itself, after three days.' }),
    attempts: z.int().nonnegative(),
    status: z.int().nullable().meta({ description: 'HTTP status of the last answer; null where there was none.' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed, as a symbol.' }),
    durationMs: z.int().nonnegative().nullable(),
    nextAttemptAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
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
  .strictObject({ items: z.array(Webhook) })
  .meta({ id: 'WebhookList', description: 'The webhooks of a workspace.', examples: [{ items: [webhookExample] }] });

export const WebhookDeliveryPage = z
  .strictObject({ items: z.array(WebhookDelivery), nextCursor: z.string().nullable() })
  .meta({
    id: 'WebhookDeliveryPage',
    description: 'A page of what became of events.',
    examples: [{ items: [deliveryExample], nextCursor: null }],
  });

const CompletedMessage = z.strictObject({ type: z.literal('transfer.completed'), timestamp: time, data: Order }).meta({
  id: 'TransferCompletedMessage',
  description: 'What is sent once an order is COMPLETED.',
  examples: [{ type: 'transfer.completed', timestamp: orderExample.completedAt, data: orderExample }],
});

const FailedMessage = z.strictObject({ type: z.literal('transfer.failed'), timestamp: time, data: Order }).meta({
  id: 'TransferFailedMessage',
  description: 'What is sent once an order is FAILED.',
  examples: [{ type: 'transfer.failed', timestamp: failedExample.updatedAt, data: failedExample }],
});

const CancelledMessage = z.strictObject({ type: z.literal('transfer.cancelled'), timestamp: time, data: Order }).meta({
  id: 'TransferCancelledMessage',
  description: 'What is sent once an order is CANCELLED.',
  examples: [{ type: 'transfer.cancelled', timestamp: cancelledExample.updatedAt, data: cancelledExample }],
});

const TestMessage = z.strictObject({ type: z.literal(testType), timestamp: time, data: z.strictObject({}) }).meta({
  id: 'WebhookTestMessage',
  description: 'What is sent to try a webhook.',
  examples: [{ type: testType, timestamp: createdAt, data: {} }],
});

/** What is sent to webhooks, by its type: when, and of what form. */
export const webhookMessages = {
  'transfer.completed': { summary: 'Sent once an order is COMPLETED', message: CompletedMessage },
  'transfer.failed': { summary: 'Sent once an order is FAILED', message: FailedMessage },
  'transfer.cancelled': { summary: 'Sent once an order is CANCELLED', message: CancelledMessage },
  [testType]: { summary: 'Sent where its owner asks for it, to try the receiver', message: TestMessage },
} as const satisfies Record<WebhookType | typeof testType, object>;

export const WebhookEvent = z
  .strictObject({ eventId: id })
  .meta({ id: 'WebhookEvent', description: 'An event that is being sent.', examples: [{ eventId }] });

export const Deleted = z
  .strictObject({ id })
  .meta({ id: 'Deleted', description: 'What is no more.', examples: [{ id: webhookExample.id }] });
