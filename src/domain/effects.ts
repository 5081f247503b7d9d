import { hashFlow } from './flow-hash.ts';
import type { Currencies } from './currency.ts';
import { flowId } from './ids.ts';
import { passes, usesOf, type Given, type LimitUse } from './limits.ts';
import { fitsBalance, type Money } from './money.ts';
import type { ErrorName } from '../errors.ts';
import { remainingOf, type Parent, type Progress, type ProgressPart, type UsedLeg } from './progress.ts';
import { availableOf, dateOn, type Flow, type Wallet } from './wallet.ts';

/** An amount that goes from one wallet to another. It leaves a debit and a credit. */
export interface Move {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: Money;
  readonly currency: string;
}

/** What posting an order changes. */
export type Effect =
  | (Move & { readonly kind: 'move'; /** Which leg of its order it is, from 0. */ readonly leg: number })
  /** Reserves an amount on the source, for a target that must be active too. */
  | (Move & { readonly kind: 'hold' })
  /** Gives back what was reserved on the source, whatever its state. */
  | (Omit<Move, 'targetWalletId'> & {
      readonly kind: 'release';
      /** Whether nothing of its hold remains. */ readonly closes: boolean;
    })
  /** Uses a part of a leg of an order that was posted before. */
  | {
      readonly kind: 'progress';
      readonly order: string;
      readonly leg: number;
      readonly part: ProgressPart;
      readonly amount: Money;
    }
  /** Notes that its expiry released what was left of a hold. */
  | { readonly kind: 'expire'; readonly order: string };

/** Why an order cannot have its effects, for good. */
export const failureNames = [
  'INSUFFICIENT_BALANCE',
  'WALLET_NOT_ACTIVE',
  'BALANCE_LIMIT',
  'HOLD_CLOSED',
  'EXCEEDS_REMAINING',
  'BATCH_FAILED',
  'LIMIT_EXCEEDED',
  'KEY_BUDGET_EXCEEDED',
] as const satisfies readonly ErrorName[];
export type FailureName = (typeof failureNames)[number];

/** Why an order cannot have its effects, and which of its legs is at fault; undefined if none is. */
export interface Failure {
  readonly name: FailureName;
  readonly leg?: number | undefined;
  /** The limit that it would pass, as it stood. */
  readonly limit?: LimitUse;
}

/** What the effects of an order have in common. */
export interface Cause {
  readonly orderId: string;
  readonly currencies: Currencies;
  /** No flow is dated before it, nor before its wallet's last one. */
  readonly postedAt: Date;
}

/** A wallet's own copy, which may be written: a group folds thousands, and each further copy costs a tenth of the fold. */
export type WalletDraft = { -readonly [Field in keyof Wallet]: Wallet[Field] };

/** What the effects of an order find, as the orders before have left it; undefined where there is none. */
export interface Seen {
  readonly wallet: (id: string) => Wallet | undefined;
  /** Orders that others refer to. */
  readonly parent: (id: string) => Parent | undefined;
  /** What a wallet had given before the window of each of its limits; undefined of one that has no window. */
  readonly before: (walletId: string) => readonly (Given | undefined)[];
}

export interface Applied {
  /** The wallets that changed, as they are afterwards: copies that are the caller's. */
  readonly wallets: readonly WalletDraft[];
  /** The legs of the orders that were used, as they are afterwards, by id. */
  readonly used: ReadonlyMap<string, readonly UsedLeg[]>;
  /** A debit and a credit for each move. */
  readonly flows: readonly Flow[];
  /** The first limit of a wallet that is passed, by whatever it gives or reserves; undefined if none is. */
  readonly exceeded: (Failure & { readonly limit: LimitUse }) | undefined;
}

/** An effect cannot be applied whatever the balances: its data is at fault. */
export class ImpossibleEffectError extends Error {
  override readonly name = 'ImpossibleEffectError';
}

