import { z } from 'zod';
import { catalogue } from '../../errors.ts';
import { exampleOf } from '../../orders/examples.ts';
import { failureNames } from '../../domain/effects.ts';
import { holdStates } from '../../orders/order.ts';
import { ownOfLeg, type OrderType, type OwnOfLeg } from '../../orders/type.ts';
import { orderTypes } from '../../orders/types.ts';
import {
  open,
  amount,
  createdAt,
  currency,
  id,
  nameOf,
  OrderStatus,
  time,
  transferId,
  workspaceId,
} from '../fields.ts';
import { PassedLimit } from '../limits.ts';

export const orderExample = {
  transferId: exampleOf.transferId,
  bizId: 'invoice-42',
  workspaceId: exampleOf.workspaceId,
  type: 'TRANSFER',
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '1.10',
  currency: 'USD',
  legs: null,
  status: 'COMPLETED',
  failure: null,
  parentId: null,
  description: null,
  reference: 'INV-2026-42',
  metadata: { customer: '7' },
  executeAt: null,
  batchId: null,
  apiKey: exampleOf.apiKey,
  reversedAmount: '0.00',
  hold: null,
  createdAt: '2026-01-01T09:30:00.000Z',
  updatedAt: exampleOf.postedAt,
  completedAt: exampleOf.postedAt,
} as const;

const legExample = {
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '90.00',
  currency: 'USD',
  description: null,
  reversedAmount: '0.00',
  parentLeg: null,
} as const;

const journalExample = {
  ...orderExample,
  type: 'JOURNAL',
  ...{ sourceWalletId: null, targetWalletId: null, amount: null, currency: null, reversedAmount: null },
  legs: [legExample, { ...legExample, targetWalletId: 'EXTERNAL', amount: '10.00', description: 'Tax' }],
} as const;

export const bizId = id.meta({ description: 'The client’s own id of the order; the transferId where it gave none.' });
const failures = failureNames.map((name) => catalogue[name]);
const FailureCode = z
  .enum(failures.map(({ code }) => code))
  .meta({ id: 'FailureCode', description: 'Why nothing moved, as the code of an answer would say it.' });
const FailureMessage = z
  .enum(failures.map(({ message }) => message))
  .meta({ id: 'FailureMessage', description: 'The same as a symbolic name, in every language.' });
export const failure = z
  .strictObject({
    code: open(FailureCode),
    message: open(FailureMessage),
    leg: z.int().nonnegative().nullable().meta({
      description:
        'The place of the leg that could not be applied, from 0; null if none is at fault, or it has no `legs`.',
    }),
    limit: PassedLimit.nullable().meta({
      description: 'The limit of the source, or the budget of the key, that it would have passed; null if none.',
    }),
  })
  .meta({
    id: 'OrderFailure',
    description: 'Why an order is FAILED. Not the failure of a request: its answer is a success.',
  })
  .nullable()
  .meta({ description: 'Why the order is FAILED; null otherwise.' });
export const completedAt = time.nullable().meta({ description: 'When it was posted; null unless COMPLETED.' });

const Hold = z
  .strictObject({
    state: open(z.enum(holdStates))
      .nullable()
      .meta({
        description: [
          'HELD while something remains. Then CAPTURED if any of it was captured; else EXPIRED if the last of it was released by',
          'its expiry, or RELEASED. Null unless the order is COMPLETED.',
        ].join(' '),
      }),
    captured: amount.meta({ description: 'How much of it captures have moved.' }),
    released: amount.meta({ description: 'How much of it was given back.' }),
    remaining: amount.meta({ description: 'What is still reserved.' }),
    expiresAt: time.meta({ description: 'When what remains is released.' }),
  })
  .meta({ id: 'HoldProgress', description: 'How far a hold is.' });

const sourceText = 'The wallet the amount is taken from, or `EXTERNAL`.';
const targetText = 'The wallet the amount goes to, or `EXTERNAL`.';
const source = id.meta({ description: sourceText });
const target = id.meta({ description: targetText });

