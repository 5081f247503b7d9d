import { z } from 'zod';
import { orderStatuses } from '../domain/order.ts';
import { directions, walletStatuses } from '../domain/wallet.ts';
import { catalogue } from '../errors.ts';
import * as examples from './examples.ts';

const id = z.string().regex(/^[A-Za-z0-9._-]+$/);
const decimal = z.string().regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
const time = z.iso.datetime();
const currency = z
  .string()
  .regex(/^[A-Z0-9]{3,10}$/)
  .meta({ description: 'ISO 4217, or a code of the operator’s.' });

const walletId = id.meta({ description: 'The wallet.' });
const workspaceId = id.meta({ description: 'The workspace of the API key.' });
const transferId = id.meta({ description: 'The service’s id of the order.' });
const bizId = id.meta({ description: 'The client’s own id of the order; the transferId where it gave none.' });
/** An id, or `EXTERNAL` where money came from or went outside the workspace. */
const walletOrExternal = id;
const amount = decimal.meta({ description: 'With exactly the decimals of the currency.' });
const balance = decimal.meta({ description: 'What the wallet holds, with exactly the decimals of its currency.' });

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

/* What the endpoints answer as `data`. Source: docs/contract.md, "Resources". */

export const Wallet = z
  .strictObject({
    id: walletId,
    workspaceId,
    name: z.string().meta({ description: 'As the administrator named it; may be empty.' }),
    currency,
    status: z.enum(walletStatuses).meta({ description: 'Only an ACTIVE wallet takes part in transfers.' }),
    balance,
    createdAt: time,
    updatedAt: time.meta({ description: 'When its balance or status changed last.' }),
  })
  .meta({ id: 'Wallet', description: 'A wallet of the workspace.', examples: [examples.wallet] });

export const Balance = z
  .strictObject({
    walletId,
    currency,
    balance,
    sequence: z.int().nonnegative().meta({ description: 'Number of the wallet’s last flow; 0 where it has none.' }),
    asOf: time.meta({ description: 'When it was read.' }),
  })
  .meta({ id: 'Balance', description: 'What a wallet holds.', examples: [examples.balance] });

export const Flow = z
  .strictObject({
    id,
    walletId,
    sequence: z.int().positive().meta({ description: 'Runs 1, 2, 3 … for each wallet, without a gap.' }),
    direction: z.enum(directions).meta({ description: 'DEBIT takes from the wallet, CREDIT adds to it.' }),
    amount,
    currency,
    balanceBefore: decimal.meta({ description: 'The `balanceAfter` of the flow before.' }),
    balanceAfter: decimal,
    transferId,
    counterpartyWalletId: walletOrExternal.meta({ description: 'The other wallet, or `EXTERNAL`.' }),
    createdAt: time.meta({ description: 'When it was posted.' }),
  })
  .meta({ id: 'Flow', description: 'What a completed order moved on one wallet.', examples: [examples.flow] });

export const Order = z
  .strictObject({
    transferId,
    bizId,
    workspaceId,
    sourceWalletId: walletOrExternal.meta({ description: 'The wallet the amount is taken from, or `EXTERNAL`.' }),
    targetWalletId: walletOrExternal.meta({ description: 'The wallet the amount goes to, or `EXTERNAL`.' }),
    amount,
    currency,
    status,
    failure,
    createdAt: time,
    updatedAt: time.meta({ description: 'When its status changed last.' }),
    completedAt,
  })
  .meta({ id: 'Order', description: 'A transfer order.', examples: [examples.order] });

export const Completion = z
  .strictObject({
    transferId,
    bizId,
    completed: z.boolean().meta({ description: 'True for COMPLETED alone; `status` tells when to stop asking.' }),
    status,
    completedAt,
    failure,
  })
  .meta({ id: 'Completion', description: 'How far a transfer order is.', examples: [examples.completion] });

export const WalletPage = pageOf(Wallet, 'WalletPage', examples.wallet);
export const FlowPage = pageOf(Flow, 'FlowPage', examples.flow);
export const OrderPage = pageOf(Order, 'OrderPage', examples.order);

/**
 * A page of a list.
 * @param name of the schema in the description of the API.
 */
export function pageOf<T extends z.ZodType>(item: T, name: string, example: z.input<T>) {
  return z
    .strictObject({
      items: z.array(item).meta({ description: 'Newest first.' }),
      page: z.int().nonnegative().nullable().meta({ description: 'Null for a page by cursor.' }),
      size: z.int().positive().meta({ description: 'The most rows that a page has.' }),
      total: z
        .int()
        .nonnegative()
        .meta({ description: 'Rows of all pages. Pages by cursor repeat that of the first page.' }),
      totalPages: z.int().nonnegative(),
      nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
    })
    .meta({ id: name, description: 'A page of a list.', examples: [{ items: [example], ...examples.paging }] });
}
