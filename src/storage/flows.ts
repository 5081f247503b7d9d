import type { Decimal128 } from 'mongodb';
import type { Listed } from '../domain/money.ts';
import type { Direction, Flow } from '../domain/wallet.ts';
import { createDecimal128Converter, writtenDecimal128 } from './decimal.ts';

/** What was posted, two a completed order. */
export interface FlowDocument {
  readonly _id: string;
  readonly workspaceId: string;
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

/** As they are inserted, once and for all; one that exists already is a duplicate key. */
export function toFlowDocuments(flows: readonly Flow[]): FlowDocument[] {
  const convert = createDecimal128Converter();
  return flows.map(({ id, ...flow }) => ({
    _id: id,
    ...flow,
    amount: convert(flow.amount),
    balanceBefore: convert(flow.balanceBefore),
    balanceAfter: convert(flow.balanceAfter),
  }));
}

/** For a list: no number is made of an amount. */
export function toListedFlow({ _id, ...document }: FlowDocument): Listed<Flow> {
  return {
    id: _id,
    ...document,
    amount: writtenDecimal128(document.amount),
    balanceBefore: writtenDecimal128(document.balanceBefore),
    balanceAfter: writtenDecimal128(document.balanceAfter),
  };
}
