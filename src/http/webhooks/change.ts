import { z } from 'zod';
import type { WebhookEndpoint } from '../../storage/webhooks/endpoints.ts';
import type { RouteParts } from '../parts.ts';
import { noFields, parse } from '../parse.ts';
import type { Operation, Route } from '../route.ts';
import {
  idOf,
  post,
  presentWebhook,
  Webhook,
  webhookExample,
  webhookId,
  WebhookWithSecret,
  withSecret,
} from './webhook.ts';

const Deleted = z
  .strictObject({ id: webhookId })
  .meta({ id: 'Deleted', description: 'What is no more.', examples: [{ id: webhookExample.id }] });

/** What changes a webhook that is there. */
export function webhookChangeRoutes({ endpoints }: RouteParts): Route[] {
  const verb = (
    name: string,
    operation: Pick<Operation, 'id' | 'summary' | 'description' | 'answer'>,
    act: (endpoint: WebhookEndpoint) => Promise<unknown>,
  ): Route =>
    post(
      `/{id}/${name}`,
      { ...operation, body: noFields, isBodyOptional: true, errors: ['WEBHOOK_NOT_FOUND'] },
      async ({ workspaceId, params, body }) => {
        parse(noFields, body as object);
        const endpoint = await endpoints.find(workspaceId, idOf(params));
        return async () => ({ data: await act(endpoint) });
      },
    );
  return [
    verb(
      'enable',
      {
        id: 'enableWebhook',
        summary: 'Send events to it again',
        description: 'From now on; what ended meanwhile is sent by a replay. Safe to repeat.',
        answer: Webhook,
      },
      async (endpoint) => presentWebhook(await endpoints.enable(endpoint)),
    ),
    verb(
      'disable',
      {
        id: 'disableWebhook',
        summary: 'Send it nothing',
        description: 'Nothing is sent until it is enabled again. Safe to repeat.',
        answer: Webhook,
      },
      async (endpoint) => presentWebhook(await endpoints.disable(endpoint)),
    ),
    verb(
      'rotate',
      {
        id: 'rotateWebhookSecret',
        summary: 'Give it a new secret',
        description: [
          'The answer has the new secret, which is shown this once. For 24 hours messages are signed with both, so that receivers',
          'can change over. Not safe to repeat: each makes another secret.',
        ].join('\n'),
        answer: WebhookWithSecret,
      },
      async (endpoint) => withSecret(await endpoints.rotate(endpoint)),
    ),
    verb(
      'delete',
      {
        id: 'deleteWebhook',
        summary: 'Forget it, and its deliveries',
        description: 'Nothing more is sent. A repetition is answered `WEBHOOK_NOT_FOUND`: it is gone.',
        answer: Deleted,
      },
      async (endpoint) => {
        await endpoints.remove(endpoint);
        return { id: endpoint.id };
      },
    ),
  ];
}
