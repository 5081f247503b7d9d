import { ServiceError } from '../../errors.ts';
import { hasIdForm } from '../../domain/ids.ts';
import type { Wallet } from '../../domain/wallet.ts';
import type { FlowLists } from '../../storage/flows/lists.ts';
import type { WalletLists } from '../../storage/wallets/lists.ts';
import type { WalletReference } from '../../storage/wallets/wallets.ts';
import { exactly } from '../../storage/shared/page.ts';
import { timeOf, type ListQueries } from '../lists/queries.ts';
import { answerList, readListRequest } from '../lists/list.ts';
import type { ListTurns } from '../lists/turns.ts';
import type { Presenter } from '../../orders/present.ts';
import type { ApiRequest, Route, Tag } from '../route.ts';
import { FlowPage, Wallet as WalletAnswer, WalletPage } from './wallet.ts';

export const walletsTag: Tag = {
  name: 'Wallets',
  description: 'The wallets of the workspace, what they hold, and what moved on them.',
};

export function walletRoute(find: FindWallet, present: Presenter): Route {
  return {
    scope: 'wallet:read',
    method: 'GET',
    path: '/api/v1/wallets/{id}',
    operation: {
      id: 'getWallet',
      tag: walletsTag,
      summary: 'Get wallet details',
      description:
        'A wallet, with what it holds now. The wallet of another workspace is answered as one that does not exist.',
      answer: WalletAnswer,
      errors: ['WALLET_NOT_FOUND'],
    },
    handle: async (request) => ({ data: present.wallet(await find(request, request.params['id'], 'id')) }),
  };
}

export function walletListRoute(
  walletLists: WalletLists,
  queries: ListQueries,
  inTurn: ListTurns,
  present: Presenter,
): Route {
  return {
    scope: 'wallet:read',
    method: 'GET',
    path: '/api/v1/wallets',
    operation: {
      id: 'listWallets',
      tag: walletsTag,
      summary: 'List wallets of the workspace',
      description: 'All wallets of the workspace, or those that all given filters fit, with what they hold now.',
      query: queries.wallets,
      answer: WalletPage,
      errors: ['TOO_MANY_LISTS'],
    },
    handle: (apiRequest) => {
      const { workspaceId, query } = apiRequest;
      const request = readListRequest(queries.wallets, `wallets ${workspaceId}`, query);
      const { currency, status, reference } = request.values;
      const wanted = { workspaceId, currency, status, reference };
      return answerList(inTurn, apiRequest, request, (timeLeftMs) => ({
        page: (place) => walletLists.page({ ...wanted, timeLeftMs }, place),
        count: async () => exactly(await walletLists.count({ ...wanted, timeLeftMs })),
        present: present.wallet,
      }));
    },
  };
}

export function flowListRoute(
  find: FindWallet,
  flowLists: FlowLists,
  queries: ListQueries,
  inTurn: ListTurns,
  present: Presenter,
): Route {
  return {
    scope: 'wallet:read',
    method: 'GET',
    path: '/api/v1/wallets/{id}/flows',
    operation: {
      id: 'listFlows',
      tag: walletsTag,
      summary: 'List wallet flows',
      description: [
        'What COMPLETED orders moved on the wallet, each with the balance before and after. Flows never change, and their',
        '`sequence` has no gap: what you have read can be kept.',
      ].join('\n'),
      query: queries.flows,
      answer: FlowPage,
      errors: ['WALLET_NOT_FOUND', 'TOO_MANY_LISTS'],
    },
    handle: async (apiRequest) => {
      const { workspaceId, params, query } = apiRequest;
      const { id = '' } = params;
      const request = readListRequest(queries.flows, `flows ${id}`, query);
      refuseOtherIds(id, 'id');
      const { direction, from, to } = request.values;
      const findWallet = () => find(apiRequest, id, 'id');
      // A row of a direction's index shows that the wallet belongs to the workspace. Without a direction, a forged cursor
      // would read all flows of another workspace's wallet, and the time taken would show that there are some.
      const needsWallet =
        direction === undefined || request.after === undefined || from !== undefined || to !== undefined;
      const wallet = needsWallet ? await findWallet() : { workspaceId, id };
      const wanted = { wallet, direction, from: timeOf(from), to: timeOf(to) };
      return answerList(inTurn, apiRequest, request, (timeLeftMs) => ({
        page: (place) => flowLists.page({ ...wanted, timeLeftMs }, place),
        count: async () => exactly(await flowLists.count({ ...wanted, timeLeftMs })),
        present: present.flow,
        ...(needsWallet ? {} : { ifEmpty: findWallet }),
      }));
    },
  };
}

/**
 * Refuses an id that no wallet of clients has. EXTERNAL wallets, and what else is stored among the wallets, have ids of other
 * forms, so that no route can reach them.
 * @param field the part of the path that names the wallet.
 * @throws ServiceError WALLET_NOT_FOUND.
 */
export function refuseOtherIds(walletId: string, field: string): void {
  if (!hasIdForm('wallet', walletId)) throw new ServiceError('WALLET_NOT_FOUND', { field });
}

/** Finds a wallet that clients of the workspace may see. */
export type FindWallet = ReturnType<typeof createFindWallet>;

type Asking = Pick<ApiRequest, 'workspaceId' | 'timeLeftMs'>;

export function createFindWallet(
  findOne: (reference: WalletReference, timeLeftMs: () => number) => Promise<Wallet | undefined>,
) {
  /**
   * @param field the part of the path that names the wallet.
   * @throws ServiceError WALLET_NOT_FOUND for a wallet that does not exist, and likewise for another workspace's or EXTERNAL.
   */
  return async ({ workspaceId, timeLeftMs }: Asking, id = '', field: string): Promise<Wallet> => {
    refuseOtherIds(id, field);
    const wallet = await findOne({ workspaceId, id }, timeLeftMs);
    if (wallet === undefined) throw new ServiceError('WALLET_NOT_FOUND', { field });
    return wallet;
  };
}
