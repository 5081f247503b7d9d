import { z } from 'zod';
import { directions, walletStatuses } from '../domain/wallet.ts';
import { exampleOf } from '../orders/examples.ts';
import { amount, currency, decimal, id, pageOf, time, transferId, workspaceId } from './fields.ts';

const walletExample = {
  id: exampleOf.alice,
  workspaceId: exampleOf.workspaceId,
  name: 'Alice',
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

const walletId = id.meta({ description: 'The wallet.' });
const balance = decimal.meta({
  description: 'The wallet’s balance, with the decimals of its currency; with more where it was stored with more.',
});
const held = decimal.meta({ description: 'How much of the balance is reserved by holds.' });
const available = decimal.meta({ description: 'What it may spend: `balance` less `held`, plus its credit limit.' });

/* What the endpoints of wallets answer as `data`. Source: docs/contract.md, "Resources". */

export const Wallet = z
  .strictObject({
    id: walletId,
    workspaceId,
    name: z.string().meta({ description: 'As the administrator named it; may be empty.' }),
    currency,
    status: z.enum(walletStatuses).meta({ description: 'Only an ACTIVE wallet takes part in transfers.' }),
    balance,
    held,
    creditLimit: decimal.meta({ description: 'How far the balance may be below zero.' }),
    available,
    createdAt: time,
    updatedAt: time.meta({ description: 'When it changed last.' }),
  })
  .meta({ id: 'Wallet', description: 'A wallet of the workspace.', examples: [walletExample] });

export const Balance = z
  .strictObject({
    walletId,
    currency,
    balance,
    held,
    available,
    sequence: z.int().nonnegative().meta({ description: 'Number of the wallet’s last flow; 0 where it has none.' }),
    asOf: time.meta({ description: 'When it was read.' }),
  })
  .meta({ id: 'Balance', description: 'A wallet’s balance.', examples: [balanceExample] });

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
    counterpartyWalletId: id.meta({ description: 'The other wallet, or `EXTERNAL`.' }),
    createdAt: time.meta({ description: 'When it was posted.' }),
  })
  .meta({ id: 'Flow', description: 'What a completed order moved on one wallet.', examples: [flowExample] });

export const WalletPage = pageOf(Wallet, 'WalletPage', walletExample);
export const FlowPage = pageOf(Flow, 'FlowPage', flowExample);
