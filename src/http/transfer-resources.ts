import { z } from 'zod';
import { catalogue } from '../errors.ts';
import { exampleOf } from '../orders/examples.ts';
import { orderStatuses } from '../orders/order.ts';
import { orderTypes } from '../orders/types.ts';
import { amount, currency, id, pageOf, time, transferId, workspaceId } from './fields.ts';

export const orderExample = {
  transferId: exampleOf.transferId,
  bizId: 'invoice-42',
  workspaceId: exampleOf.workspaceId,
  type: 'TRANSFER',
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '1.10',
  currency: 'USD',
  status: 'COMPLETED',
  failure: null,
  createdAt: '2026-01-01T09:30:00.000Z',
  updatedAt: exampleOf.postedAt,
  completedAt: exampleOf.postedAt,
} as const;

const completionExample = {
  transferId: exampleOf.transferId,
  bizId: 'invoice-42',
  completed: true,
  status: 'COMPLETED',
  completedAt: exampleOf.postedAt,
  failure: null,
} as const;

const bizId = id.meta({ description: 'The client’s own id of the order; the transferId where it gave none.' });
const { INSUFFICIENT_BALANCE, WALLET_NOT_ACTIVE, BALANCE_LIMIT } = catalogue;
const failures = [INSUFFICIENT_BALANCE, WALLET_NOT_ACTIVE, BALANCE_LIMIT];
const failure = z
  .strictObject({
    code: z.enum(failures.map(({ code }) => code)),
    message: z.enum(failures.map(({ message }) => message)),
  })
  .nullable()
  .meta({ description: 'Why the order is FAILED; null otherwise.' });
const status = z.enum(orderStatuses).meta({ description: 'PENDING, and then COMPLETED or FAILED for good.' });
const completedAt = time.nullable().meta({ description: 'When it was posted; null unless COMPLETED.' });

/* What the endpoints of transfers answer as `data`. Source: docs/contract.md, "Resources". */

export const Order = z
  .strictObject({
    transferId,
    bizId,
    workspaceId,
    type: z.enum(orderTypes.map(({ name }) => name)).meta({ description: 'What the order does when it is posted.' }),
    sourceWalletId: id.meta({ description: 'The wallet the amount is taken from, or `EXTERNAL`.' }),
    targetWalletId: id.meta({ description: 'The wallet the amount goes to, or `EXTERNAL`.' }),
    amount,
    currency,
    status,
    failure,
    createdAt: time,
    updatedAt: time.meta({ description: 'When its status changed last.' }),
    completedAt,
  })
  .meta({ id: 'Order', description: 'A transfer order.', examples: [orderExample] });

export const Completion = z
  .strictObject({
    transferId,
    bizId,
    completed: z.boolean().meta({ description: 'True for COMPLETED alone; `status` tells when to stop asking.' }),
    status,
    completedAt,
    failure,
  })
  .meta({ id: 'Completion', description: 'How far a transfer order is.', examples: [completionExample] });

export const OrderPage = pageOf(Order, 'OrderPage', orderExample);
