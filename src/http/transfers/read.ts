import { z } from 'zod';
import type { Order } from '../../orders/order.ts';
import { because, ServiceError } from '../../errors.ts';
import type { Page, PagePlace } from '../../storage/shared/page.ts';
import { createCurrencyFilter, createdBetween, paging, timeOf } from '../lists/queries.ts';
import { open, OrderStatus, OrderType, pageOf, transferId } from '../fields.ts';
import { referenceGiven } from '../../orders/body.ts';
import { exampleOf } from '../../orders/examples.ts';
import { hasIdForm, idForm } from '../../domain/ids.ts';
import type { Currencies } from '../../domain/currency.ts';
import { answerList, chargeLegs, readListRequest } from '../lists/list.ts';
import { waitHeaders } from './waits.ts';
import type { RouteParts } from '../parts.ts';
import { routesUnder, type ApiAnswer, type ApiRequest, type Operation, type Route } from '../route.ts';
import { transfersTag } from './create.ts';
import { bizId, completedAt, failure, Order as OrderAnswer } from './order.ts';
import { refuseOtherIds } from '../wallets/find.ts';

export const OrderPage = pageOf(OrderAnswer, 'OrderPage');

/** What a list of orders takes as its query. */
export function createOrdersQuery(currencies: Currencies) {
  return z.object({
    ...paging,
    status: OrderStatus.optional().meta({ description: 'Only orders of this status.' }),
    currency: createCurrencyFilter(currencies),
    type: OrderType.optional().meta({ description: 'Only orders of this type.' }),
    reference: referenceGiven.optional().meta({ description: 'Only orders with this reference.' }),
    parentId: z
      .string()
      .refine((id) => hasIdForm('order', id), because('FIELD_MALFORMED', idForm('order')))
      .optional()
      .meta({ description: 'Only orders that refer to this one, by its transferId.' }),
    batchId: z
      .string()
      .refine((id) => hasIdForm('batch', id), because('FIELD_MALFORMED', idForm('batch')))
      .optional()
      .meta({ description: 'Only orders that came in this batch.' }),
    ...createdBetween,
  });
}

const completionExample = {
  transferId: exampleOf.transferId,
  bizId: 'invoice-42',
  completed: true,
  status: 'COMPLETED',
  completedAt: exampleOf.postedAt,
  failure: null,
} as const;

const Completion = z
  .strictObject({
    transferId,
    bizId,
    completed: z.boolean().meta({ description: 'True for COMPLETED alone; `status` tells when to stop asking.' }),
    status: open(OrderStatus),
    completedAt,
    failure,
  })
  .meta({ id: 'Completion', description: 'How far an order is.', examples: [completionExample] });

const { get } = routesUnder('/api/v1/transfer/query/orders', 'transfer:read', transfersTag);

/** Lists of orders: the workspace's, and a wallet's. */
export function orderListRoutes({ findWallet, orderLists, currencies, limiter, present }: RouteParts): Route[] {
  const ordersQuery = createOrdersQuery(currencies);

  async function list(apiRequest: ApiRequest, walletId?: string): Promise<ApiAnswer> {
    const { workspaceId, query } = apiRequest;
    const name = walletId === undefined ? `orders ${workspaceId}` : `wallet-orders ${walletId}`;
    const request = readListRequest(ordersQuery, name, query);
    if (walletId !== undefined) refuseOtherIds(walletId, 'walletId');
    const { from, to, status, currency, type, reference, parentId, batchId } = request.values;
    const conditions = { status, currency, type, reference, parentId, batchId };
    const filters = { ...conditions, from: timeOf(from), to: timeOf(to) };
    const wanted = { workspaceId, walletId, ...filters };
    // A row shows that the wallet belongs to the workspace. Without any, the wallet is looked up.
    const ofWallet = walletId === undefined ? {} : { ifEmpty: () => findWallet(apiRequest, walletId, 'walletId') };
    return answerList(limiter, apiRequest, request, (timeLeftMs) => ({
      page: async (place: PagePlace) => {
        const rows = await orderLists.page({ ...wanted, timeLeftMs }, place);
        await chargeLegs(
          apiRequest,
          rows.items.map(({ legs }) => legs),
        );
        return rows;
      },
      count: (shown?: Page<Order>) => orderLists.count({ ...wanted, timeLeftMs }, shown),
      isCountedFirst: orderLists.isCountedFirst(wanted),
      present: present.order,
      ...ofWallet,
    }));
  }

  const route = (end: string, operation: Pick<Operation, 'id' | 'summary' | 'description' | 'errors'>): Route =>
    get(end, { ...operation, query: ordersQuery, answer: OrderPage }, (request) =>
      list(request, request.params['walletId']),
    );
  return [
    route('', {
      id: 'listOrders',
      summary: 'List orders',
      description: 'All orders of the workspace, or those that all given filters fit.',
      errors: ['TOO_MANY_LISTS'],
    }),
    route('/wallet/{walletId}', {
      id: 'listOrdersOfWallet',
      summary: 'List orders of a wallet',
      description: 'Those that take from the wallet or add to it, whether or not they have moved anything.',
      errors: ['WALLET_NOT_FOUND', 'TOO_MANY_LISTS'],
    }),
  ];
}

/** One order, and whether it has ended. */
export function orderRoutes({ findOrder, waits, present }: RouteParts): Route[] {
  /** @throws ServiceError TRANSFER_NOT_FOUND for an order that does not exist, and likewise for another workspace's. */
  async function find(request: ApiRequest) {
    const { workspaceId, params, timeLeftMs } = request;
    const idOrBizId = params['bizId'];
    const order = idOrBizId === undefined ? undefined : await findOrder({ workspaceId, idOrBizId }, timeLeftMs);
    if (order === undefined) throw new ServiceError('TRANSFER_NOT_FOUND', { field: 'bizId' });
    const { orders, headers } = await waits([order], request);
    return { order: orders[0] ?? order, headers };
  }

  const route = (
    end: string,
    operation: Pick<Operation, 'id' | 'summary' | 'description' | 'answer'>,
    shownAs: 'order' | 'completion',
  ): Route =>
    get(`/{bizId}${end}`, { ...operation, ...waitHeaders, errors: ['TRANSFER_NOT_FOUND'] }, async (request) => {
      const { order, headers } = await find(request);
      return { data: present[shownAs](order), headers };
    });
  const one = {
    id: 'getOrder',
    summary: 'Get one order',
    description: 'An order by the `bizId` that you gave it, or by its `transferId`.',
    answer: OrderAnswer,
  };
  const completion = {
    id: 'getCompletion',
    summary: 'Check whether an order is completed',
    description: [
      'For polling, which `Prefer` makes a long poll. Stop once `status` is COMPLETED, FAILED or CANCELLED: `completed` is true',
      'for the first alone. The answer is a success in every case; FAILED is told in `failure`.',
    ].join('\n'),
    answer: Completion,
  };
  return [route('', one, 'order'), route('/completed', completion, 'completion')];
}
