import { Decimal128, type Document } from 'mongodb';
import type { RawDocument } from './books.ts';

/* Documents that the checker's tests make books of. */

export const none = { setAside: new Set<string>() };
export const at = new Date('2026-01-01T00:00:00Z');
export const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

/** With a flow for each COMPLETED order, the first one a deposit, and `failed` others. */
export const wallet = (_id: string, balance: string, sequence: number, failed: number): RawDocument => ({
  ...{ _id, balance: decimal(balance), sequence, kind: 'STANDARD', currency: 'USD', workspaceId: 'ws' },
  orders: {
    DEPOSIT: { COMPLETED: _id === 'b' ? 0 : 1 },
    TRANSFER: { COMPLETED: _id === 'b' ? 1 : sequence - 1, FAILED: failed },
  },
});
export const external = (balance: string): RawDocument => ({ ...wallet('ex', balance, 1, 0), kind: 'EXTERNAL' });
export const order = (
  _id: string,
  source: string,
  target: string,
  amount: string,
  status = 'COMPLETED',
): RawDocument => ({
  ...{
    _id,
    bizId: `biz-${_id}`,
    workspaceId: 'ws',
    type: source === 'ex' ? 'DEPOSIT' : 'TRANSFER',
    sourceWalletId: source,
    targetWalletId: target,
    currency: 'USD',
  },
  ...{ amount: decimal(amount), status, failure: null, completedAt: status === 'COMPLETED' ? at : null, request: {} },
  ...{ createdAt: at, updatedAt: at },
});
export const flow = (
  side: Document,
  sequence: number,
  [before, amount, after]: [string, string, string],
): RawDocument => ({
  // The first debit of its wallet, or a credit before any.
  debits: side['direction'] === 'DEBIT' ? amount : '0',
  ...{ _id: `${String(side['walletId'])}.${sequence}`, currency: 'USD', sequence, createdAt: at, ...side },
  ...{ balanceBefore: decimal(before), amount: decimal(amount), balanceAfter: decimal(after) },
});
export const debit = (transferId: string, walletId: string, counterpartyWalletId: string): Document => ({
  ...{ transferId, walletId, counterpartyWalletId, direction: 'DEBIT' },
});
export const credit = (transferId: string, walletId: string, counterpartyWalletId: string): Document => ({
  ...{ transferId, walletId, counterpartyWalletId, direction: 'CREDIT' },
});

export const find = (documents: RawDocument[], id: string): RawDocument => documents.find(({ _id }) => _id === id)!;
