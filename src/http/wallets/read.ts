import { z } from 'zod';
import { referenceGiven } from '../../orders/body.ts';
import { exactly } from '../../storage/shared/page.ts';
import { pageOf, WalletStatus } from '../fields.ts';
import { answerList, readListRequest } from '../lists/list.ts';
import { createCurrencyFilter, paging } from '../lists/queries.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { get, Wallet as WalletAnswer } from './wallet.ts';

export const WalletPage = pageOf(WalletAnswer, 'WalletPage');

export function walletRoute({ findWallet, present }: RouteParts): Route {
  return get(
    '/{id}',
    {
      id: 'getWallet',
      summary: 'Get wallet details',
      description:
        'A wallet, with what it holds now. The wallet of another workspace is answered as one that does not exist.',
      answer: WalletAnswer,
      errors: ['WALLET_NOT_FOUND'],
    },
    async (request) => ({ data: present.wallet(await findWallet(request, request.params['id'], 'id')) }),
  );
}

export function walletListRoute({ walletLists, currencies, limiter, present }: RouteParts): Route {
  const walletsQuery = z.object({
    ...paging,
    currency: createCurrencyFilter(currencies),
    status: WalletStatus.optional().meta({ description: 'Only wallets of this status.' }),
    reference: referenceGiven.optional().meta({ description: 'Only the wallet with this reference.' }),
  });

  return get(
    '',
    {
      id: 'listWallets',
      summary: 'List wallets of the workspace',
      description: 'All wallets of the workspace, or those that all given filters fit, with what they hold now.',
      query: walletsQuery,
      answer: WalletPage,
      errors: ['TOO_MANY_LISTS'],
    },
    (apiRequest) => {
      const { workspaceId, query } = apiRequest;
      const request = readListRequest(walletsQuery, `wallets ${workspaceId}`, query);
      const { currency, status, reference } = request.values;
      const wanted = { workspaceId, currency, status, reference };
      return answerList(limiter, apiRequest, request, (timeLeftMs) => ({
        page: (place) => walletLists.page({ ...wanted, timeLeftMs }, place),
        count: async () => exactly(await walletLists.count({ ...wanted, timeLeftMs })),
        present: present.wallet,
      }));
    },
  );
}
