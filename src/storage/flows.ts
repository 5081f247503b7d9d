import type { ClientSession, Collection, Db, Decimal128 } from 'mongodb';
import type { Direction, Flow } from '../domain/wallet.ts';
import { fromDecimal128, toDecimal128 } from './decimal.ts';

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

/** The `flows` collection: what was posted, two a completed order. Flows are only ever inserted. */
export function openFlows(db: Db) {
  const collection: Collection<FlowDocument> = db.collection('flows');
  return {
    /** Inserts a posting's flows in one command. A flow that exists already is a duplicate key error: nothing is written. */
    async insertPosted(flows: readonly Flow[], session: ClientSession): Promise<void> {
      if (flows.length === 0) return;
      await collection.insertMany(flows.map(toDocument), { session, ordered: true });
    },
  };
}

function toDocument({ id, ...flow }: Flow): FlowDocument {
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
