import { z } from 'zod';
import { callsPerMinute } from '../../redis/webhook-limits.ts';
import type { RouteParts } from '../parts.ts';
import { noFields, parse } from '../parse.ts';
import type { Route } from '../route.ts';
import { eventId, exampleEventId, idOf, post } from './webhook.ts';

const WebhookTest = z.strictObject({ eventId }).meta({
  id: 'WebhookTest',
  description: 'A test event that is being sent.',
  examples: [{ eventId: exampleEventId }],
});

export function webhookTestRoute({ endpoints }: RouteParts): Route {
  const tested = [
    `Sends an event of the type \`webhook.test\` that tells of nothing; at most ${callsPerMinute.test} a minute for all webhooks of the`,
    'workspace together. The answer comes before the event does: see the deliveries for what became of it.',
  ].join('\n');
  return post(
    '/{id}/test',
    {
      id: 'testWebhook',
      summary: 'Send it an event that tells of nothing',
      description: tested,
      answer: WebhookTest,
      body: noFields,
      isBodyOptional: true,
      errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_PENDING_LIMIT'],
    },
    async ({ workspaceId, params, body }) => {
      parse(noFields, body as object);
      const test = await endpoints.prepareTest(workspaceId, idOf(params));
      return async () => ({ data: await test() });
    },
  );
}
