import { z } from 'zod';
import { freeText } from '../../domain/free-text.ts';
import { webhookDescriptionMax, webhookTypes } from '../../domain/webhook.ts';
import { because } from '../../errors.ts';
import { endpointsMax } from '../../storage/webhooks/endpoints.ts';
import { urlLengthMax } from '../../webhooks/target.ts';
import { EventType } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import { parse } from '../parse.ts';
import type { Route } from '../route.ts';
import { post, webhookExample, WebhookWithSecret, withSecret } from './webhook.ts';

/** The body that made the webhook of the examples. */
const createExample = {
  url: webhookExample.url,
  events: webhookExample.events,
  description: webhookExample.description,
};

const CreateWebhook = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(urlLengthMax)
      .meta({ description: 'Where events are sent: HTTPS, a public address. Kept as parsed, without fragment.' }),
    events: z
      .array(EventType)
      .min(1)
      .max(webhookTypes.length)
      .refine((events) => new Set(events).size === events.length, because('FIELD_MALFORMED', 'each once'))
      .meta({ description: 'What to send; each once.' }),
    description: freeText({ min: 0, max: webhookDescriptionMax })
      .default('')
      .meta({ description: 'Your own note of what it is for; without control characters.' }),
  })
  .meta({ id: 'CreateWebhook', description: 'Where to send what.', examples: [createExample] });

export function createWebhookRoute({ endpoints }: RouteParts): Route {
  const created = [
    `Events go to the URL from now on; at most ${endpointsMax} webhooks a workspace. The answer has the secret that messages are`,
    'signed with, and it is shown this once: keep it. A URL has one webhook, so repeating a create is refused as',
    '`WEBHOOK_EXISTS`; if the answer was lost, find it in the list, and give it a new secret.',
  ].join('\n');
  return post(
    '',
    {
      id: 'createWebhook',
      summary: 'Have events sent to a URL',
      description: created,
      body: CreateWebhook,
      answer: WebhookWithSecret,
      errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_EXISTS', 'WEBHOOK_LIMIT'],
    },
    ({ workspaceId, body }) => {
      const values = parse(CreateWebhook, body as object);
      endpoints.checkUrl(values.url);
      return async () => ({ data: withSecret(await endpoints.create({ workspaceId, ...values })) });
    },
  );
}
