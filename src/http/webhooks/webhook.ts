import { z } from 'zod';
import { webhookTypes } from '../../domain/webhook.ts';
import { ServiceError } from '../../errors.ts';
import { exampleOf } from '../../orders/examples.ts';
import type { WebhookEndpoint } from '../../storage/webhooks/endpoints.ts';
import { createdAt, EventType, id, open, time, workspaceId } from '../fields.ts';
import { routesUnder } from '../route.ts';

export const exampleCreatedAt = '2026-01-01T09:00:00.000Z';
export const exampleEventId = 'ev_01M7Y9B7X2D5F8H1K4N6Q9S3TV';

export const webhookExample = {
  id: 'wh_01M7Y8T3B7C1E5G8J2M4P6QRST',
  workspaceId: exampleOf.workspaceId,
  url: 'https://example.com/webhooks',
  description: 'Bookkeeping',
  events: [...webhookTypes],
  status: 'ENABLED' as const,
  disabledReason: null,
  previousSecretValidUntil: null,
  failures: 0,
  waiting: 0,
  failingSince: null,
  waitingSince: null,
  createdAt: exampleCreatedAt,
  updatedAt: exampleCreatedAt,
};

export const webhookId = id.meta({ description: 'The webhook.' });
export const eventId = id.meta({ description: 'The event; the same at every attempt, and at every webhook.' });

const WebhookStatus = z
  .enum(['ENABLED', 'DISABLED'])
  .meta({ id: 'WebhookStatus', description: 'Nothing is sent to a DISABLED one.' });
const DisabledReason = z.enum(['REQUESTED', 'FAILING', 'GONE']).meta({
  id: 'DisabledReason',
  description: 'REQUESTED: by you. FAILING: nothing came through for a day. GONE: it answered 410.',
});

const webhook = {
  id: webhookId,
  workspaceId,
  url: z.string().meta({ description: 'Where events are sent.' }),
  description: z.string().meta({ description: 'Your own note of what it is for; may be empty.' }),
  events: z.array(open(EventType)).meta({ description: 'What is sent.' }),
  status: open(WebhookStatus),
  disabledReason: open(DisabledReason).nullable().meta({ description: 'Why it is DISABLED; null if it is not.' }),
  previousSecretValidUntil: time.nullable().meta({ description: 'Until then messages are signed with two secrets.' }),
  failures: z.int().nonnegative().meta({ description: 'Tries in a row in which nothing came through.' }),
  waiting: z.int().nonnegative().meta({ description: 'Events that waited when it was last served.' }),
  failingSince: time.nullable().meta({ description: 'Since when nothing comes through; null if something does.' }),
  waitingSince: time.nullable().meta({ description: 'Since when the oldest waiting event waits; null if none does.' }),
  createdAt,
  updatedAt: time.meta({ description: 'When it changed last.' }),
};

export const Webhook = z
  .strictObject(webhook)
  .meta({ id: 'Webhook', description: 'Where events are sent, and whether they arrive.', examples: [webhookExample] });

export const WebhookWithSecret = z
  .strictObject({
    ...webhook,
    secret: z.string().meta({ description: '`whsec_` and the Base64 of the key that messages are signed with.' }),
  })
  .meta({
    id: 'WebhookWithSecret',
    description: 'A webhook, and its secret, which is not shown again.',
    examples: [{ ...webhookExample, secret: 'whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMsIG5vIG1vcmU=' }],
  });

const tag = { name: 'Webhooks', description: 'Events, sent to you when an order has ended.' };
export const { get, post } = routesUnder('/api/v1/webhooks', 'webhook:manage', tag);

/** The id in a path. @throws ServiceError WEBHOOK_NOT_FOUND. */
export function idOf({ id }: Readonly<Record<string, string>>): string {
  if (id === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
  return id;
}

/** A webhook as the API shows it. Its times are dates, which become text as JSON. */
export function presentWebhook({ secrets, behindSince, ...endpoint }: WebhookEndpoint) {
  const { id, workspaceId, url, description, events, status, disabledReason } = endpoint;
  const { failures, waiting, failingSince, createdAt, updatedAt } = endpoint;
  return {
    id,
    workspaceId,
    url,
    description,
    events,
    status,
    disabledReason,
    /** Until when the secret before the newest one is valid as well. */
    previousSecretValidUntil: secrets.find(({ expiresAt }) => expiresAt !== null)?.expiresAt ?? null,
    failures,
    waiting,
    failingSince,
    waitingSince: behindSince,
    createdAt,
    updatedAt,
  };
}

/** The same with its secret, which is shown this once. */
export function withSecret({ endpoint, secret }: { endpoint: WebhookEndpoint; secret: string }) {
  return { ...presentWebhook(endpoint), secret };
}
