import type { Decimal128 } from 'mongodb';
import type { Direction, Flow } from '../domain/wallet.ts';
import { fromDecimal128, toDecimal128 } from './decimal.ts';

/** What was posted, two a completed order. */
export interface FlowDocument {
  readonly _id: string;
  readonly walletId: string;
  readonly sequence: number;
  readonly direction: Direction;
  readonly amount: Decimal128;
  readonly currency: string;
  readonly balanceBefore: Decimal128;
  readonly balanceAfter: Decimal128;
  readonly transferId: string;
  readonly counterpartyWalletId: string;
  readonly createdAt: Date;
  readonly hash: string;
}

/** As it is inserted, once and for all; one that exists already is a duplicate key. */
export function toFlowDocument({ id, ...flow }: Flow): FlowDocument {
  return {
    _id: id,
    ...flow,
    amount: toDecimal128(flow.amount),
    balanceBefore: toDecimal128(flow.balanceBefore),
    balanceAfter: toDecimal128(flow.balanceAfter),
  };
}

export function toFlow({ _id, ...document }: FlowDocument): Flow {
  return {
    id: _id,
    ...document,
    amount: fromDecimal128(document.amount),
    balanceBefore: fromDecimal128(document.balanceBefore),
    balanceAfter: fromDecimal128(document.balanceAfter),
  };
}
