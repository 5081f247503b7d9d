import { ServiceError } from '../errors.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { Wallets } from '../storage/wallets.ts';
import type { Presenter } from './present.ts';
import type { Route } from './routes.ts';

interface WalletTools {
  readonly wallets: Wallets;
  readonly present: Presenter;
}

/** The `wallet:read` endpoints. */
export function walletRoutes({ wallets, present }: WalletTools): Route[] {
  /** @throws ServiceError WALLET_NOT_FOUND the same for a wallet that is absent, another workspace's, or EXTERNAL. */
  async function find(workspaceId: string, id: string | undefined): Promise<Wallet> {
    const wallet = id === undefined ? undefined : await wallets.findOfWorkspace(workspaceId, id);
    if (wallet === undefined) throw new ServiceError('WALLET_NOT_FOUND');
    return wallet;
  }

  return [
    {
      scope: 'wallet:read',
      method: 'GET',
      path: '/api/v1/wallets/{id}',
      handle: async ({ workspaceId, params }) => ({ data: present.wallet(await find(workspaceId, params['id'])) }),
    },
    {
      scope: 'wallet:read',
      method: 'GET',
      path: '/api/v1/wallets/{id}/balance',
      handle: async ({ workspaceId, params }) => {
        const asOf = new Date();
        return { data: present.balance(await find(workspaceId, params['id']), asOf) };
      },
    },
  ];
}
