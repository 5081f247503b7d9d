import type { Currencies } from '../domain/currency.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import { formatMoney, Money, type Listed } from '../domain/money.ts';
import type { Order } from './order.ts';
import { timeText } from '../domain/time-text.ts';
import { availableOf, type ListedFlow, type ListedWallet, type Wallet } from '../domain/wallet.ts';
import { catalogue } from '../errors.ts';
import { isKnownType, typeOf } from './types.ts';

export type Presenter = ReturnType<typeof createPresenter>;

/** How resources are answered: money as text with its currency's decimals, times in ISO 8601, EXTERNAL ids hidden. */
export function createPresenter(currencies: Currencies) {
  const money = (value: Money | string, currency: string): string => formatMoney(value, currencies.get(currency) ?? 0);

  const standing = (wallet: Wallet) => ({
    balance: money(wallet.balance, wallet.currency),
    available: money(availableOf(wallet), wallet.currency),
  });

  return {
    money,
    wallet: (wallet: Wallet | ListedWallet) => ({
      id: wallet.id,
      workspaceId: wallet.workspaceId,
      name: wallet.name,
      reference: wallet.reference ?? null,
      metadata: wallet.metadata ?? {},
      currency: wallet.currency,
      status: wallet.status,
      balance: money(wallet.balance, wallet.currency),
      held: money(wallet.held, wallet.currency),
      creditLimit: money(wallet.creditLimit, wallet.currency),
      available: money(availableIn(wallet), wallet.currency),
      createdAt: timeText(wallet.createdAt),
      updatedAt: timeText(wallet.updatedAt),
    }),
    /** @param asOf when the wallet was read. */
    balance: (wallet: Wallet, asOf: Date) => ({
      walletId: wallet.id,
      currency: wallet.currency,
      balance: money(wallet.balance, wallet.currency),
      held: money(wallet.held, wallet.currency),
      available: money(availableOf(wallet), wallet.currency),
      sequence: wallet.sequence,
      asOf: timeText(asOf),
    }),
    flow: (flow: ListedFlow) => ({
      id: flow.id,
      walletId: flow.walletId,
      sequence: flow.sequence,
      direction: flow.direction,
      amount: money(flow.amount, flow.currency),
      currency: flow.currency,
      balanceBefore: money(flow.balanceBefore, flow.currency),
      balanceAfter: money(flow.balanceAfter, flow.currency),
      transferId: flow.transferId,
      counterpartyWalletId: shownWalletId(flow.counterpartyWalletId),
      createdAt: timeText(flow.createdAt),
    }),
    order: (order: Order | Listed<Order>) => ({
      transferId: order.id,
      bizId: order.bizId,
      workspaceId: order.workspaceId,
      type: order.type,
      sourceWalletId: shownWalletId(order.sourceWalletId),
      targetWalletId: shownWalletId(order.targetWalletId),
      amount: money(order.amount, order.currency),
      currency: order.currency,
      status: order.status,
      failure: failure(order),
      parentId: order.parentId ?? null,
      description: order.description ?? null,
      reference: order.reference ?? null,
      metadata: order.metadata ?? {},
      executeAt: order.executeAt === undefined ? null : timeText(order.executeAt),
      batchId: order.batchId ?? null,
      ...shown(order, money),
      createdAt: timeText(order.createdAt),
      updatedAt: timeText(order.updatedAt),
      completedAt: order.completedAt && timeText(order.completedAt),
    }),
    /** How an order would end, with the wallets as it would leave them. */
    preview: ({
      status,
      source,
      target,
      ...end
    }: Pick<Order, 'status' | 'failure'> & Record<'source' | 'target', Wallet>) => ({
      status,
      failure: failure(end),
      source: standing(source),
      target: standing(target),
    }),
    completion: (order: Order) => ({
      transferId: order.id,
      bizId: order.bizId,
      completed: order.status === 'COMPLETED',
      status: order.status,
      completedAt: order.completedAt && timeText(order.completedAt),
      failure: failure(order),
    }),
  };
}

/** What only orders of some types have. */
function shown(order: Order | Listed<Order>, money: (value: Money, currency: string) => string) {
  const ofType = isKnownType(order.type) ? typeOf(order).shows : undefined;
  const { reversedAmount, hold } = ofType?.(order) ?? {};
  const amount = (value: Money): string => money(value, order.currency);
  return {
    reversedAmount: reversedAmount === undefined ? null : amount(reversedAmount),
    hold:
      hold === undefined
        ? null
        : {
            state: hold.state,
            captured: amount(hold.captured),
            released: amount(hold.released),
            remaining: amount(hold.remaining),
            expiresAt: timeText(hold.expiresAt),
          },
  };
}

/** Of a wallet as lists read it, which is text, too. */
function availableIn({ balance, held, creditLimit }: Wallet | ListedWallet): Money | string {
  const isPlain = String(held) === '0' && String(creditLimit) === '0';
  return isPlain
    ? balance
    : availableOf({ balance: new Money(balance), held: new Money(held), creditLimit: new Money(creditLimit) });
}

function shownWalletId(walletId: string): string {
  return isExternalWalletId(walletId) ? 'EXTERNAL' : walletId;
}

function failure(order: Pick<Order, 'failure'>): { code: string; message: string } | null {
  if (order.failure === null) return null;
  const { code, message } = catalogue[order.failure];
  return { code, message };
}
