import { z } from 'zod';
import { exampleOf } from '../../orders/examples.ts';
import { decimal, id, open, OrderStatus } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import { legsBodyBytesMax, type Route } from '../route.ts';
import { orderErrors, transfersTag } from './create.ts';
import { failure } from './order.ts';

const balance = decimal.meta({ description: 'Its balance.' });
const available = decimal.meta({ description: 'What it could then spend.' });
const PreviewSide = z
  .strictObject({ balance, available })
  .meta({ id: 'PreviewSide', description: 'A wallet as the order would leave it.' });
const PreviewWallet = z
  .strictObject({
    walletId: id.meta({ description: 'The wallet.' }),
    balance,
    held: decimal.meta({ description: 'How much of it would be reserved.' }),
    available,
  })
  .meta({ id: 'PreviewWallet', description: 'A wallet as the order would leave it.' });

const ofOneLeg =
  'as the order would leave it; as it is, if the order would fail. Null for EXTERNAL, and for an order with legs.';

const Preview = z
  .strictObject({
    status: open(OrderStatus),
    failure,
    source: PreviewSide.nullable().meta({ description: `The source ${ofOneLeg}` }),
    target: PreviewSide.nullable().meta({ description: `The target ${ofOneLeg}` }),
    wallets: z.array(PreviewWallet).meta({
      description:
        'Each wallet that the order names, once, in the order of its legs, source before target; not EXTERNAL.',
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
        wallets: [
          { walletId: exampleOf.alice, balance: '98.90', held: '20.00', available: '78.90' },
          { walletId: exampleOf.bob, balance: '1.10', held: '0.00', available: '1.10' },
        ],
      },
    ],
  });

/** How an order would end. Its signed requests need no record: one that comes again is answered as things stand by then. */
export function previewRoute({ previewer, throughFailover, commandBodies, present }: RouteParts): Route {
  return {
    scope: 'transfer:create',
    alsoNeeds: 'wallet:read',
    method: 'POST',
    path: '/api/v1/transfer/command/preview',
    bodyBytesMax: legsBodyBytesMax,
    changes: 'nothing',
    operation: {
      id: 'previewTransfer',
      tag: transfersTag,
      summary: 'Tell how an order would end if it were posted now; nothing is stored',
      description: [
        'Takes the body of a command: that of a create, or of what its `type` says, with the scopes of that command. It makes all',
        'checks, and answers how the order would end and what its wallets would then hold. It promises nothing: another order may',
        'come first. Repeat it as you like.',
      ].join('\n'),
      body: commandBodies.typed,
      answer: Preview,
      errors: [...new Set(commandBodies.commands.flatMap(({ type, command }) => orderErrors(type, command)))],
    },
    handle: async (request) => {
      const { workspaceId, scopes, timeLeftMs, signedRequest } = request;
      const { input, refusal } = commandBodies.readTyped(request.body as object, request);
      const preview = () => previewer.preview({ ...input, workspaceId, scopes, apiKey: signedRequest.keyId }, refusal);
      return { data: present.preview(await throughFailover(workspaceId, preview, timeLeftMs)) };
    },
  };
}
