import type { Currencies } from './currency.ts';
import { hashFlow } from './flow-hash.ts';
import { flowId } from './ids.ts';
import { fitsBalance, type Money } from './money.ts';
import { withOneMore, type FailureName, type OrderToPost } from './order.ts';
import type { Direction, Flow, Wallet } from './wallet.ts';

export interface Posting {
  /** Each order that is completed or failed, by its id. */
  readonly settled: ReadonlyMap<string, OrderToPost>;
  /** Ids of the orders whose money moved, in the order in which it did. */
  readonly completed: readonly string[];
  /** Ids of the orders that are to fail, by reason. */
  readonly failed: ReadonlyMap<FailureName, readonly string[]>;
  /** The orders that cannot be folded at all. They are in no other part of the posting. */
  readonly unpostable: readonly UnpostableOrderError[];
  /** Two a completed order: the debit, then the credit. */
  readonly flows: readonly Flow[];
  /** Each touched wallet once, as it is afterwards; its `version` is still the one that was read. */
  readonly wallets: readonly Wallet[];
  /** When the group counts as posted; see {@link settledAt} for one of its orders. */
  readonly postedAt: Date;
}

/**
 * By how much an order may be dated after the poster's clock and still give its time to its group, so that clocks that
 * differ a little make no difference. An order that is dated further ahead has a time of its own, or the wrong clock of one
 * process would date the money of others.
 */
export const aheadMaxMs = 1_000;

/** When an order of a posting counts as settled: never before it was created. */
export function settledAt({ settled, postedAt }: Posting, orderId: string): Date {
  const createdAt = settled.get(orderId)?.createdAt;
  return createdAt !== undefined && createdAt > postedAt ? createdAt : postedAt;
}

/** An order that cannot be folded at all: a fault of the data, not a failure that a client is told. */
export class UnpostableOrderError extends Error {
  override readonly name = 'UnpostableOrderError';
  readonly orderId: string;
  readonly workspaceId: string;

  constructor({ id, workspaceId }: Pick<OrderToPost, 'id' | 'workspaceId'>, reason: string) {
    super(`order ${id} cannot be posted: ${reason}`);
    this.orderId = id;
    this.workspaceId = workspaceId;
  }
}

/**
 * Folds a group of pending orders into what has to be written, in the order given: an earlier credit may fund a later
 * debit. Orders whose source holds too little are folded once more after all others, in the order given, before they
 * fail. Pure: the same input gives the same result. Source: docs/posting.md, "The order of posting".
 * @param orders all PENDING, in the order in which they came to the poster. Their ids do not decide, because they carry the
 * clocks of the processes that accepted the orders.
 * @param wallets every wallet that the orders name, as read in the posting transaction's snapshot.
 * @param now the poster's clock. If it is behind by up to {@link aheadMaxMs}, the group counts as posted when its youngest
 * order was created. No flow is dated before its wallet's last one.
 */
export function foldOrders(
  orders: readonly OrderToPost[],
  wallets: ReadonlyMap<string, Wallet>,
  currencies: Currencies,
  now: Date,
): Posting {
  const latestMs = now.getTime() + aheadMaxMs;
  const postedAt = orders.reduce(
    (latest, { createdAt }) => (createdAt > latest && createdAt.getTime() <= latestMs ? createdAt : latest),
    now,
  );
  const current = new Map<string, Wallet>();
  const settled = new Map<string, OrderToPost>();
  const completed: string[] = [];
  const failed = new Map<FailureName, string[]>();
  const unpostable: UnpostableOrderError[] = [];
  const flows: Flow[] = [];

  const walletNow = (id: string): Wallet | undefined => current.get(id) ?? wallets.get(id);

  /** Moves the order's money, if it can. @returns why it cannot, with the balances as they are now. */
  function move(order: OrderToPost): FailureName | UnpostableOrderError | undefined {
    const source = walletNow(order.sourceWalletId);
    const target = walletNow(order.targetWalletId);
    if (source === undefined || target === undefined) return new UnpostableOrderError(order, 'a wallet is absent');
    const decimals = decimalsOf(order, source, target, currencies);
    if (decimals instanceof UnpostableOrderError) return decimals;
    const [sourceAfter, targetAfter] = [source.balance.minus(order.amount), target.balance.plus(order.amount)];
    const failure = failureOf({ source, sourceAfter, target, targetAfter }, decimals);
    if (failure !== undefined) return failure;

    const ofOrder = { order, postedAt };
    const debit = nextFlow(source, { direction: 'DEBIT', balanceAfter: sourceAfter, counterparty: target }, ofOrder);
    const credit = nextFlow(target, { direction: 'CREDIT', balanceAfter: targetAfter, counterparty: source }, ofOrder);
    current.set(source.id, afterFlow(source, debit, order));
    current.set(target.id, afterFlow(target, credit, order));
    flows.push(debit, credit);
    completed.push(order.id);
    settled.set(order.id, order);
    return undefined;
  }

  function settle(order: OrderToPost, refusal: ReturnType<typeof move>): void {
    if (refusal === undefined) return;
    if (refusal instanceof UnpostableOrderError) {
      unpostable.push(refusal);
      return;
    }
    settled.set(order.id, order);
    for (const wallet of [walletNow(order.sourceWalletId), walletNow(order.targetWalletId)]) {
      if (wallet !== undefined) current.set(wallet.id, afterFailure(wallet, order, postedAt));
    }
    const ids = failed.get(refusal);
    if (ids === undefined) failed.set(refusal, [order.id]);
    else ids.push(order.id);
  }

  const lacking: OrderToPost[] = [];
  for (const order of orders) {
    const refusal = move(order);
    if (refusal === 'INSUFFICIENT_BALANCE') lacking.push(order);
    else settle(order, refusal);
  }
  for (const order of lacking) settle(order, move(order));
  return { settled, completed, failed, unpostable, flows, wallets: [...current.values()], postedAt };
}

