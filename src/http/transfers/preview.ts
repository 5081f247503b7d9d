import type { Previewer } from '../../accepting/preview.ts';
import type { ThroughFailover } from '../../waiting/failover.ts';
import type { Presenter } from '../../orders/present.ts';
import { transfer } from '../../orders/transfer.ts';
import type { CommandBody } from '../command-body.ts';
import type { Route } from '../route.ts';
import { orderErrors, transfersTag } from './create.ts';
import { Preview } from './order.ts';

/** How a transfer would end. It needs no record of its signed requests: one that comes again tells how it would end by then. */
export function previewRoute(
  previewer: Previewer,
  throughFailover: ThroughFailover,
  body: CommandBody,
  present: Presenter,
): Route {
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
      body: body.schema,
      answer: Preview,
      errors: orderErrors(transfer, transfer.command),
    },
    handle: async (request) => {
      const { workspaceId, timeLeftMs } = request;
      const { asked, refusal } = body.read(request.body as object);
      const preview = () => previewer.preview({ ...asked, workspaceId }, refusal);
      return { data: present.preview(await throughFailover(workspaceId, preview, timeLeftMs)) };
    },
  };
}
