import { z } from 'zod';
import { exampleOf } from '../../orders/examples.ts';
import { createdAt, currency, decimal, id, open, time, WalletStatus, workspaceId } from '../fields.ts';
import { WalletLimit } from '../limits.ts';
import { routesUnder } from '../route.ts';

const tag = { name: 'Wallets', description: 'The wallets of the workspace, what they hold, and what moved on them.' };
export const { get } = routesUnder('/api/v1/wallets', 'wallet:read', tag);
export const { post } = routesUnder('/api/v1/wallets', 'wallet:manage', tag);

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
  limits: [],
  available: '78.90',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: exampleOf.postedAt,
} as const;

export const walletId = id.meta({ description: 'The wallet.' });
export const balance = decimal.meta({
  description: 'The wallet’s balance, with the decimals of its currency; with more where it was stored with more.',
});
export const held = decimal.meta({ description: 'How much of the balance is reserved by holds.' });
export const available = decimal.meta({
  description: 'What it may spend: `balance` less `held`, plus its credit limit.',
});

/** A wallet as clients see it. Source: docs/contract.md, "Resources". */
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
    limits: z.array(WalletLimit).meta({ description: 'What may go out of it; their use `GET …/limits` tells.' }),
    available,
    createdAt,
    updatedAt: time.meta({ description: 'When it changed last.' }),
  })
  .meta({ id: 'Wallet', description: 'A wallet of the workspace.', examples: [walletExample] });
