import type { z } from 'zod';
import type { ResourceName, resources } from './resources.ts';

const workspaceId = 'ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD';
const alice = 'wa_01M7Y8R1S5A8C3E6G9J2M4P7QR';
const bob = 'wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS';
const transferId = 'tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV';
const createdAt = '2026-01-01T09:30:00.000Z';
const postedAt = '2026-01-01T09:30:00.021Z';

const Wallet = {
  id: alice,
  workspaceId,
  name: 'Alice',
  currency: 'USD',
  status: 'ACTIVE',
  balance: '98.90',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: postedAt,
} as const;

const Flow = {
  id: `fl_${alice}.000000000002`,
  walletId: alice,
  sequence: 2,
  direction: 'DEBIT',
  amount: '1.10',
  currency: 'USD',
  balanceBefore: '100.00',
  balanceAfter: '98.90',
  transferId,
  counterpartyWalletId: bob,
  createdAt: postedAt,
} as const;

const Order = {
  transferId,
  bizId: 'invoice-42',
  workspaceId,
  sourceWalletId: alice,
  targetWalletId: bob,
  amount: '1.10',
  currency: 'USD',
  status: 'COMPLETED',
  failure: null,
  createdAt,
  updatedAt: postedAt,
  completedAt: postedAt,
} as const;

const paging = { page: 0, size: 20, total: 1, totalPages: 1, nextCursor: null };

/** One example of each resource, for the published description of the API. */
export const examples: { readonly [Name in ResourceName]: z.input<(typeof resources)[Name]> } = {
  Wallet,
  Balance: { walletId: alice, currency: 'USD', balance: '98.90', sequence: 2, asOf: '2026-01-01T09:31:00.000Z' },
  Flow,
  Order,
  Completion: {
    transferId,
    bizId: 'invoice-42',
    completed: true,
    status: 'COMPLETED',
    completedAt: postedAt,
    failure: null,
  },
  WalletPage: { items: [Wallet], ...paging },
  FlowPage: { items: [Flow], ...paging },
  OrderPage: { items: [Order], ...paging },
};

/** The body that made the order of {@link examples}. */
export const createTransferExample = {
  sourceWalletId: alice,
  targetWalletId: bob,
  amount: '1.1',
  currency: 'USD',
  bizId: 'invoice-42',
};
