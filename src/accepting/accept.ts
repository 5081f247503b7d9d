import type { Clock } from '../clock.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import { newOrder } from '../orders/order.ts';
import type { NamedWallet } from '../orders/type.ts';
import { typeOf } from '../orders/types.ts';
import type { ThroughFailover } from '../failover.ts';
import type { RecordedOrder } from '../storage/orders/orders.ts';
import { UnsettledError } from '../storage/shared/transaction.ts';
import type { Accepted, OrderRequest, Recorder } from './record.ts';
import type { WalletCheck } from './wallet-check.ts';

export type Acceptor = ReturnType<typeof createAcceptor>;

interface AcceptorParts {
  readonly recorder: Recorder;
  readonly walletCheck: WalletCheck;
  readonly throughFailover: ThroughFailover;
  /** Throws UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL while this workspace's orders should not be taken. */
  readonly checkPressure: (workspaceId: string) => void;
  /** Dates the orders. */
  readonly clock: Clock;
}

export function createAcceptor({ recorder, walletCheck, throughFailover, checkPressure, clock }: AcceptorParts) {
  /** Checks the wallets. @returns the order of a known bizId if they are refused, because the bizId counts first. */
  async function checkWallets(asked: OrderRequest, named: readonly NamedWallet[]): Promise<Accepted | undefined> {
    try {
      await walletCheck.check(asked.workspaceId, asked.currency, named);
      return undefined;
    } catch (refusal) {
      const known = refusal instanceof ServiceError ? await recorder.replay(asked) : undefined;
      if (known === undefined) throw refusal;
      return known;
    }
  }

  /** A failed attempt may have recorded the order all the same, so every further attempt records the very same order. */
  function attempts(asked: OrderRequest, named: readonly NamedWallet[]) {
    let order: RecordedOrder | undefined;
    return async (timeLeftMs: () => number): Promise<Accepted> => {
      if (order === undefined) {
        const known = await checkWallets(asked, named);
        if (known !== undefined) return known;
        order = newOrder(asked, clock());
      }
      if (await recorder.record(order, timeLeftMs)) return { order, isReplay: false };
      // The bizId is known, the same signed request came before Redis lost its nonce, or an earlier attempt succeeded.
      const known = await recorder.replay(asked, order);
      if (known !== undefined) return known;
      await recorder.refuseUsedRequest(asked, order);
      // After an election the new primary may not show yet what is on a majority, or the old one had what is lost now.
      throw new UnsettledError('no majority has the order that this one repeats');
    };
  }

  return {
    /**
     * Records an order, durable on a majority when this resolves, and wakes a worker for it. Repeating a call with the same
     * bizId and values returns the first call's order, also when both run at once. However many attempts an election takes,
     * the order is recorded once.
     * @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL, with nothing stored, under too much load;
     * BIZ_ID_CONFLICT, SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH, in that order of checks;
     * NONCE_REUSED if the signed request made an order before, which a majority has.
     * Source: docs/contract.md, "Creating a transfer".
     * @param timeLeftMs until the caller answers that it took too long. No attempt begins too late to end by then.
     */
    async accept(asked: OrderRequest, timeLeftMs = () => Infinity): Promise<Accepted> {
      checkPressure(asked.workspaceId);
      const named = typeOf(asked).wallets(asked);
      walletCheck.refuseExternal(named);
      return throughFailover(asked.workspaceId, attempts(asked, named), timeLeftMs);
    },
    /**
     * For a create that is refused because its currency has changed: finds the order that it repeats. It records nothing, and
     * waits out an election as {@link accept} does.
     * @returns undefined if no order has its bizId and its values, or it names an EXTERNAL wallet.
     * @throws ServiceError NONCE_REUSED as accept does.
     */
    async findRepeated(asked: OrderRequest, timeLeftMs = () => Infinity): Promise<Accepted | undefined> {
      const named = typeOf(asked).wallets(asked);
      if (named.some(({ id }) => isExternalWalletId(id))) return undefined;
      try {
        return await throughFailover(asked.workspaceId, () => recorder.replay(asked), timeLeftMs);
      } catch (error) {
        if (error instanceof ServiceError && error.errorName === 'BIZ_ID_CONFLICT') return undefined;
        throw error;
      }
    },
  };
}
