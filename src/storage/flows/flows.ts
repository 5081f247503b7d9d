import { Money } from '../../domain/money.ts';
import type { Flow, ListedFlow } from '../../domain/wallet.ts';
import { decimalAsText, fromDecimal128, toDecimal128, type Stored } from '../shared/decimal.ts';

/** What was posted, two for each leg of a completed order. */
export interface FlowDocument extends Stored<Omit<Flow, 'debits' | 'debitOrders' | 'leg'>> {
  /** Absent from those of an order's first leg, which nearly all are. */
  readonly leg?: number;
  /** A decimal in plain notation, because the sum may have more digits than a Decimal128. */
  readonly debits: string;
  /** Absent from flows that were posted before wallets could have limits, but for those that a window could reach then. */
  readonly debitOrders?: number;
}

/**
 * Flows as they are inserted, never to change; one that exists already is a duplicate key. Field by field, because rest and
 * spread take ten times as long, and nothing else is written so often.
 */
export function toFlowDocuments(flows: readonly Flow[]): FlowDocument[] {
  return flows.map((flow) => (flow.leg === 0 ? toDocument(flow) : { ...toDocument(flow), leg: flow.leg }));
}

function toDocument(flow: Flow): FlowDocument {
  return {
    _id: flow.id,
    workspaceId: flow.workspaceId,
    walletId: flow.walletId,
    sequence: flow.sequence,
    direction: flow.direction,
    amount: toDecimal128(flow.amount),
    currency: flow.currency,
    balanceBefore: toDecimal128(flow.balanceBefore),
    balanceAfter: toDecimal128(flow.balanceAfter),
    debits: flow.debits.toFixed(),
    debitOrders: flow.debitOrders,
    transferId: flow.transferId,
    counterpartyWalletId: flow.counterpartyWalletId,
    createdAt: flow.createdAt,
    hash: flow.hash,
  };
}

export const listedFlow = { without: { hash: 0, debits: 0, debitOrders: 0 }, convert: toListedFlow } as const;

/** Amounts stay text: see {@link decimalAsText}. */
function toListedFlow({
  _id,
  leg = 0,
  ...document
}: Omit<FlowDocument, 'hash' | 'debits' | 'debitOrders'>): ListedFlow {
  return {
    id: _id,
    ...document,
    leg,
    amount: decimalAsText(document.amount),
    balanceBefore: decimalAsText(document.balanceBefore),
    balanceAfter: decimalAsText(document.balanceAfter),
  };
}

export function toFlow({ _id, leg = 0, debitOrders = 0, ...document }: FlowDocument): Flow {
  return {
    id: _id,
    ...document,
    leg,
    amount: fromDecimal128(document.amount),
    balanceBefore: fromDecimal128(document.balanceBefore),
    balanceAfter: fromDecimal128(document.balanceAfter),
    debits: new Money(document.debits),
    debitOrders,
  };
}
