import type { Currencies } from './currency.ts';
import { hashFlow } from './flowHash.ts';
import { flowId } from './ids.ts';
import { fitsBalance } from './money.ts';
import type { Money } from './money.ts';
import type { FailureName, OrderToPost } from './order.ts';
import type { Direction, Flow, Wallet } from './wallet.ts';

export interface Posting {
  /** Ids of the orders whose money moved, in their order of acceptance. */
  readonly completed: readonly string[];
  /** Ids of the orders that could not be posted, by reason. */
  readonly failed: ReadonlyMap<FailureName, readonly string[]>;
  /** Two a completed order: the debit, then the credit. */
  readonly flows: readonly Flow[];
  /** Each touched wallet once, as it is afterwards; its `version` is still the one that was read. */
  readonly wallets: readonly Wallet[];
  /** When the group counts as posted. */
  readonly postedAt: Date;
}

/** An order that cannot be folded at all: a fault of the data, not a failure that a client is told. */
export class UnpostableOrderError extends Error {
  override readonly name = 'UnpostableOrderError';
  readonly orderId: string;

  constructor(orderId: string, reason: string) {
    super(`order ${orderId} cannot be posted: ${reason}`);
    this.orderId = orderId;
  }
}

/**
 * Folds a group of pending orders into what has to be written. Pure: the same input gives the same result, and splitting
 * a group, in order, gives the same balances as folding it whole. An earlier credit may fund a later debit.
 * @param orders all PENDING, in any order; they are folded in their order of acceptance, which is that of their ids.
 * @param wallets every wallet that the orders name, as read in the posting transaction's snapshot.
 * @param now the poster's clock; a flow is never dated before the wallet's last one.
 * @throws UnpostableOrderError an order names an absent wallet, one wallet twice, or another currency.
 */
export function foldOrders(
  orders: readonly OrderToPost[],
  wallets: ReadonlyMap<string, Wallet>,
  currencies: Currencies,
  now: Date,
): Posting {
  const current = new Map<string, Wallet>();
  const completed: string[] = [];
  const failed = new Map<FailureName, string[]>();
  const flows: Flow[] = [];
  const inAcceptanceOrder = [...orders].sort((a, b) => (a.id < b.id ? -1 : 1));

  for (const order of inAcceptanceOrder) {
    const source = current.get(order.sourceWalletId) ?? wallets.get(order.sourceWalletId);
    const target = current.get(order.targetWalletId) ?? wallets.get(order.targetWalletId);
    if (source === undefined || target === undefined) throw new UnpostableOrderError(order.id, 'a wallet is absent');
    const decimals = decimalsOf(order, source, target, currencies);

    const failure = failureOf(order, source, target, decimals);
    if (failure !== undefined) {
      const ids = failed.get(failure);
      if (ids === undefined) failed.set(failure, [order.id]);
      else ids.push(order.id);
      continue;
    }
    const debit = nextFlow(source, target.id, 'DEBIT', order, now);
    const credit = nextFlow(target, source.id, 'CREDIT', order, now);
    current.set(source.id, afterFlow(source, debit));
    current.set(target.id, afterFlow(target, credit));
    flows.push(debit, credit);
    completed.push(order.id);
  }
  return { completed, failed, flows, wallets: [...current.values()], postedAt: now };
}

function decimalsOf(order: OrderToPost, source: Wallet, target: Wallet, currencies: Currencies): number {
  if (source.id === target.id) throw new UnpostableOrderError(order.id, 'source and target are one wallet');
  if (source.currency !== order.currency || target.currency !== order.currency) {
    throw new UnpostableOrderError(order.id, 'its currency is not that of both wallets');
  }
  const decimals = currencies.get(order.currency);
  if (decimals === undefined)
    throw new UnpostableOrderError(order.id, `the currency ${order.currency} is not configured`);
  return decimals;
}

function failureOf(order: OrderToPost, source: Wallet, target: Wallet, decimals: number): FailureName | undefined {
  if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
  const sourceAfter = source.balance.minus(order.amount);
  if (sourceAfter.isNegative() && source.kind !== 'EXTERNAL') return 'INSUFFICIENT_BALANCE';
  const targetAfter = target.balance.plus(order.amount);
  if (!fitsBalance(sourceAfter, decimals) || !fitsBalance(targetAfter, decimals)) return 'BALANCE_LIMIT';
  return undefined;
}

function nextFlow(
  wallet: Wallet,
  counterpartyWalletId: string,
  direction: Direction,
  order: OrderToPost,
  now: Date,
): Flow {
  const sequence = wallet.sequence + 1;
  const balanceAfter: Money =
    direction === 'DEBIT' ? wallet.balance.minus(order.amount) : wallet.balance.plus(order.amount);
  const flow = {
    id: flowId(wallet.id, sequence),
    walletId: wallet.id,
    sequence,
    direction,
    amount: order.amount,
    currency: order.currency,
    balanceBefore: wallet.balance,
    balanceAfter,
    transferId: order.id,
    counterpartyWalletId,
    createdAt: wallet.lastFlowAt > now ? wallet.lastFlowAt : now,
  };
  return { ...flow, hash: hashFlow(wallet.flowHash, flow) };
}

function afterFlow(wallet: Wallet, flow: Flow): Wallet {
  return {
    ...wallet,
    balance: flow.balanceAfter,
    sequence: flow.sequence,
    flowHash: flow.hash,
    lastFlowAt: flow.createdAt,
    updatedAt: flow.createdAt,
  };
}