function decimalsOf(
  order: OrderToPost,
  source: Wallet,
  target: Wallet,
  currencies: Currencies,
): number | UnpostableOrderError {
  const { amount, currency } = order;
  if (!amount.greaterThan(0)) return new UnpostableOrderError(order, 'its amount is no number above 0');
  if (source.id === target.id) return new UnpostableOrderError(order, 'source and target are one wallet');
  if (source.currency !== currency || target.currency !== currency) {
    return new UnpostableOrderError(order, 'its currency is not that of both wallets');
  }
  return currencies.get(currency) ?? new UnpostableOrderError(order, `the currency ${currency} is not known`);
}

interface Move {
  readonly source: Wallet;
  readonly sourceAfter: Money;
  readonly target: Wallet;
  readonly targetAfter: Money;
}

function failureOf({ source, sourceAfter, target, targetAfter }: Move, decimals: number): FailureName | undefined {
  if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
  if (sourceAfter.isNegative() && source.kind !== 'EXTERNAL') return 'INSUFFICIENT_BALANCE';
  if (!fitsBalance(sourceAfter, decimals) || !fitsBalance(targetAfter, decimals)) return 'BALANCE_LIMIT';
  return undefined;
}

interface FlowOf {
  readonly direction: Direction;
  readonly balanceAfter: Money;
  readonly counterparty: Wallet;
}

function nextFlow(
  wallet: Wallet,
  { direction, balanceAfter, counterparty }: FlowOf,
  { order, postedAt }: { readonly order: OrderToPost; readonly postedAt: Date },
): Flow {
  const sequence = wallet.sequence + 1;
  const flow = {
    id: flowId(wallet.id, sequence),
    workspaceId: wallet.workspaceId,
    walletId: wallet.id,
    sequence,
    direction,
    amount: order.amount,
    currency: order.currency,
    balanceBefore: wallet.balance,
    balanceAfter,
    debits: direction === 'DEBIT' ? wallet.debits.plus(order.amount) : wallet.debits,
    transferId: order.id,
    counterpartyWalletId: counterparty.id,
    createdAt: wallet.lastFlowAt > postedAt ? wallet.lastFlowAt : postedAt,
    hash: '',
  };
  flow.hash = hashFlow(wallet.flowHash, flow);
  return flow;
}

/** What a completed order makes of one of its wallets, which it moves by one flow. */
function afterFlow(wallet: Wallet, flow: Flow, { type }: OrderToPost): Wallet {
  return {
    ...wallet,
    balance: flow.balanceAfter,
    sequence: flow.sequence,
    debitFlows: wallet.debitFlows + (flow.direction === 'DEBIT' ? 1 : 0),
    debits: flow.debits,
    orders: withOneMore(wallet.orders, type, 'COMPLETED'),
    flowHash: flow.hash,
    lastFlowAt: flow.createdAt,
    updatedAt: flow.createdAt,
  };
}

function afterFailure(wallet: Wallet, { type }: OrderToPost, postedAt: Date): Wallet {
  return {
    ...wallet,
    orders: withOneMore(wallet.orders, type, 'FAILED'),
    updatedAt: wallet.updatedAt > postedAt ? wallet.updatedAt : postedAt,
  };
}
