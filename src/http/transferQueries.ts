import type { Order } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';
import type { ThroughFailover } from '../storage/failover.ts';
import type { OrderLists } from '../storage/orderLists.ts';
import type { Orders } from '../storage/orders.ts';
import type { Wallets } from '../storage/wallets.ts';
import { timeOf } from './listQueries.ts';
import type { ListQueries } from './listQueries.ts';
import { answerList, readListRequest } from './lists.ts';
import type { ListTurns } from './listTurns.ts';
import type { Presenter } from './present.ts';
import type { ApiAnswer, ApiRequest, Route } from './routes.ts';
import { createSingleReads } from './singleReads.ts';
import { createWalletFinder } from './wallets.ts';

export interface TransferQueryTools {
  readonly orders: Orders;
  readonly orderLists: OrderLists;
  readonly wallets: Wallets;
  readonly queries: ListQueries;
  readonly inTurn: ListTurns;
  readonly present: Presenter;
  readonly throughFailover: ThroughFailover;
}

/** The `transfer:read` endpoints. The orders of a wallet come first: their path wins over that of `completed`. */
export function transferQueryRoutes(tools: TransferQueryTools): Route[] {
  return [...listRoutes(tools), ...singleRoutes(tools)];
}

function listRoutes(tools: TransferQueryTools): Route[] {
  const { orderLists, wallets, queries, inTurn, present, throughFailover } = tools;
  const findWallet = createWalletFinder(wallets, throughFailover);

  /** @param beforeReading what has to hold once the query is known to be of its form. */
  async function list(
    scope: { workspaceId: string; walletId?: string | undefined },
    { query, timeLeftMs }: ApiRequest,
    beforeReading?: () => Promise<unknown>,
  ): Promise<ApiAnswer> {
    const name = scope.walletId === undefined ? `orders ${scope.workspaceId}` : `wallet-orders ${scope.walletId}`;
    const request = readListRequest(queries.orders, name, query);
    await beforeReading?.();
    const { status, currency, from, to } = request.values;
    const wanted = { ...scope, status, currency, from: timeOf(from), to: timeOf(to), timeLeftMs };
    const answer = () =>
      answerList(request, {
        page: (place) => orderLists.page(wanted, place),
        count: () => orderLists.count(wanted),
        present: present.order,
      });
    return inTurn(wanted, answer);
  }

  return [
    {
      scope: 'transfer:read',
      method: 'GET',
      path: '/api/v1/transfer/query/orders',
      operation: { id: 'listOrders', summary: 'List transfer orders', query: queries.orders, answer: 'OrderPage' },
      handle: (request) => list({ workspaceId: request.workspaceId }, request),
    },
    {
      scope: 'transfer:read',
      method: 'GET',
      path: '/api/v1/transfer/query/orders/wallet/{walletId}',
      operation: {
        id: 'listOrdersOfWallet',
        summary: 'List transfer orders of a wallet',
        query: queries.orders,
        answer: 'OrderPage',
        errors: ['WALLET_NOT_FOUND'],
      },
      handle: (request) => {
        const { workspaceId, params } = request;
        const walletId = params['walletId'];
        return list({ workspaceId, walletId }, request, () => findWallet(request, walletId));
      },
    },
  ];
}

function singleRoutes({ orders, present, throughFailover }: TransferQueryTools): Route[] {
  const findOne = createSingleReads(orders.findMany, throughFailover);

  /** @throws ServiceError TRANSFER_NOT_FOUND the same for an order that is absent and for another workspace's. */
  async function find({ workspaceId, params, timeLeftMs }: ApiRequest): Promise<Order> {
    const idOrBizId = params['bizId'];
    const order = idOrBizId === undefined ? undefined : await findOne({ workspaceId, idOrBizId }, timeLeftMs);
    if (order === undefined) throw new ServiceError('TRANSFER_NOT_FOUND');
    return order;
  }

  return [
    {
      scope: 'transfer:read',
      method: 'GET',
      path: '/api/v1/transfer/query/orders/{bizId}',
      operation: { id: 'getOrder', summary: 'Get one transfer order', answer: 'Order', errors: ['TRANSFER_NOT_FOUND'] },
      handle: async (request) => ({ data: present.order(await find(request)) }),
    },
    {
      scope: 'transfer:read',
      method: 'GET',
      path: '/api/v1/transfer/query/orders/{bizId}/completed',
      operation: {
        id: 'getCompletion',
        summary: 'Check whether the transfer order is completed',
        answer: 'Completion',
        errors: ['TRANSFER_NOT_FOUND'],
      },
      handle: async (request) => ({ data: present.completion(await find(request)) }),
    },
  ];
}
