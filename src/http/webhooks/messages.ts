import { z } from 'zod';
import type { WebhookType } from '../../domain/webhook.ts';
import { exampleOf } from '../../orders/examples.ts';
import { testType } from '../../storage/webhooks/deliveries.ts';
import { time } from '../fields.ts';
import { Order, orderExample } from '../transfers/order.ts';
import { exampleCreatedAt } from './webhook.ts';

const failedExample = {
  ...orderExample,
  status: 'FAILED',
  failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE', leg: null },
  completedAt: null,
} as const;

const cancelledExample = {
  ...orderExample,
  status: 'CANCELLED',
  executeAt: '2026-02-01T09:00:00.000Z',
  completedAt: null,
} as const;

const typeNote = { description: 'What the event tells of.' };
const timestamp = time.meta({ description: 'When that happened.' });
const test = z.literal(true).exactOptional().meta({ description: 'Of a test workspace; absent for others.' });
const settledOrder = Order.meta({ description: 'The order as it ended.' });

/** Of an order that ended. @param at when it did, in the example. */
function endMessage<Type extends WebhookType>(
  type: Type,
  id: string,
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED',
  at: string,
  example: z.input<typeof Order>,
) {
  return z.strictObject({ type: z.literal(type).meta(typeNote), timestamp, test, data: settledOrder }).meta({
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
    test,
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
