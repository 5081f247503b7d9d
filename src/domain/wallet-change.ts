import { isDeepStrictEqual } from 'node:util';
import { fitsBalance, type Money } from './money.ts';
import { availableOf, type Wallet, type WalletStatus } from './wallet.ts';

/** What a wallet is to become: of another status, with another credit limit, or with other notes of its client. */
export type WalletChange =
  | { readonly status: WalletStatus }
  /** `decimals` are those of the wallet's currency. */
  | { readonly creditLimit: Money; readonly decimals: number }
  /** At least one. The metadata replaces all that there is. */
  | WalletNotes;

export type WalletNotes = Readonly<Partial<Pick<Wallet, 'name' | 'metadata'>>>;

/** Why a wallet is not changed. */
export type ChangeRefusal = 'CLOSED' | 'NOT_EMPTY' | 'LIMIT_IN_USE' | 'TOO_MANY_DIGITS';

/**
 * Changes a wallet, but for its version and times.
 * @returns the same object if it is so already; or why it stays as it is.
 */
export function changeWallet(wallet: Wallet, change: WalletChange): Wallet | ChangeRefusal {
  if ('status' in change) {
    const { status } = change;
    if (wallet.status === status) return wallet;
    if (wallet.status === 'CLOSED') return 'CLOSED';
    if (status === 'CLOSED' && !(wallet.balance.isZero() && wallet.held.isZero())) return 'NOT_EMPTY';
    return { ...wallet, status };
  }
  if (wallet.status === 'CLOSED') return 'CLOSED';
  if (!('creditLimit' in change)) {
    const { name = wallet.name, metadata = wallet.metadata } = change;
    const isSame = name === wallet.name && isDeepStrictEqual(metadata ?? {}, wallet.metadata ?? {});
    return isSame ? wallet : { ...wallet, name, ...(metadata === undefined ? {} : { metadata }) };
  }
  const { creditLimit, decimals } = change;
  if (wallet.creditLimit.equals(creditLimit)) return wallet;
  const available = availableOf({ ...wallet, creditLimit });
  if (available.isNegative()) return 'LIMIT_IN_USE';
  return fitsBalance(available, decimals) ? { ...wallet, creditLimit } : 'TOO_MANY_DIGITS';
}