/**
 * Applies the effects of one order, one after the other: all of them or none. This is the one place that says what must
 * hold of a wallet: it is active where money comes or goes or is reserved, has the currency, has enough available unless it
 * is EXTERNAL, reserves nothing below zero, and keeps within its digits. It says too that no more of an order is used than
 * there is. Whether a limit of a wallet forbids it the caller decides, because not every order is judged by them. Pure.
 * @returns what changed, or why the order fails. @throws ImpossibleEffectError.
 */
export function applyEffects(effects: readonly Effect[], seen: Seen, cause: Cause): Applied | Failure {
  /** Two or three of most orders, in which a search is faster than a map. */
  const wallets: WalletDraft[] = [];
  const used = new Map<string, readonly UsedLeg[]>();
  const flows: Flow[] = [];
  let exceeded: Applied['exceeded'];

  function wallet(id: string, currency: string): WalletDraft {
    const earlier = wallets.find((draft) => draft.id === id);
    const stored = earlier ?? seen.wallet(id);
    if (stored === undefined) throw new ImpossibleEffectError('a wallet is absent');
    if (stored.currency !== currency) throw new ImpossibleEffectError('its currency is not that of its wallets');
    if (earlier !== undefined) return earlier;
    const draft = { ...stored };
    wallets.push(draft);
    return draft;
  }

  function decimalsOf(currency: string): number {
    const decimals = cause.currencies.get(currency);
    if (decimals === undefined) throw new ImpossibleEffectError(`the currency ${currency} is not known`);
    return decimals;
  }

  /** @param leg its place among its order's. @param ordersMore 0 if the order has taken something out of the wallet before. */
  function judge(source: WalletDraft, amount: Money, leg: number, ordersMore: 0 | 1): void {
    if (source.limits === undefined || exceeded !== undefined) return;
    const stored = seen.wallet(source.id) ?? source;
    const takenBefore = source.debits.minus(stored.debits).plus(source.held).minus(stored.held);
    const limit = usesOf(source, seen.before(source.id), dateOn(source, cause.postedAt))
      .map((use) => (use.window === 'order' ? { ...use, used: takenBefore } : use))
      .find((use) => passes(use, amount, ordersMore));
    if (limit !== undefined) exceeded = { name: 'LIMIT_EXCEEDED', leg, limit };
  }

  function move({ sourceWalletId, targetWalletId, amount, currency }: Move, leg: number): FailureName | undefined {
    if (sourceWalletId === targetWalletId) throw new ImpossibleEffectError('source and target are one wallet');
    const decimals = decimalsOf(currency);
    const [source, target] = [wallet(sourceWalletId, currency), wallet(targetWalletId, currency)];
    const [sourceAfter, targetAfter] = [source.balance.minus(amount), target.balance.plus(amount)];
    if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
    if (lacks(source, amount)) return 'INSUFFICIENT_BALANCE';
    if (!fitsBalance(sourceAfter, decimals) || !fitsBalance(targetAfter, decimals)) return 'BALANCE_LIMIT';
    const isFirst = leg === 0 || source.debitFlows === seen.wallet(sourceWalletId)?.debitFlows;
    judge(source, amount, leg, isFirst ? 1 : 0);
    if (isFirst) source.debitOrders += 1;
    const both = { amount, leg };
    const debit = { ...both, direction: 'DEBIT', balanceAfter: sourceAfter, counterparty: targetWalletId } as const;
    const credit = { ...both, direction: 'CREDIT', balanceAfter: targetAfter, counterparty: sourceWalletId } as const;
    flows.push(addFlow(source, debit, cause), addFlow(target, credit, cause));
    return undefined;
  }

  function hold({ sourceWalletId, targetWalletId, amount, currency }: Move): FailureName | undefined {
    const decimals = decimalsOf(currency);
    const [source, target] = [wallet(sourceWalletId, currency), wallet(targetWalletId, currency)];
    if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
    if (lacks(source, amount)) return 'INSUFFICIENT_BALANCE';
    const held = source.held.plus(amount);
    if (!fitsBalance(held, decimals)) return 'BALANCE_LIMIT';
    judge(source, amount, 0, 1);
    source.held = held;
    source.openHolds += 1;
    return undefined;
  }

  function release(source: WalletDraft, amount: Money, closes: boolean): void {
    if (source.held.lessThan(amount)) throw new ImpossibleEffectError('its wallet holds less than it gives back');
    source.held = source.held.minus(amount);
    if (closes) source.openHolds -= 1;
  }

  function use(order: string, leg: number, change: (used: UsedLeg) => Progress): void {
    const legs = used.get(order) ?? seen.parent(order)?.legs;
    if (legs === undefined) throw new ImpossibleEffectError('the order that it refers to is absent');
    const one = legs[leg];
    if (one === undefined) throw new ImpossibleEffectError('it refers to a leg that is absent');
    used.set(order, legs.with(leg, { ...one, progress: change(one) }));
  }

  function apply(effect: Effect): FailureName | undefined {
    if ('amount' in effect && !effect.amount.greaterThan(0))
      throw new ImpossibleEffectError('its amount is no number above 0');
    switch (effect.kind) {
      case 'move':
        return move(effect, effect.leg);
      case 'hold':
        return hold(effect);
      case 'release':
        release(wallet(effect.sourceWalletId, effect.currency), effect.amount, effect.closes);
        return undefined;
      case 'progress': {
        const { order, leg, part, amount } = effect;
        use(order, leg, (one) => {
          if (amount.greaterThan(remainingOf(one))) throw new ImpossibleEffectError('it uses more than there is');
          return { ...one.progress, [part]: one.progress[part].plus(amount) };
        });
        return undefined;
      }
      case 'expire':
        use(effect.order, 0, ({ progress }) => ({ ...progress, hasExpired: true }));
        return undefined;
    }
  }

  for (const effect of effects) {
    const name = apply(effect);
    if (name !== undefined) return { name, leg: effect.kind === 'move' ? effect.leg : undefined };
  }
  return { wallets, used, flows, exceeded };
}

