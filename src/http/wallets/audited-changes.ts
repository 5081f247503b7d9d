import type { Clock, ClockOf } from '../../clock.ts';
import { newId, newIdIn } from '../../domain/ids.ts';
import type { WalletChange } from '../../domain/wallet-change.ts';
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

interface WalletChangeParts {
  readonly wallets: Pick<Wallets, 'make' | 'change'>;
  readonly auditEvents: Pick<AuditEvents, 'begin' | 'end'>;
  readonly throughFailover: ThroughFailover;
  readonly clock: Clock;
  readonly clockOf: ClockOf;
  /** Told the id of a wallet that was changed, and what that left for webhooks. */
  readonly onChanged: (walletId: string, entry: OutboxEntry | undefined) => Promise<void>;
}

/**
 * Makes and changes wallets for clients, each time with its event in the audit, which names the key. What the servers are at
 * fault for is repeated while the request has time.
 */
export class WalletChanges {
  readonly #parts: WalletChangeParts;

  constructor(parts: WalletChangeParts) {
    this.#parts = parts;
  }

  /** @param refuse throws if it cannot be this wallet. */
  async make(
    request: ApiRequest,
    { workspaceId, ...values }: NewWallet,
    refuse: (made: MadeWallet) => void,
  ): Promise<MadeWallet> {
    const { wallets, throughFailover, clockOf } = this.#parts;
    const { name, currency, reference, creditLimit } = values;
    const subject = {
      currency,
      name,
      ...(reference === undefined ? {} : { reference }),
      ...(creditLimit === undefined || creditLimit.isZero() ? {} : { creditLimit: creditLimit.toFixed() }),
    };
    const wallet = { ...values, workspaceId, id: newIdIn(workspaceId, 'wallet', (await clockOf(workspaceId))()) };
    const attempt = (timeLeftMs: () => number) => wallets.make(wallet, timeLeftMs);
    return this.#auditedFor(request)(
      { action: 'wallet create', workspaceId, subject },
      async () => {
        const made = await throughFailover(workspaceId, attempt, request.timeLeftMs);
        refuse(made);
        return made;
      },
      // Another request may have made it since this one looked.
      (made) => ({ walletId: made.wallet.id, ...(made.isNew ? {} : { isReplay: true }) }),
    );
  }

  /**
   * @param what its verb, and what is to be recorded beside the wallet and of it as it was before. @param refuse throws if it
   * may not be changed so.
   * @throws whatever `refuse` does.
   */
  async change(
    request: ApiRequest,
    { workspaceId, id }: Wallet,
    what: {
      readonly verb: string;
      readonly change: WalletChange;
      readonly values?: Readonly<Record<string, string>>;
      readonly before?: (wallet: Wallet) => Readonly<Record<string, string>>;
    },
    refuse: (outcome: WalletOutcome | undefined) => Wallet,
  ): Promise<Wallet> {
    const { wallets, throughFailover, onChanged } = this.#parts;
    const { verb, change, values, before } = what;
    let attempts = 0;
    const attempt = (timeLeftMs: () => number) => {
      attempts += 1;
      return wallets.change({ workspaceId, id, change, timeLeftMs });
    };
    const { wallet } = await this.#auditedFor(request)(
      { action: `wallet ${verb}`, workspaceId, subject: { walletId: id, ...values } },
      async () => {
        const outcome = await throughFailover(workspaceId, attempt, request.timeLeftMs);
        const changed = refuse(outcome);
        await onChanged(id, outcome?.entry);
        // Another request has done the same since this one looked; or an earlier attempt, whose answer was lost.
        const isReplay = outcome?.outcome === 'unchanged' && attempts === 1;
        return { wallet: changed, isReplay, was: outcome?.before };
      },
      ({ isReplay, was }) => ({ ...(isReplay ? { isReplay } : {}), ...(was === undefined ? {} : before?.(was)) }),
    );
    return wallet;
  }

  /**
   * Records the changes of a request as its key's. An event whose answer is lost is recorded again under its id.
   * @throws ServiceError UNAVAILABLE it could not be recorded, so nothing was changed.
   */
  #auditedFor(request: ApiRequest): Audited {
    const { auditEvents, throughFailover, clock } = this.#parts;
    const { workspaceId, signedRequest, timeLeftMs } = request;
    const begin: AuditEvents['begin'] = async (who, change) => {
      const id = newId('audit', clock());
      const record = () => auditEvents.begin(who, change, id);
      return throughFailover(workspaceId, record, timeLeftMs).catch((cause: unknown) => {
        throw isTransientFault(cause) ? new ServiceError('UNAVAILABLE', { cause, server: 'mongodb' }) : cause;
      });
    };
    const { address = null } = request.caller();
    return auditedBy({ begin, end: auditEvents.end }, { actor: signedRequest.keyId, claimedActor: null, address });
  }
}
