import { z } from 'zod';
import { orderStatuses } from '../domain/order.ts';
import { directions, walletStatuses } from '../domain/wallet.ts';
import { catalogue } from '../errors.ts';

const id = z.string().regex(/^[A-Za-z0-9._-]+$/);
const decimal = z.string().regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
const time = z.iso.datetime();
const currency = z.string().regex(/^[A-Z0-9]{3,10}$/);
/** An id, or `EXTERNAL` where money came from or went outside the workspace. */
const side = id;

const { INSUFFICIENT_BALANCE, WALLET_NOT_ACTIVE, BALANCE_LIMIT } = catalogue;
const failures = [INSUFFICIENT_BALANCE, WALLET_NOT_ACTIVE, BALANCE_LIMIT];
const failure = z
  .strictObject({
    code: z.enum(failures.map(({ code }) => code)),
    message: z.enum(failures.map(({ message }) => message)),
  })
  .nullable()
  .meta({ description: 'Why the order is FAILED; null otherwise.' });

const Wallet = z.strictObject({
  id,
  workspaceId: id,
  name: z.string(),
  currency,
  status: z.enum(walletStatuses),
  balance: decimal,
  createdAt: time,
  updatedAt: time,
});

const Balance = z.strictObject({
  walletId: id,
  currency,
  balance: decimal,
  sequence: z.int().nonnegative().meta({ description: "Number of the wallet's last flow." }),
  asOf: time,
});

const Flow = z.strictObject({
  id,
  walletId: id,
  sequence: z.int().positive().meta({ description: 'Runs 1, 2, 3 … for each wallet, without a gap.' }),
  direction: z.enum(directions),
  amount: decimal,
  currency,
  balanceBefore: decimal,
  balanceAfter: decimal,
  transferId: id,
  counterpartyWalletId: side.meta({ description: 'The other wallet, or `EXTERNAL`.' }),
  createdAt: time,
});

const Order = z.strictObject({
  transferId: id,
  bizId: id,
  workspaceId: id,
  sourceWalletId: side.meta({ description: 'A wallet, or `EXTERNAL`.' }),
  targetWalletId: side.meta({ description: 'A wallet, or `EXTERNAL`.' }),
  amount: decimal,
  currency,
  status: z.enum(orderStatuses),
  failure,
  createdAt: time,
  updatedAt: time,
  completedAt: time.nullable(),
});

const Completion = z.strictObject({
  transferId: id,
  bizId: id,
  completed: z.boolean(),
  status: z.enum(orderStatuses),
  completedAt: time.nullable(),
  failure,
});

/** What the endpoints answer as `data`, by name. Source: docs/contract.md, "Resources". */
export const resources = {
  Wallet,
  Balance,
  Flow,
  Order,
  Completion,
  WalletPage: pageOf(Wallet),
  FlowPage: pageOf(Flow),
  OrderPage: pageOf(Order),
} as const;

export type ResourceName = keyof typeof resources;

function pageOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item).meta({ description: 'Newest first.' }),
    page: z.int().nonnegative().nullable().meta({ description: 'Null for a page by cursor.' }),
    size: z.int().positive(),
    total: z
      .int()
      .nonnegative()
      .meta({ description: 'Rows of all pages. Pages by cursor repeat that of the first page.' }),
    totalPages: z.int().nonnegative(),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
  });
}