/** Whether a wallet may not spare an amount. EXTERNAL stands for the world outside, and may spare any. */
function lacks(wallet: Wallet, amount: Money): boolean {
  return wallet.kind !== 'EXTERNAL' && availableOf(wallet).lessThan(amount);
}

/** `counterparty` is the id of the other wallet. */
type FlowSide = Pick<Flow, 'direction' | 'amount' | 'balanceAfter' | 'leg'> & { readonly counterparty: string };

/** Writes the next flow of a wallet, which then stands as it leaves it. */
function addFlow(
  wallet: WalletDraft,
  { direction, amount, balanceAfter, counterparty, leg }: FlowSide,
  { orderId, postedAt }: Cause,
): Flow {
  const sequence = wallet.sequence + 1;
  const flow = {
    id: flowId(wallet.id, sequence),
    workspaceId: wallet.workspaceId,
    walletId: wallet.id,
    sequence,
    direction,
    amount,
    currency: wallet.currency,
    balanceBefore: wallet.balance,
    balanceAfter,
    debits: direction === 'DEBIT' ? wallet.debits.plus(amount) : wallet.debits,
    debitOrders: wallet.debitOrders,
    transferId: orderId,
    leg,
    counterpartyWalletId: counterparty,
    createdAt: dateOn(wallet, postedAt),
    hash: '',
  };
  flow.hash = hashFlow(wallet.flowHash, flow);
  wallet.balance = balanceAfter;
  wallet.sequence = sequence;
  if (direction === 'DEBIT') wallet.debitFlows += 1;
  wallet.debits = flow.debits;
  wallet.flowHash = flow.hash;
  wallet.lastFlowAt = flow.createdAt;
  wallet.updatedAt = flow.createdAt;
  return flow;
}
