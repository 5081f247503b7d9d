import type { Order } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';
import type { Orders } from '../storage/orders.ts';
import type { Presenter } from './present.ts';
import type { Route } from './routes.ts';

interface TransferQueryTools {
  readonly orders: Orders;
  readonly present: Presenter;
}

/** The `transfer:read` endpoints. */
export function transferQueryRoutes({ orders, present }: TransferQueryTools): Route[] {
  /** @throws ServiceError TRANSFER_NOT_FOUND the same for an order that is absent and for another workspace's. */
  async function find(workspaceId: string, idOrBizId: string | undefined): Promise<Order> {
    const order = idOrBizId === undefined ? undefined : await orders.find(workspaceId, idOrBizId);
    if (order === undefined) throw new ServiceError('TRANSFER_NOT_FOUND');
    return order;
  }

  return [
    {
      scope: 'transfer:read',
      method: 'GET',
      path: '/api/v1/transfer/query/orders/{bizId}',
      handle: async ({ workspaceId, params }) => ({ data: present.order(await find(workspaceId, params['bizId'])) }),
    },
    {
      scope: 'transfer:read',
      method: 'GET',
      path: '/api/v1/transfer/query/orders/{bizId}/completed',
      handle: async ({ workspaceId, params }) => ({
        data: present.completion(await find(workspaceId, params['bizId'])),
      }),
    },
  ];
}
