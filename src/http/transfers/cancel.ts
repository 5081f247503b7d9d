import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { ThroughFailover } from '../../waiting/failover.ts';
import { orderGiven } from '../../orders/body.ts';
import { exampleOf } from '../../orders/examples.ts';
import type { Order } from '../../orders/order.ts';
import type { Presenter } from '../../orders/present.ts';
import type { CancelOrder } from '../../storage/orders/cancel.ts';
import type { OutboxEntry } from '../../storage/webhooks/outbox.ts';
import { parse } from '../parse.ts';
import type { ApiAnswer, ApiRequest, Route } from '../route.ts';
import { replayedHeader, transfersTag } from './create.ts';
import type { FindOrder } from './read.ts';
import { Order as OrderAnswer } from './order.ts';

const field = 'transferId';
/** How often one is tried that changed nothing, though the order is SCHEDULED: after an election a read may be behind for a moment. */
const attemptsMax = 3;
const retryAfterSeconds = 1;

const schema = z
  .strictObject({
    transferId: orderGiven.meta({ description: 'The transferId or the bizId of an order for a later time.' }),
  })
  .meta({
    id: 'CancelTransfer',
    description: 'The order to cancel.',
    examples: [{ transferId: exampleOf.transferId }],
  });

/** Cancels an order, and wakes those who are to tell of it. See {@link CancelOrder}. */
export type Cancel = (order: Pick<Order, 'workspaceId' | 'id'>, timeLeftMs: () => number) => Promise<Order | undefined>;

/** @param onWritten is told what was left for webhooks. */
export function createCancel(cancelOrder: CancelOrder, onWritten: (entries: readonly OutboxEntry[]) => void): Cancel {
  return async ({ workspaceId, id }, timeLeftMs) => {
    const cancelled = await cancelOrder({ workspaceId, id, timeLeftMs });
    if (cancelled?.entry !== undefined) onWritten([cancelled.entry]);
    return cancelled?.order;
  };
}

export function cancelRoute(
  find: FindOrder,
  cancel: Cancel,
  throughFailover: ThroughFailover,
  present: Presenter,
): Route {
  /** @throws ServiceError TRANSFER_NOT_FOUND; ORDER_STATE_CONFLICT it is neither SCHEDULED nor CANCELLED. */
  async function findFor({ workspaceId, timeLeftMs }: ApiRequest, idOrBizId: string): Promise<Order> {
    const order = await find({ workspaceId, idOrBizId }, timeLeftMs);
    if (order === undefined) throw new ServiceError('TRANSFER_NOT_FOUND', { field });
    if (order.status !== 'SCHEDULED' && order.status !== 'CANCELLED')
      throw new ServiceError('ORDER_STATE_CONFLICT', { field, value: order.status });
    return order;
  }

  const asItStands = (order: Order): ApiAnswer => ({
    data: present.order(order),
    headers: replayedHeader(true),
  });

  return {
    scope: 'transfer:create',
    method: 'POST',
    path: '/api/v1/transfer/command/cancel',
    operation: {
      id: 'cancelTransfer',
      tag: transfersTag,
      summary: 'Cancel an order that is SCHEDULED, for good',
      description: [
        'The order is CANCELLED and never posted. Safe to repeat: one that is CANCELLED already stays so. Once its time has come it',
        'is too late, and the answer is `ORDER_STATE_CONFLICT` with the status; a COMPLETED order is reversed instead.',
      ].join('\n'),
      body: schema,
      answer: OrderAnswer,
      answerHeaders: { 'Idempotent-Replayed': '`true` where it was CANCELLED already: the order as it stands.' },
      errors: ['TRANSFER_NOT_FOUND', 'ORDER_STATE_CONFLICT'],
    },
    prepare: async (request) => {
      const { workspaceId, timeLeftMs } = request;
      const { transferId } = parse(schema, request.body as object);
      const order = await findFor(request, transferId);
      if (order.status === 'CANCELLED') return () => Promise.resolve(asItStands(order));
      return async () => {
        for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
          const cancelled = await throughFailover(workspaceId, (leftMs) => cancel(order, leftMs), timeLeftMs);
          if (cancelled !== undefined) return { data: present.order(cancelled) };
          // Its time came first, or another cancel; or an earlier attempt of this one, whose answer was lost.
          const now = await findFor(request, order.id);
          if (now.status !== 'SCHEDULED') return asItStands(now);
        }
        const cause = new Error(`${order.id} is SCHEDULED, but no transaction of its cancel found it so`);
        throw new ServiceError('UNAVAILABLE', { cause, retryAfterSeconds, server: 'mongodb' });
      };
    },
  };
}
