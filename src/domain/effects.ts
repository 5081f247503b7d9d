import { hashFlow } from './flow-hash.ts';
import { flowId } from './ids.ts';
import { fitsBalance, type Money } from './money.ts';
import type { ErrorName } from '../errors.ts';
import type { Direction, Flow, Wallet } from './wallet.ts';

/** An amount that goes from one wallet to another. It leaves a debit and a credit. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly amount: Money;
}

/** What posting an order changes. */
export interface Effect extends Move {
  readonly kind: 'move';
}

/** Why an order cannot have its effects, for good. */
export type FailureName = Extract<ErrorName, 'INSUFFICIENT_BALANCE' | 'WALLET_NOT_ACTIVE' | 'BALANCE_LIMIT'>;

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

export interface Applied {
  /** The wallets that changed, by id, as they are afterwards: copies that are the caller's. */
  readonly wallets: ReadonlyMap<string, WalletDraft>;
  /** A debit and a credit for each move. */
  readonly flows: readonly Flow[];
}

/** An effect cannot be applied whatever the balances: its data is at fault. */
export class ImpossibleEffectError extends Error {
  override readonly name = 'ImpossibleEffectError';
}

/**
 * Applies the effects of one order, one after the other: all of them or none. This is the one place that says what must
 * hold of a wallet: it is active, has the currency, is not below zero unless it is EXTERNAL, and keeps within its digits.
 * Pure. @param walletNow a wallet as the orders before have left it.
 * @returns what changed, or why the order fails. @throws ImpossibleEffectError.
 */
export function applyEffects(
  effects: readonly Effect[],
  walletNow: (id: string) => Wallet | undefined,
  cause: Cause,
): Applied | FailureName {
  const wallets = new Map<string, WalletDraft>();
  const flows: Flow[] = [];
  const wallet = (id: string): WalletDraft => {
    const known = wallets.get(id);
    if (known !== undefined) return known;
    const found = walletNow(id);
    if (found === undefined) throw new ImpossibleEffectError('a wallet is absent');
    if (found.currency !== cause.currency) throw new ImpossibleEffectError('its currency is not that of its wallets');
    const draft = { ...found };
    wallets.set(id, draft);
    return draft;
  };
  for (const { from, to, amount } of effects) {
    if (!amount.greaterThan(0)) throw new ImpossibleEffectError('its amount is no number above 0');
    if (from === to) throw new ImpossibleEffectError('source and target are one wallet');
    const [source, target] = [wallet(from), wallet(to)];
    const [sourceAfter, targetAfter] = [source.balance.minus(amount), target.balance.plus(amount)];
    if (source.status !== 'ACTIVE' || target.status !== 'ACTIVE') return 'WALLET_NOT_ACTIVE';
    if (sourceAfter.isNegative() && source.kind !== 'EXTERNAL') return 'INSUFFICIENT_BALANCE';
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
  }
  return { wallets, flows };
}

interface Side {
  readonly direction: Direction;
  readonly amount: Money;
  readonly balanceAfter: Money;
  /** Id of the other wallet. */
  readonly counterparty: string;
}

function nextFlow(wallet: Wallet, { direction, amount, balanceAfter, counterparty }: Side, cause: Cause): Flow {
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
