/* One example of each resource, for the description of the API. */

const workspaceId = 'ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD';
const alice = 'wa_01M7Y8R1S5A8C3E6G9J2M4P7QR';
const bob = 'wa_01M7Y8R2T6B9D4F7H0K3N5Q8RS';
const transferId = 'tr_01M7Y9B7X2D5F8H1K4N6Q9S3TV';
const createdAt = '2026-01-01T09:30:00.000Z';
const postedAt = '2026-01-01T09:30:00.021Z';

export const wallet = {
  id: alice,
  workspaceId,
  name: 'Alice',
  currency: 'USD',
  status: 'ACTIVE',
  balance: '98.90',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: postedAt,
} as const;

export const balance = {
  walletId: alice,
  currency: 'USD',
  balance: '98.90',
  sequence: 2,
  asOf: '2026-01-01T09:31:00.000Z',
} as const;

export const flow = {
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

export const order = {
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

export const completion = {
  transferId,
  bizId: 'invoice-42',
  completed: true,
  status: 'COMPLETED',
  completedAt: postedAt,
  failure: null,
} as const;

export const paging = { page: 0, size: 20, total: 1, totalPages: 1, nextCursor: null } as const;

/** The body that made the {@link order}. */
export const createTransfer = {
  sourceWalletId: alice,
  targetWalletId: bob,
  amount: '1.1',
  currency: 'USD',
  bizId: 'invoice-42',
} as const;
