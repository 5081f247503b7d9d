import type { Clock } from '../../clock.ts';
import { newId } from '../../domain/ids.ts';
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
import type { ApiRequest } from '../route.ts';

const retryAfterSeconds = 1;

export type WalletChanges = ReturnType<typeof createWalletChanges>;

/**
 * Makes and changes wallets for clients, each time with its event in the audit, which names the key. What the servers are at
 * fault for is repeated while the request has time.
 * @param onChanged is told the id of a wallet that was changed.
 */
export function createWalletChanges(
  wallets: Pick<Wallets, 'make' | 'change'>,
  auditedFor: (request: ApiRequest) => Audited,
  throughFailover: ThroughFailover,
  clock: Clock,
  onChanged: (walletId: string) => Promise<void>,
) {
  return {
    /** @param refuse throws if it cannot be this wallet. */
    make(
      request: ApiRequest,
      { workspaceId, ...values }: NewWallet,
      refuse: (made: MadeWallet) => void,
    ): Promise<MadeWallet> {
      const { name, currency, reference, creditLimit } = values;
      const subject = {
        currency,
        name,
        ...(reference === undefined ? {} : { reference }),
        ...(creditLimit === undefined || creditLimit.isZero() ? {} : { creditLimit: creditLimit.toFixed() }),
      };
      const wanted = { ...values, workspaceId, id: newId('wallet', clock()) };
      return auditedFor(request)(
        { action: 'wallet create', workspaceId, subject },
        async () => {
          const made = await throughFailover(
            workspaceId,
            (timeLeftMs) => wallets.make(wanted, timeLeftMs),
            request.timeLeftMs,
          );
          refuse(made);
          return made;
        },
        // Another request may have made it since this one looked.
        ({ wallet, isNew }) => ({ walletId: wallet.id, ...(isNew ? {} : { isReplay: true }) }),
      );
    },

    /**
     * @param what its verb, and what is to be recorded beside the wallet. @param refuse throws if it may not be changed so.
     * @throws whatever `refuse` does.
     */
    change(
      request: ApiRequest,
      { workspaceId, id }: Wallet,
      what: {
        readonly verb: string;
        readonly change: WalletChange;
        readonly values?: Readonly<Record<string, string>>;
      },
      refuse: (outcome: WalletOutcome | undefined) => Wallet,
    ): Promise<Wallet> {
      const { verb, change, values } = what;
      const make = async () => {
        let attempts = 0;
        const attempt = (timeLeftMs: () => number) => {
          attempts += 1;
          return wallets.change({ workspaceId, id, change, timeLeftMs });
        };
        const outcome = await throughFailover(workspaceId, attempt, request.timeLeftMs);
        const wallet = refuse(outcome);
        await onChanged(id);
        // Another request has done the same since this one looked; or an earlier attempt, whose answer was lost.
        return { wallet, isReplay: outcome?.outcome === 'unchanged' && attempts === 1 };
      };
      const subject = { walletId: id, ...values };
      return auditedFor(request)({ action: `wallet ${verb}`, workspaceId, subject }, make, ({ isReplay }) =>
        isReplay ? { isReplay } : {},
      ).then(({ wallet }) => wallet);
    },
  };
}

/**
 * Records the changes of a request as its key's. An event whose answer is lost is recorded again under its id.
 * @throws ServiceError UNAVAILABLE it could not be recorded, so nothing was changed.
 */
export function createAuditedFor(
  auditEvents: Pick<AuditEvents, 'begin' | 'end'>,
  throughFailover: ThroughFailover,
  clock: Clock,
) {
  return (request: ApiRequest): Audited => {
    const { workspaceId, signedRequest, timeLeftMs } = request;
    const begin: AuditEvents['begin'] = async (who, change) => {
      const id = newId('audit', clock());
      const record = () => auditEvents.begin(who, change, id);
      return throughFailover(workspaceId, record, timeLeftMs).catch((cause: unknown) => {
        throw isTransientFault(cause)
          ? new ServiceError('UNAVAILABLE', { cause, retryAfterSeconds, server: 'mongodb' })
          : cause;
      });
    };
    const { address = null } = request.caller();
    return auditedBy({ begin, end: auditEvents.end }, { actor: signedRequest.keyId, claimedActor: null, address });
  };
}
