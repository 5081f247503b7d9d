import { z } from 'zod';
import { transfer } from '../../orders/transfer.ts';
import { decimal, open, OrderStatus } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { orderErrors, transfersTag } from './create.ts';
import { failure } from './order.ts';

const PreviewWallet = z
  .strictObject({
    balance: decimal.meta({ description: 'Its balance.' }),
    available: decimal.meta({ description: 'What it could then spend.' }),
  })
  .meta({ id: 'PreviewWallet', description: 'A wallet as the order would leave it.' });

const Preview = z
  .strictObject({
    status: open(OrderStatus),
    failure,
    source: PreviewWallet.meta({
      description: 'The source as the order would leave it; as it is, if the order would fail.',
    }),
    target: PreviewWallet.meta({
      description: 'The target as the order would leave it; as it is, if the order would fail.',
    }),
  })
  .meta({
    id: 'Preview',
    description: 'How an order would end.',
    examples: [
      {
        status: 'COMPLETED',
        failure: null,
        source: { balance: '98.90', available: '78.90' },
        target: { balance: '1.10', available: '1.10' },
      },
    ],
  });

/** How a transfer would end. Its signed requests need no record: one that comes again is answered as things stand by then. */
export function previewRoute({ previewer, throughFailover, createBody, present }: RouteParts): Route {
  return {
    scope: 'transfer:create',
    alsoNeeds: 'wallet:read',
    method: 'POST',
    path: '/api/v1/transfer/command/preview',
    changes: 'nothing',
    operation: {
      id: 'previewTransfer',
      tag: transfersTag,
      summary: 'Tell how a transfer order would end if it were posted now; nothing is stored',
      description: [
        'Takes the body of a create, makes its checks, and answers how the order would end and what both wallets would then hold.',
        'It promises nothing: another order may come first. Repeat it as you like.',
      ].join('\n'),
      body: createBody.schema,
      answer: Preview,
      errors: orderErrors(transfer, transfer.command),
    },
    handle: async (request) => {
      const { workspaceId, timeLeftMs } = request;
      const { input, refusal } = createBody.read(request.body as object);
      const preview = () => previewer.preview({ ...input, workspaceId }, refusal);
      return { data: present.preview(await throughFailover(workspaceId, preview, timeLeftMs)) };
    },
  };
}
