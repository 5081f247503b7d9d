import { z } from 'zod';
import { orderGiven } from '../../orders/body.ts';
import { exampleOf } from '../../orders/examples.ts';
import type { RouteParts } from '../parts.ts';
import { parse } from '../parse.ts';
import { replayedHeader, type Route } from '../route.ts';
import { transfersTag } from './create.ts';
import { Order } from './order.ts';

const schema = z
  .strictObject({
    transferId: orderGiven.meta({ description: 'The transferId or the bizId of an order for a later time.' }),
  })
  .meta({
    id: 'CancelTransfer',
    description: 'The order to cancel.',
    examples: [{ transferId: exampleOf.transferId }],
  });

export function cancelRoute({ prepareCancel, present }: RouteParts): Route {
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
      answer: Order,
      answerHeaders: { 'Idempotent-Replayed': '`true` where it was CANCELLED already: the order as it stands.' },
      errors: ['TRANSFER_NOT_FOUND', 'ORDER_STATE_CONFLICT'],
    },
    prepare: async ({ workspaceId, body, timeLeftMs }) => {
      const { transferId } = parse(schema, body as object);
      const cancel = await prepareCancel({ workspaceId, idOrBizId: transferId }, timeLeftMs);
      return async () => {
        const { order, isReplay } = await cancel();
        return { data: present.order(order), headers: replayedHeader(isReplay) };
      };
    },
  };
}
