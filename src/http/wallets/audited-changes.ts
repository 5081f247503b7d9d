import type { Clock, ClockOf } from '../../clock.ts';
import type { Currencies } from '../../domain/currency.ts';
import { newId, newIdIn } from '../../domain/ids.ts';
import { formatMoney } from '../../domain/money.ts';
import type { ChangeRefusal, WalletChange } from '../../domain/wallet-change.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { ServiceError } from '../../errors.ts';
import type { ThroughFailover } from '../../waiting/failover.ts';
import type { AuditEvents } from '../../storage/audit.ts';
import { auditedBy, type Audited } from '../../storage/audited.ts';
import { isTransientFault } from '../../storage/shared/transaction.ts';
import type { WalletOutcome } from '../../storage/wallets/change.ts';
import type { MadeWallet } from '../../storage/wallets/create.ts';
import type { NewWallet } from '../../storage/wallets/documents.ts';
import type { Wallets } from '../../storage/wallets/wallets.ts';
import type { OutboxEntry } from '../../storage/webhooks/outbox.ts';
import type { ApiRequest } from '../route.ts';
import { limitField } from './manage.ts';

/** What a body asks for. */
export interface WantedChange {
  readonly of: (wallet: Wallet) => WalletChange;
  /** What the audit has of it, beside the wallet; and of the wallet as it was before. */
  readonly values?: (wallet: Wallet) => Record<string, string>;
  readonly before?: (wallet: Wallet) => Record<string, string>;
}

interface WalletChangeParts {
  readonly wallets: Pick<Wallets, 'make' | 'change'>;
  readonly auditEvents: Pick<AuditEvents, 'begin' | 'end'>;
  readonly throughFailover: ThroughFailover;
  readonly currencies: Currencies;
  readonly clock: Clock;
  readonly clockOf: ClockOf;
  /** Told the id of a wallet that was changed, and what that left for webhooks. */
  readonly onChanged: (walletId: string, entry: OutboxEntry | undefined) => Promise<void>;
}

/**
 * Makes and changes wallets for clients, each time with its event in the audit, which names the key. What the servers are at
 * fault for is repeated while the request has time.
 */
export function createWalletChanges(parts: WalletChangeParts) {
  const { wallets, auditEvents, throughFailover, currencies, clock, clockOf, onChanged } = parts;

  /**
   * Records the changes of a request as its key's. An event whose answer is lost is recorded again under its id.
   * @throws ServiceError UNAVAILABLE it could not be recorded, so nothing was changed.
   */
  function auditedFor({ workspaceId, signedRequest, caller, timeLeftMs }: ApiRequest): Audited {
    const begin: AuditEvents['begin'] = async (who, change) => {
      const id = newId('audit', clock());
      const record = () => auditEvents.begin(who, change, id);
      return throughFailover(workspaceId, record, timeLeftMs).catch((cause: unknown) => {
        throw isTransientFault(cause) ? new ServiceError('UNAVAILABLE', { cause, server: 'mongodb' }) : cause;
      });
    };
    const { address = null } = caller();
    return auditedBy({ begin, end: auditEvents.end }, { actor: signedRequest.keyId, claimedActor: null, address });
  }

  return {
    /** @throws ServiceError WALLET_REFERENCE_CONFLICT. */
    async make(request: ApiRequest, { workspaceId, ...values }: NewWallet): Promise<MadeWallet> {
      const { name, currency, reference, creditLimit } = values;
      const subject = {
        currency,
        name,
        ...(reference === undefined ? {} : { reference }),
        ...(creditLimit === undefined || creditLimit.isZero() ? {} : { creditLimit: creditLimit.toFixed() }),
      };
      const wallet = { ...values, workspaceId, id: newIdIn(workspaceId, 'wallet', (await clockOf(workspaceId))()) };
      const attempt = (timeLeftMs: () => number) => wallets.make(wallet, timeLeftMs);
      return auditedFor(request)(
        { action: 'wallet create', workspaceId, subject },
        async () => {
          const made = await throughFailover(workspaceId, attempt, request.timeLeftMs);
          refuseOtherCurrency(made.wallet, currency);
          return made;
        },
        // Another request may have made it since this one looked.
        (made) => ({ walletId: made.wallet.id, ...(made.isNew ? {} : { isReplay: true }) }),
      );
    },

    /** @throws ServiceError as {@link changedOr} does; WALLET_NOT_FOUND it is there no more. */
    async change(
      request: ApiRequest,
      wallet: Wallet,
      what: Omit<WantedChange, 'of'> & { readonly verb: string; readonly change: WalletChange },
    ): Promise<Wallet> {
      const { workspaceId, id } = wallet;
      const { verb, change, values, before } = what;
      let attempts = 0;
      const attempt = (timeLeftMs: () => number) => {
        attempts += 1;
        return wallets.change({ workspaceId, id, change, timeLeftMs });
      };
      const made = await auditedFor(request)(
        { action: `wallet ${verb}`, workspaceId, subject: { walletId: id, ...values?.(wallet) } },
        async () => {
          const outcome = await throughFailover(workspaceId, attempt, request.timeLeftMs);
          if (outcome === undefined) throw new ServiceError('WALLET_NOT_FOUND', { field: 'id' });
          const changed = changedOr(outcome, currencies);
          await onChanged(id, outcome.entry);
          // Another request has done the same since this one looked; or an earlier attempt, whose answer was lost.
          const isReplay = outcome.outcome === 'unchanged' && attempts === 1;
          return { wallet: changed, isReplay, was: outcome.before };
        },
        ({ isReplay, was }) => ({ ...(isReplay ? { isReplay } : {}), ...(was && before?.(was)) }),
      );
      return made.wallet;
    },
  };
}

/** @throws ServiceError WALLET_REFERENCE_CONFLICT the wallet that has the reference is in another currency. */
export function refuseOtherCurrency(wallet: Wallet, currency: string): void {
  if (wallet.currency !== currency)
    throw new ServiceError('WALLET_REFERENCE_CONFLICT', { field: 'reference', value: wallet.id });
}

/** @throws ServiceError why a wallet of clients may not be changed so. */
export function changedOr({ wallet, outcome }: WalletOutcome, currencies: Currencies): Wallet {
  if (outcome === 'changed' || outcome === 'unchanged') return wallet;
  throw refusals[outcome](wallet, currencies.get(wallet.currency) ?? 0);
}

const refusals: Readonly<Record<ChangeRefusal, (wallet: Wallet, decimals: number) => ServiceError>> = {
  CLOSED: () => new ServiceError('WALLET_STATE_CONFLICT'),
  NOT_EMPTY: () => new ServiceError('WALLET_NOT_EMPTY'),
  LIMIT_IN_USE: ({ held, balance }, decimals) =>
    new ServiceError('CREDIT_LIMIT_IN_USE', { field: limitField, value: formatMoney(held.minus(balance), decimals) }),
  TOO_MANY_DIGITS: () => new ServiceError('TOO_MANY_DIGITS', { field: limitField }),
  NO_SUCH_LIMIT: () => new ServiceError('VALUE_NOT_ALLOWED', { field: 'alerts' }),
};
