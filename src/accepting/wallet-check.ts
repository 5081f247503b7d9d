import type { Order } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';
import { createWorkspaceBatcher } from '../batcher.ts';
import { createFreshCache } from '../cache.ts';
import type { Turns } from '../turns.ts';
import type { WalletReference, Wallets, TransferWallet } from '../storage/wallets/wallets.ts';

type Transfer = Pick<Order, 'workspaceId' | 'sourceWalletId' | 'targetWalletId' | 'currency'>;

/** So a freeze takes effect within a second in every process, even if its announcement is lost. Posting always sees it. */
const rememberedMs = 900;
const rememberedMax = 50_000;

/**
 * Remembers active wallets for a moment, and for creates of their own workspace alone: for other workspaces the answer, and
 * the time that it takes, is that for a wallet that does not exist. A wallet that is not active is not remembered.
 * @param mayUseExternal whether an EXTERNAL wallet counts as existing: for the administrator alone.
 * @param turns see {@link createWorkspaceBatcher}.
 */
export function createWalletCheck(wallets: Wallets, mayUseExternal: boolean, turns?: Turns) {
  const cache = createFreshCache<TransferWallet>({ max: rememberedMax, ttlMs: rememberedMs });

  const exists = (wallet: TransferWallet | undefined, workspaceId: string): wallet is TransferWallet =>
    wallet?.workspaceId === workspaceId && (wallet.kind === 'STANDARD' || mayUseExternal);

  function remembered(id: string, workspaceId: string): TransferWallet | undefined {
    const wallet = cache.get(id);
    return exists(wallet, workspaceId) ? wallet : undefined;
  }

  const findPair = createWorkspaceBatcher(turns, {
    flush: async (transfers: readonly Transfer[]) => {
      const unknown = new Map<string, WalletReference>();
      const pairs = transfers.map(({ workspaceId, sourceWalletId, targetWalletId }) =>
        [sourceWalletId, targetWalletId].map((id) => {
          const wallet = remembered(id, workspaceId);
          if (wallet === undefined) unknown.set(`${workspaceId} ${id}`, { workspaceId, id });
          return { id, wallet };
        }),
      );
      const found = await find([...unknown.values()]);
      return pairs.map((pair) => pair.map(({ id, wallet }) => wallet ?? found.get(id)));
    },
  });

  async function find(references: readonly WalletReference[]): Promise<ReadonlyMap<string, TransferWallet>> {
    if (references.length === 0) return new Map();
    const keep = cache.begin();
    const found = await wallets.findForTransfer(references);
    for (const [id, wallet] of found) if (wallet.status === 'ACTIVE') keep(id, wallet);
    return found;
  }

  return {
    /**
     * Checks, in this order, that a transfer's wallets differ, exist in its workspace, are active and have its currency.
     * Look-ups that arrive together share a query. Posting checks again, because a wallet may change afterwards.
     * @throws ServiceError SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH.
     */
    async check(transfer: Transfer): Promise<void> {
      const { workspaceId, sourceWalletId, targetWalletId, currency } = transfer;
      if (sourceWalletId === targetWalletId) throw new ServiceError('SAME_WALLET', { field: 'targetWalletId' });
      let source = remembered(sourceWalletId, workspaceId);
      let target = remembered(targetWalletId, workspaceId);
      if (source === undefined || target === undefined) [source, target] = await findPair(transfer);
      if (!exists(source, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'sourceWalletId' });
      if (!exists(target, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'targetWalletId' });
      const both = [
        { field: 'sourceWalletId', wallet: source },
        { field: 'targetWalletId', wallet: target },
      ];
      for (const { field, wallet } of both) {
        if (wallet.status !== 'ACTIVE') throw new ServiceError('WALLET_NOT_ACTIVE', { field, value: wallet.status });
      }
      for (const { field, wallet } of both) {
        if (wallet.currency !== currency)
          throw new ServiceError('CURRENCY_MISMATCH', { field, value: wallet.currency });
      }
    },
    /** Forgets all wallets, because something was changed. */
    forget: cache.forget,
  };
}
