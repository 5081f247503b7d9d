import type { Order } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';
import { createGrouping } from '../grouping.ts';
import type { Wallets, WalletSide } from '../storage/wallets.ts';

type WalletPair = Pick<Order, 'sourceWalletId' | 'targetWalletId'>;
type Sides = WalletPair & Pick<Order, 'workspaceId' | 'currency'>;

/** Transfers whose wallets are looked up together. */
const lookupsMax = 256;
const lookupsInFlightMax = 2;
const lookupMaxMs = 12_000;

/**
 * Checks, in this order, that a transfer's wallets are two, exist in its workspace, are active and hold its currency.
 * Look-ups of one moment share a query. A wallet may still change afterwards: posting checks again.
 * @param mayUseExternal whether an EXTERNAL wallet counts as existing: for the administrator alone.
 * @throws ServiceError SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH.
 */
export function createWalletCheck(wallets: Wallets, mayUseExternal: boolean): (sides: Sides) => Promise<void> {
  const findPair = createGrouping({
    sizeMax: lookupsMax,
    inFlightMax: lookupsInFlightMax,
    flushMaxMs: lookupMaxMs,
    flush: async (pairs: readonly WalletPair[]) => {
      const ids = new Set(pairs.flatMap(({ sourceWalletId, targetWalletId }) => [sourceWalletId, targetWalletId]));
      const byId = await wallets.findSides([...ids]);
      return pairs.map(({ sourceWalletId, targetWalletId }) => ({
        source: byId.get(sourceWalletId),
        target: byId.get(targetWalletId),
      }));
    },
  });
  const exists = (wallet: WalletSide | undefined, workspaceId: string): wallet is WalletSide =>
    wallet?.workspaceId === workspaceId && (wallet.kind === 'STANDARD' || mayUseExternal);

  return async ({ workspaceId, sourceWalletId, targetWalletId, currency }) => {
    if (sourceWalletId === targetWalletId) throw new ServiceError('SAME_WALLET');
    const { source, target } = await findPair({ sourceWalletId, targetWalletId });
    if (!exists(source, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'sourceWalletId' });
    if (!exists(target, workspaceId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'targetWalletId' });
    const sides = [source, target];
    if (sides.some(({ status }) => status !== 'ACTIVE')) throw new ServiceError('WALLET_NOT_ACTIVE');
    if (sides.some((side) => side.currency !== currency)) throw new ServiceError('CURRENCY_MISMATCH');
  };
}
