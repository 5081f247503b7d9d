import { isDeepStrictEqual } from 'node:util';
import type { Alert, AlertCondition } from './alerts.ts';
import type { Limit } from './limits.ts';
import { fitsBalance, type Money } from './money.ts';
import { availableOf, type Wallet, type WalletStatus } from './wallet.ts';

/** What a wallet is to become: of another status, with another credit limit, or with other notes of its client. */
export type WalletChange =
  | { readonly status: WalletStatus }
  /** `decimals` are those of the wallet's currency. */
  | { readonly creditLimit: Money; readonly decimals: number }
  /** Replace all that there are. */
  | { readonly limits: readonly Limit[] }
  | { readonly alerts: readonly NewAlert[] }
  /** At least one. The metadata replaces all that there is. */
  | WalletNotes;

/** An alert as its wallet's owner sets it. */
export type NewAlert = AlertCondition & Pick<Alert, 'name'>;

export type WalletNotes = Readonly<Partial<Pick<Wallet, 'name' | 'metadata'>>>;

/** Why a wallet is not changed. */
export type ChangeRefusal = 'CLOSED' | 'NOT_EMPTY' | 'LIMIT_IN_USE' | 'TOO_MANY_DIGITS' | 'NO_SUCH_LIMIT';

/**
 * Changes a wallet, but for its version and times; what its alerts then tell is judged by itself. An alert whose condition stays
 * keeps its state, any other one begins as cleared. @param now since when it is so.
 * @returns the same object if it is so already; or why it stays as it is.
 */
export function changeWallet(wallet: Wallet, change: WalletChange, now: Date): Wallet | ChangeRefusal {
  if ('status' in change) {
    const { status } = change;
    if (wallet.status === status) return wallet;
    if (wallet.status === 'CLOSED') return 'CLOSED';
    if (status === 'CLOSED' && !(wallet.balance.isZero() && wallet.held.isZero())) return 'NOT_EMPTY';
    return { ...wallet, status };
  }
  if (wallet.status === 'CLOSED') return 'CLOSED';
  if ('limits' in change) return setLimits(wallet, change.limits);
  if ('alerts' in change) return setAlerts(wallet, change.alerts, now);
  if (!('creditLimit' in change)) {
    const { name = wallet.name, metadata = wallet.metadata } = change;
    const isUnchanged = name === wallet.name && isDeepStrictEqual(metadata ?? {}, wallet.metadata ?? {});
    return isUnchanged ? wallet : { ...wallet, name, ...(metadata === undefined ? {} : { metadata }) };
  }
  const { creditLimit, decimals } = change;
  if (wallet.creditLimit.equals(creditLimit)) return wallet;
  const available = availableOf({ ...wallet, creditLimit });
  if (available.isNegative()) return 'LIMIT_IN_USE';
  return fitsBalance(available, decimals) ? { ...wallet, creditLimit } : 'TOO_MANY_DIGITS';
}

function setLimits(wallet: Wallet, wanted: readonly Limit[]): Wallet {
  const { limits: before = [], sequence } = wallet;
  const limits = wanted.map((limit): Limit => {
    const same = before.find(({ since: _, ...asked }) => isSame(asked, limit));
    return same ?? { ...limit, since: sequence };
  });
  return isSame(limits, before) ? wallet : { ...wallet, limits };
}

function setAlerts(wallet: Wallet, wanted: readonly NewAlert[], now: Date): Wallet | ChangeRefusal {
  const { alerts: before = [] } = wallet;
  if (unwatchable(wallet, wanted) !== -1) return 'NO_SUCH_LIMIT';
  const alerts = wanted.map((alert): Alert => {
    const same = before.find(({ state: _, since: __, ...condition }) => isSame(condition, alert));
    return same ?? { ...alert, state: 'cleared', since: now };
  });
  return isSame(alerts, before) ? wallet : { ...wallet, alerts };
}

/** The place of the first alert of which the wallet has no such limit, or one that counts nothing before an order; -1 if there is none. */
export function unwatchable({ limits = [] }: Pick<Wallet, 'limits'>, alerts: readonly NewAlert[]): number {
  const names = limits.flatMap(({ name, window }) => (window === 'order' ? [] : name));
  return alerts.findIndex(({ limitUsed }) => limitUsed !== undefined && !names.includes(limitUsed.limit));
}

/** Whether two lists or conditions are the same, their money and shares by value. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b));
}

/** As JSON has it, where money is text without zeros at its end. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