const Leg = z
  .strictObject({
    sourceWalletId: source,
    targetWalletId: target,
    amount,
    currency,
    description: z.string().nullable().meta({ description: 'As given when it was made.' }),
    reversedAmount: amount.nullable().meta({
      description: 'How much of it reversals have moved back; null on a REVERSAL.',
    }),
    parentLeg: z.int().nonnegative().nullable().meta({
      description: 'On a REVERSAL: the place of the leg that it moves back; null otherwise.',
    }),
  })
  .meta({ id: 'OrderLeg', description: 'One of the moves of an order.' });

/** One of a type that only a later service has: it may have and lack whatever any has. */
const LaterOrder = z
  .strictObject({
    transferId,
    bizId,
    workspaceId,
    type: z.string().meta({
      description: 'What it does when it is posted: what only a later service knows.',
      not: { enum: orderTypes.map(({ name }) => name) },
    }),
    sourceWalletId: source.nullable().meta({ description: sourceText }),
    targetWalletId: target.nullable().meta({ description: targetText }),
    amount: amount.nullable().meta({ description: 'How much it moves or reserves, in all.' }),
    currency: currency.nullable().meta({ description: 'The currency of its amount.' }),
    legs: z.array(Leg).nullable().meta({
      description:
        'Of an order that was asked for by its legs: those, in the order in which they are applied; null otherwise.',
    }),
    status: open(OrderStatus),
    failure,
    parentId: id.nullable().meta({ description: 'The transferId of the order that it refers to; null if to none.' }),
    description: z.string().nullable().meta({ description: 'As given when it was made.' }),
    reference: z.string().nullable().meta({ description: 'As given when it was made.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'As given when it was made.' }),
    executeAt: time.nullable().meta({ description: 'When it is to be posted, if that was asked for; null otherwise.' }),
    batchId: id.nullable().meta({ description: 'The batch that it came in; null if in none.' }),
    apiKey: z
      .string()
      .nullable()
      .meta({ description: 'The key that made it; null if the operator or the service did.' }),
    reversedAmount: amount.nullable().meta({ description: 'How much of it reversals have moved back.' }),
    hold: Hold.nullable().meta({ description: 'How far a hold is.' }),
    createdAt,
    updatedAt: time.meta({ description: 'When its status, `reversedAmount` or `hold` changed last.' }),
    completedAt,
  })
  .meta({ id: 'LaterOrder', description: 'An order of a type that only a later service has.' });

const none = z.null().meta({ description: 'Null: no order of this type has it.' });

/** An order of a type. What orders may lack, it always has or never, unless that depends on its legs. */
function orderOf({ name, legs, parent, isReversible, shows }: OrderType): typeof LaterOrder {
  const { when = 'never', replace = [] } = legs ?? {};
  const hasOwn = (field: OwnOfLeg): boolean => !replace.includes(field);
  const has: Partial<Record<keyof typeof LaterOrder.shape, boolean>> = {
    ...Object.fromEntries(
      ownOfLeg.filter((field) => hasOwn(field) || when === 'always').map((field) => [field, hasOwn(field)]),
    ),
    ...(when === 'sometimes' ? {} : { legs: when === 'always' }),
    parentId: parent !== undefined,
    reversedAmount: isReversible === true && hasOwn('amount'),
    hold: shows !== undefined,
  };
  const fields = Object.entries(has).map(([field, isThere]) => {
    const maybe = LaterOrder.shape[field as 'amount'];
    return [field, isThere ? maybe.unwrap().meta({ ...maybe.meta() }) : none];
  });
  const type = z.literal(name).meta({ description: 'What it does when it is posted.' });
  return LaterOrder.extend({ type, ...Object.fromEntries(fields) }).meta({
    id: nameOf(name, 'Order'),
    description: `An order of the type ${name}.`,
  }) as unknown as typeof LaterOrder;
}

/** An order as clients see it, by its type. Source: docs/contract.md, "Resources". */
export const Order = z.union([...orderTypes.map(orderOf), LaterOrder]).meta({
  id: 'Order',
  description: 'An order of any type: `type` says what else it has. More may come.',
  examples: [orderExample, journalExample],
});
