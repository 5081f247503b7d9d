import type { Order } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';
import { createBatcher } from '../batcher.ts';
import { createFreshCache } from '../cache.ts';
import type { WalletReference, Wallets, WalletSide } from '../storage/wallets.ts';

type Sides = Pick<Order, 'workspaceId' | 'sourceWalletId' | 'targetWalletId' | 'currency'>;

/** A freeze bites within a second on every process, also where the word of it gets lost; at posting it always does. */
const rememberedMs = 900;
const rememberedMax = 50_000;

/**
 * Active wallets are remembered for a moment, for those of their workspace alone: to all others the answer, and the time
 * it takes, is that of a wallet that does not exist. One that is not active is not remembered.
 * @param mayUseExternal whether an EXTERNAL wallet counts as existing: for the administrator alone.
 */
export function createWalletCheck(wallets: Wallets, mayUseExternal: boolean) {
  const cache = createFreshCache<WalletSide>({ max: rememberedMax, ttlMs: rememberedMs });

  const exists = (wallet: WalletSide | undefined, workspaceId: string): wallet is WalletSide =>
    wallet?.workspaceId === workspaceId && (wallet.kind === 'STANDARD' || mayUseExternal);

  function remembered(id: string, workspaceId: string): WalletSide | undefined {
    const side = cache.get(id);
    return exists(side, workspaceId) ? side : undefined;
  }

  const findPair = createBatcher({
    flush: async (transfers: readonly Sides[]) => {
      const unknown = new Map<string, WalletReference>();
      const pairs = transfers.map(({ workspaceId, sourceWalletId, targetWalletId }) =>
        [sourceWalletId, targetWalletId].map((id) => {
          const side = remembered(id, workspaceId);
          if (side === undefined) unknown.set(`${workspaceId} ${id}`, { workspaceId, id });
          return { id, side };
        }),
      );
      const found = await find([...unknown.values()]);
      return pairs.map((pair) => pair.map(({ id, side }) => side ?? found.get(id)));
    },
  });

  async function find(references: readonly WalletReference[]): Promise<ReadonlyMap<string, WalletSide>> {
    if (references.length === 0) return new Map();
    const keep = cache.begin();
    const found = await wallets.findSides(references);
    for (const [id, side] of found) if (side.status === 'ACTIVE') keep(id, side);
    return found;
  }

  return {
    /**
     * Checks, in this order, that a transfer's wallets are two, exist in its workspace, are active and hold its currency.
     * Look-ups of one moment share a query. A wallet may still change afterwards: posting checks again.
     * @throws ServiceError SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH.
     */
    async check(transfer: Sides): Promise<void> {
      const { workspaceId, sourceWalletId, targetWalletId, currency } = transfer;
      if (sourceWalletId === targetWalletId) throw new ServiceError('SAME_WALLET', { field: 'targetWalletId' });
      let source = remembered(sourceWalletId, workspaceId);
      let target = remembered(targetWalletId, workspaceId);
      if (source === undefined || target === undefined) [source, target] = await findPair(transfer);
      if (!exists(source, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'sourceWalletId' });
      if (!exists(target, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'targetWalletId' });
      const sides = [
        { field: 'sourceWalletId', side: source },
        { field: 'targetWalletId', side: target },
      ];
      for (const { field, side } of sides) {
        if (side.status !== 'ACTIVE') throw new ServiceError('WALLET_NOT_ACTIVE', { field, value: side.status });
      }
      for (const { field, side } of sides) {
        if (side.currency !== currency) throw new ServiceError('CURRENCY_MISMATCH', { field, value: side.currency });
      }
    },
    /** Looks at every wallet anew from now on: something was changed. */
    forget: cache.forget,
  };
}
