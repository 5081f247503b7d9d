import { hashFlow } from './flow-hash.ts';
import { flowId } from './ids.ts';
import { fitsBalance, type Money } from './money.ts';
import type { ErrorName } from '../errors.ts';
import { remainingOf, type Parent, type Progress, type ProgressPart } from './progress.ts';
import { availableOf, type Direction, type Flow, type Wallet } from './wallet.ts';

/** An amount that goes from one wallet to another. It leaves a debit and a credit. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly amount: Money;
}

/** What posting an order changes. */
export type Effect =
  | (Move & { readonly kind: 'move' })
  /** Reserves an amount on a wallet, for another one that must be active too. */
  | { readonly kind: 'hold'; readonly wallet: string; readonly target: string; readonly amount: Money }
  /** Gives back what was reserved, whatever the wallet's state. */
  | { readonly kind: 'release'; readonly wallet: string; readonly amount: Money }
  /** Uses a part of an order that was posted before. */
  | { readonly kind: 'progress'; readonly order: string; readonly part: ProgressPart; readonly amount: Money }
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
] as const satisfies readonly ErrorName[];
export type FailureName = (typeof failureNames)[number];

/** What the effects of an order have in common. */
export interface Cause {
  readonly orderId: string;
  readonly currency: string;
  /** How many decimals the currency has. */
  readonly decimals: number;
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
}

export interface Applied {
  /** The wallets that changed, as they are afterwards: copies that are the caller's. */
  readonly wallets: readonly WalletDraft[];
  /** How far the orders are that were used, by id. */
  readonly progress: ReadonlyMap<string, Progress>;
  /** A debit and a credit for each move. */
  readonly flows: readonly Flow[];
}

/** An effect cannot be applied whatever the balances: its data is at fault. */
export class ImpossibleEffectError extends Error {
  override readonly name = 'ImpossibleEffectError';
}

/**
 * Applies the effects of one order, one after the other: all of them or none. This is the one place that says what must
 * hold of a wallet: it is active where money comes or goes or is reserved, has the currency, has enough available unless it
 * is EXTERNAL, reserves nothing below zero, and keeps within its digits. It says too that no more of an order is used than
 * there is. Pure.
 * @returns what changed, or why the order fails. @throws ImpossibleEffectError.
 */
export function applyEffects(effects: readonly Effect[], seen: Seen, cause: Cause): Applied | FailureName {
  /** Two or three, in which a search is faster than a map. */
  const wallets: WalletDraft[] = [];
  const progress = new Map<string, Progress>();
  const flows: Flow[] = [];

  function wallet(id: string): WalletDraft {
    const earlier = wallets.find((draft) => draft.id === id);
    if (earlier !== undefined) return earlier;
    const stored = seen.wallet(id);
    if (stored === undefined) throw new ImpossibleEffectError('a wallet is absent');
    if (stored.currency !== cause.currency) throw new ImpossibleEffectError('its currency is not that of its wallets');
    const draft = { ...stored };
    wallets.push(draft);
    return draft;
  }

  function move({ from, to, amount }: Move): FailureName | undefined {
    if (from === to) throw new ImpossibleEffectError('source and target are one wallet');
    const [source, target] = [wallet(from), wallet(to)];
    const [sourceAfter, targetAfter] = [source.balance.minus(amount), target.balance.plus(amount)];
    if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
    if (lacks(source, amount)) return 'INSUFFICIENT_BALANCE';
    if (!fitsBalance(sourceAfter, cause.decimals) || !fitsBalance(targetAfter, cause.decimals)) return 'BALANCE_LIMIT';
    const debit = nextFlow(source, { direction: 'DEBIT', amount, balanceAfter: sourceAfter, counterparty: to }, cause);
    const credit = nextFlow(
      target,
      { direction: 'CREDIT', amount, balanceAfter: targetAfter, counterparty: from },
      cause,
    );
    addFlow(source, debit);
    addFlow(target, credit);
    flows.push(debit, credit);
    return undefined;
  }

  function hold(source: WalletDraft, target: Wallet, amount: Money): FailureName | undefined {
    if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
    if (lacks(source, amount)) return 'INSUFFICIENT_BALANCE';
    const held = source.held.plus(amount);
    if (!fitsBalance(held, cause.decimals)) return 'BALANCE_LIMIT';
    source.held = held;
    return undefined;
  }

  function release(source: WalletDraft, amount: Money): void {
    if (source.held.lessThan(amount)) throw new ImpossibleEffectError('its wallet holds less than it gives back');
    source.held = source.held.minus(amount);
  }

  function parentNow(id: string): Parent {
    const parent = seen.parent(id);
    if (parent === undefined) throw new ImpossibleEffectError('the order that it refers to is absent');
    return { ...parent, progress: progress.get(id) ?? parent.progress };
  }

  function apply(effect: Effect): FailureName | undefined {
    if ('amount' in effect && !effect.amount.greaterThan(0))
      throw new ImpossibleEffectError('its amount is no number above 0');
    switch (effect.kind) {
      case 'move':
        return move(effect);
      case 'hold':
        return hold(wallet(effect.wallet), wallet(effect.target), effect.amount);
      case 'release':
        release(wallet(effect.wallet), effect.amount);
        return undefined;
      case 'progress': {
        const parent = parentNow(effect.order);
        if (effect.amount.greaterThan(remainingOf(parent)))
          throw new ImpossibleEffectError('it uses more than there is');
        const used = parent.progress[effect.part].plus(effect.amount);
        progress.set(parent.id, { ...parent.progress, [effect.part]: used });
        return undefined;
      }
      case 'expire': {
        const parent = parentNow(effect.order);
        progress.set(parent.id, { ...parent.progress, hasExpired: true });
        return undefined;
      }
    }
  }

  for (const effect of effects) {
    const refusal = apply(effect);
    if (refusal !== undefined) return refusal;
  }
  return { wallets, progress, flows };
}

/** Whether a wallet may not spare an amount. EXTERNAL stands for the world outside, and may spare any. */
function lacks(wallet: Wallet, amount: Money): boolean {
  return wallet.kind !== 'EXTERNAL' && availableOf(wallet).lessThan(amount);
}

interface FlowSide {
  readonly direction: Direction;
  readonly amount: Money;
  readonly balanceAfter: Money;
  /** Id of the other wallet. */
  readonly counterparty: string;
}

function nextFlow(wallet: Wallet, { direction, amount, balanceAfter, counterparty }: FlowSide, cause: Cause): Flow {
  const sequence = wallet.sequence + 1;
  const flow = {
    id: flowId(wallet.id, sequence),
    workspaceId: wallet.workspaceId,
    walletId: wallet.id,
    sequence,
    direction,
    amount,
    currency: cause.currency,
    balanceBefore: wallet.balance,
    balanceAfter,
    debits: direction === 'DEBIT' ? wallet.debits.plus(amount) : wallet.debits,
    transferId: cause.orderId,
    counterpartyWalletId: counterparty,
    createdAt: wallet.lastFlowAt > cause.postedAt ? wallet.lastFlowAt : cause.postedAt,
    hash: '',
  };
  flow.hash = hashFlow(wallet.flowHash, flow);
  return flow;
}

function addFlow(wallet: WalletDraft, flow: Flow): void {
  wallet.balance = flow.balanceAfter;
  wallet.sequence = flow.sequence;
  if (flow.direction === 'DEBIT') wallet.debitFlows += 1;
  wallet.debits = flow.debits;
  wallet.flowHash = flow.hash;
  wallet.lastFlowAt = flow.createdAt;
  wallet.updatedAt = flow.createdAt;
}
