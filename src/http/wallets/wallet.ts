import { z } from 'zod';
import { exampleOf } from '../../orders/examples.ts';
import {
  amount,
  createdAt,
  currency,
  decimal,
  Direction,
  id,
  open,
  OrderType,
  pageOf,
  time,
  transferId,
  WalletStatus,
  workspaceId,
} from '../fields.ts';

const walletExample = {
  id: exampleOf.alice,
  workspaceId: exampleOf.workspaceId,
  name: 'Alice',
  reference: 'user-7',
  metadata: { plan: 'basic' },
  currency: 'USD',
  status: 'ACTIVE',
  balance: '98.90',
  held: '20.00',
  creditLimit: '0.00',
  available: '78.90',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: exampleOf.postedAt,
} as const;

const balanceExample = {
  walletId: exampleOf.alice,
  currency: 'USD',
  balance: '98.90',
  held: '20.00',
  available: '78.90',
  sequence: 2,
  asOf: '2026-01-01T09:31:00.000Z',
} as const;

const flowExample = {
  id: `fl_${exampleOf.alice}.000000000002`,
  walletId: exampleOf.alice,
  sequence: 2,
  direction: 'DEBIT',
  amount: '1.10',
  currency: 'USD',
  balanceBefore: '100.00',
  balanceAfter: '98.90',
  transferId: exampleOf.transferId,
  counterpartyWalletId: exampleOf.bob,
  createdAt: exampleOf.postedAt,
} as const;

const statementEntryExample = {
  ...flowExample,
  type: 'TRANSFER',
  bizId: 'invoice-42',
  reference: null,
  description: null,
} as const;

const statementExample = {
  walletId: exampleOf.alice,
  currency: 'USD',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  openingBalance: '0.00',
  closingBalance: '98.90',
  debits: '1.10',
  credits: '100.00',
  count: 2,
  settledUntil: '2026-01-02T00:10:00.000Z',
  items: [statementEntryExample],
  nextCursor: null,
} as const;

const walletId = id.meta({ description: 'The wallet.' });
const balance = decimal.meta({
  description: 'The wallet’s balance, with the decimals of its currency; with more where it was stored with more.',
});
const held = decimal.meta({ description: 'How much of the balance is reserved by holds.' });
const available = decimal.meta({ description: 'What it may spend: `balance` less `held`, plus its credit limit.' });

const settledUntil = time.meta({
  description:
    'Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into the books: what lies after this moment may still grow.',
});

/* What the endpoints of wallets answer as `data`. Source: docs/contract.md, "Resources". */

export const Wallet = z
  .strictObject({
    id: walletId,
    workspaceId,
    name: z.string().meta({ description: 'As given when it was made; may be empty.' }),
    reference: z
      .string()
      .nullable()
      .meta({ description: 'Your own, unique in the workspace; null if none was given.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'As given when it was made.' }),
    currency,
    status: open(WalletStatus),
    balance,
    held,
    creditLimit: decimal.meta({ description: 'How far the balance may be below zero.' }),
    available,
    createdAt,
    updatedAt: time.meta({ description: 'When it changed last.' }),
  })
  .meta({ id: 'Wallet', description: 'A wallet of the workspace.', examples: [walletExample] });

export const Balance = z
  .strictObject({
    walletId,
    currency,
    balance,
    held: held.nullable().meta({ description: 'How much of the balance is reserved by holds; null with `at`.' }),
    available: available.nullable().meta({
      description: 'What it may spend: `balance` less `held`, plus its credit limit; null with `at`.',
    }),
    sequence: z.int().nonnegative().meta({ description: 'Number of the wallet’s last flow; 0 where it has none.' }),
    asOf: time.meta({ description: 'When it was read; with `at`, that moment.' }),
    settledUntil: settledUntil.optional(),
  })
  .meta({ id: 'Balance', description: 'A wallet’s balance.', examples: [balanceExample] });

export const Flow = z
  .strictObject({
    id: id.meta({ description: 'The flow.' }),
    walletId,
    sequence: z.int().positive().meta({ description: 'Runs 1, 2, 3 … for each wallet, without a gap.' }),
    direction: Direction,
    amount,
    currency,
    balanceBefore: decimal.meta({ description: 'The `balanceAfter` of the flow before.' }),
    balanceAfter: decimal.meta({ description: 'The balance with this flow.' }),
    transferId,
    counterpartyWalletId: id.meta({ description: 'The other wallet, or `EXTERNAL`.' }),
    createdAt: time.meta({ description: 'When it was posted.' }),
  })
  .meta({ id: 'Flow', description: 'What a completed order moved on one wallet.', examples: [flowExample] });

export const WalletPage = pageOf(Wallet, 'WalletPage');
export const FlowPage = pageOf(Flow, 'FlowPage');

const StatementEntry = Flow.extend({
  type: open(OrderType),
  bizId: id.meta({ description: 'The bizId of its order.' }),
  reference: z.string().nullable().meta({ description: 'The reference of its order.' }),
  description: z.string().nullable().meta({ description: 'The description of its order.' }),
}).meta({ id: 'StatementEntry', description: 'A flow, and the order behind it.', examples: [statementEntryExample] });

export const Statement = z
  .strictObject({
    walletId,
    currency,
    from: time.meta({ description: 'Where it begins, inclusive.' }),
    to: time.meta({ description: 'Where it ends, exclusive.' }),
    openingBalance: decimal.meta({ description: 'The balance before the first flow of the range.' }),
    closingBalance: decimal.meta({ description: 'The balance after the last flow of the range.' }),
    debits: decimal.meta({ description: 'The sum of the debits of the whole range, on every page.' }),
    credits: decimal.meta({ description: 'The sum of the credits of the whole range, on every page.' }),
    count: z.int().nonnegative().meta({ description: 'How many flows the whole range has.' }),
    settledUntil,
    items: z.array(StatementEntry).meta({ description: 'Oldest first.' }),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
  })
  .meta({ id: 'Statement', description: 'What moved on a wallet in a range of time.', examples: [statementExample] });
