import { z } from 'zod';
import { alertType, type WebhookType } from '../../domain/webhook.ts';
import { exampleOf } from '../../orders/examples.ts';
import { testType } from '../../storage/webhooks/deliveries.ts';
import { nameOf, open, time } from '../fields.ts';
import { LimitWithUse } from '../limits.ts';
import { Order, orderExample } from '../transfers/order.ts';
import { AlertState } from '../wallets/alerts.ts';
import { available, balance, held, walletId } from '../wallets/wallet.ts';
import { exampleCreatedAt } from './webhook.ts';

const failedExample = {
  ...orderExample,
  status: 'FAILED',
  failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE', leg: null, limit: null },
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

/** Of an order that ended. @param example one that ended so. */
function ended<Status extends 'COMPLETED' | 'FAILED' | 'CANCELLED'>(status: Status, example: z.input<typeof Order>) {
  const type = `transfer.${status.toLowerCase() as Lowercase<Status>}` as const;
  const message = z.strictObject({ type: z.literal(type).meta(typeNote), timestamp, test, data: settledOrder }).meta({
    id: `Transfer${nameOf(status, 'Message')}`,
    description: `What is sent once an order is ${status}.`,
    examples: [{ type, timestamp: example.updatedAt, data: example }],
  });
  return { summary: `Sent once an order is ${status}`, message };
}

const alertExample = {
  ...{ walletId: exampleOf.alice, name: 'low', state: 'raised', number: 1 },
  ...{ available: '8.90', balance: '28.90', held: '20.00', limit: null, sequence: 12, at: exampleOf.postedAt },
} as const;

const AlertMessage = z
  .strictObject({
    type: z.literal(alertType).meta(typeNote),
    timestamp,
    test,
    data: z
      .strictObject({
        walletId,
        name: z.string().meta({ description: 'The name of the alert.' }),
        state: open(AlertState),
        number: z.int().positive().meta({ description: 'Counts the alert events of the wallet: 1, 2, 3 …' }),
        available,
        balance,
        held,
        limit: LimitWithUse.nullable().meta({ description: 'The limit of which a share is used; null of others.' }),
        sequence: z.int().nonnegative().meta({ description: 'Number of the wallet’s last flow; 0 where it has none.' }),
        at: time.meta({ description: 'When that happened.' }),
      })
      .meta({ id: 'AlertEvent', description: 'An alert, with what its wallet had at that moment.' }),
  })
  .meta({
    id: 'WalletAlertMessage',
    description: 'What is sent when an alert of a wallet is raised, and when it is cleared.',
    examples: [{ type: alertType, timestamp: exampleOf.postedAt, data: alertExample }],
  });

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
  'transfer.completed': ended('COMPLETED', orderExample),
  'transfer.failed': ended('FAILED', failedExample),
  'transfer.cancelled': ended('CANCELLED', cancelledExample),
  [alertType]: { summary: 'Sent when an alert of a wallet is raised, and when it is cleared', message: AlertMessage },
  [testType]: { summary: 'Sent where its owner asks for it, to try the receiver', message: TestMessage },
} as const satisfies Record<WebhookType | typeof testType, object>;
