import { hasIdForm } from '../../domain/ids.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { ServiceError } from '../../errors.ts';
import type { WalletReference } from '../../storage/wallets/wallets.ts';
import type { ReadContext } from '../route.ts';

/**
 * Refuses an id that no wallet of clients has. EXTERNAL wallets, and what else is stored among the wallets, have ids of other
 * forms, so that no route can reach them.
 * @param field the part of the path that names the wallet.
 * @throws ServiceError WALLET_NOT_FOUND.
 */
export function refuseOtherIds(walletId: string, field: string): void {
  if (!hasIdForm('wallet', walletId)) throw new ServiceError('WALLET_NOT_FOUND', { field });
}

/** @returns what finds a wallet that clients of the workspace may see. */
export function createFindWallet(
  findOne: (reference: WalletReference, timeLeftMs: () => number) => Promise<Wallet | undefined>,
) {
  /**
   * @param field the part of the path that names the wallet.
   * @throws ServiceError WALLET_NOT_FOUND for a wallet that does not exist, and likewise for another workspace's or EXTERNAL.
   */
  return async ({ workspaceId, timeLeftMs }: ReadContext, id = '', field: string): Promise<Wallet> => {
    refuseOtherIds(id, field);
    const wallet = await findOne({ workspaceId, id }, timeLeftMs);
    if (wallet === undefined) throw new ServiceError('WALLET_NOT_FOUND', { field });
    return wallet;
  };
}
