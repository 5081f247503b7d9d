import { z } from 'zod';
import { endpointsMax } from '../../storage/webhooks/endpoints.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { get, idOf, presentWebhook, Webhook } from './webhook.ts';

const WebhookList = z
  .strictObject({ items: z.array(Webhook).meta({ description: 'Oldest first.' }) })
  .meta({ id: 'WebhookList', description: 'The webhooks of a workspace.' });

export function webhookListRoute({ endpoints }: RouteParts): Route {
  return get(
    '',
    {
      id: 'listWebhooks',
      summary: 'List webhooks of the workspace',
      description: `All of them on one page, oldest first: there are at most ${endpointsMax}.`,
      answer: WebhookList,
    },
    async ({ workspaceId }) => ({ data: { items: (await endpoints.list(workspaceId)).map(presentWebhook) } }),
  );
}

export function webhookRoute({ endpoints }: RouteParts): Route {
  return get(
    '/{id}',
    {
      id: 'getWebhook',
      summary: 'Get a webhook, and whether its events arrive',
      description:
        '`failures`, `waiting`, `failingSince` and `waitingSince` tell how it does; its secret is not shown.',
      answer: Webhook,
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ workspaceId, params }) => ({ data: presentWebhook(await endpoints.find(workspaceId, idOf(params))) }),
  );
}
