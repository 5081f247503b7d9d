import { z } from 'zod';
import { freeText } from '../domain/free-text.ts';
import { webhookDescriptionMax, webhookTypes } from '../domain/webhook.ts';
import { ServiceError } from '../errors.ts';
import { callsPerMinute } from '../redis/webhook-limits.ts';
import type { Delivery } from '../storage/webhooks/deliveries.ts';
import { endpointsMax, type WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { inTurn, type Turns } from '../turns.ts';
import { urlLengthMax } from '../webhooks/target.ts';
import type { ChangingRoute, Route, Tag } from './routes.ts';
import {
  createWebhook,
  Deleted,
  Webhook,
  WebhookDeliveryPage,
  WebhookEvent,
  WebhookList,
  WebhookWithSecret,
} from './webhook-resources.ts';
import { onceEach } from './lists.ts';
import { parse } from './parse.ts';

const scope = 'webhook:manage';
const deliveriesMax = 100;
const deliveriesDefault = 20;

const createSchema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(urlLengthMax)
      .meta({ description: 'Where events are sent: HTTPS, a public address. Kept as parsed, without fragment.' }),
    events: z
      .array(z.enum(webhookTypes))
      .min(1)
      .max(webhookTypes.length)
      .refine((events) => new Set(events).size === events.length)
      .meta({ description: 'What to send; each once.' }),
    description: freeText({ min: 0, max: webhookDescriptionMax })
      .default('')
      .meta({ description: 'Your own note of what it is for; without control characters.' }),
  })
  .meta({ id: 'CreateWebhook', description: 'Where to send what.', examples: [createWebhook] });

const replaySchema = z
  .strictObject({
    since: z.iso.datetime({ offset: true }).optional().meta({ description: 'All that was settled since this time,' }),
    eventId: z.string().max(64).optional().meta({ description: 'or the one event with this id.' }),
  })
  .refine(({ since, eventId }) => (since === undefined) !== (eventId === undefined), { path: ['since'] })
  .meta({ id: 'ReplayWebhook', description: 'What to send again.', examples: [{ since: '2026-01-01T09:00:00Z' }] });

const deliveriesQuery = z.object({
  size: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .pipe(z.coerce.number<string>().int().max(deliveriesMax))
    .default(deliveriesDefault)
    .meta({ description: 'Rows of a page.' }),
  cursor: z.string().min(1).max(64).optional().meta({ description: 'The `nextCursor` of the page before.' }),
});

const tag: Tag = { name: 'Webhooks', description: 'Events, sent to you where a transfer order is settled.' };

/** The `webhook:manage` endpoints. */
export function webhookRoutes(endpoints: Endpoints, turns: Turns | undefined): Route[] {
  const path = '/api/v1/webhooks';
  const one = `${path}/{id}`;
  const routes: Route[] = [
    {
      scope,
      method: 'POST',
      path,
      operation: {
        id: 'createWebhook',
        summary: `Have events sent to a URL; at most ${endpointsMax} a workspace. The secret is shown this once`,
        body: createSchema,
        tag,
        answer: WebhookWithSecret,
        errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_EXISTS', 'WEBHOOK_LIMIT'],
      },
      prepare: ({ workspaceId, body }) => {
        const values = parse(createSchema, body as object);
        endpoints.checkUrl(values.url);
        return async () => ({ data: withSecret(await endpoints.create({ workspaceId, ...values })) });
      },
    },
    {
      scope,
      method: 'GET',
      path,
      operation: {
        id: 'listWebhooks',
        summary: 'List webhooks of the workspace, oldest first',
        tag,
        answer: WebhookList,
      },
      handle: async ({ workspaceId }) => ({ data: { items: (await endpoints.list(workspaceId)).map(presented) } }),
    },
    {
      scope,
      method: 'GET',
      path: one,
      operation: {
        id: 'getWebhook',
        summary: 'Get a webhook, and whether its events arrive',
        tag,
        answer: Webhook,
        errors: ['WEBHOOK_NOT_FOUND'],
      },
      handle: async ({ workspaceId, params }) => ({ data: presented(await endpoints.find(workspaceId, idOf(params))) }),
    },
    ...verbRoutes(endpoints, one),
    testRoute(endpoints, `${one}/test`),
    replayRoute(endpoints, `${one}/replay`),
    deliveriesRoute(endpoints, `${one}/deliveries`),
  ];
  return routes.map((route) => inTurns(turns, route));
}

/** Has a route's work done in turns of its workspace. */
function inTurns(turns: Turns | undefined, route: Route): Route {
  if ('handle' in route) {
    return { ...route, handle: (request) => inTurn(turns, request.workspaceId, () => route.handle(request)) };
  }
  return {
    ...route,
    prepare: async (request) => {
      const change = await inTurn(turns, request.workspaceId, async () => route.prepare(request));
      return () => inTurn(turns, request.workspaceId, change);
    },
  };
}

/** Routes that need no body. */
function verbRoutes(endpoints: Endpoints, path: string): Route[] {
  const post = (
    verb: string,
    operationId: string,
    summary: string,
    answer: z.ZodType,
    act: (workspaceId: string, id: string) => Promise<unknown>,
  ): ChangingRoute => ({
    scope,
    method: 'POST',
    path: `${path}/${verb}`,
    operation: { id: operationId, summary, tag, answer, errors: ['WEBHOOK_NOT_FOUND'] },
    prepare: async ({ workspaceId, params }) => {
      const { id } = await endpoints.find(workspaceId, idOf(params));
      return async () => ({ data: await act(workspaceId, id) });
    },
  });
  const none = 'Forget it, and its deliveries';
  const rotated = 'Give it a new secret, shown this once; for 24 h messages are signed with both';
  return [
    post('enable', 'enableWebhook', 'Send events to it again', Webhook, async (workspaceId, id) =>
      presented(await endpoints.enable(workspaceId, id)),
    ),
    post('disable', 'disableWebhook', 'Send it nothing', Webhook, async (workspaceId, id) =>
      presented(await endpoints.disable(workspaceId, id)),
    ),
    post('rotate', 'rotateWebhookSecret', rotated, WebhookWithSecret, async (workspaceId, id) =>
      withSecret(await endpoints.rotate(workspaceId, id)),
    ),
    post('delete', 'deleteWebhook', none, Deleted, async (workspaceId, id) => {
      await endpoints.remove(workspaceId, id);
      return { id };
    }),
  ];
}

function testRoute(endpoints: Endpoints, path: string): ChangingRoute {
  return {
    scope,
    method: 'POST',
    path,
    operation: {
      id: 'testWebhook',
      summary: `Send it an event that tells of nothing; at most ${callsPerMinute.test} a minute for all webhooks together`,
      tag,
      answer: WebhookEvent,
      errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_PENDING_LIMIT'],
    },
    prepare: async ({ workspaceId, params }) => {
      const test = await endpoints.prepareTest(workspaceId, idOf(params));
      return async () => ({ data: await test() });
    },
  };
}

const replayErrors = [
  ...(['WEBHOOK_NOT_FOUND', 'WEBHOOK_EVENT_NOT_FOUND', 'WEBHOOK_REPLAY_UNDER_WAY'] as const),
  ...(['WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_PENDING_LIMIT'] as const),
] as const;

function replayRoute(endpoints: Endpoints, path: string): ChangingRoute {
  return {
    scope,
    method: 'POST',
    path,
    operation: {
      id: 'replayWebhook',
      summary: 'Send one event again, or all since a time; at most of the last 30 days, and one replay at a time',
      body: replaySchema,
      tag,
      answer: Webhook,
      errors: replayErrors,
    },
    prepare: async ({ workspaceId, params, body }) => {
      const { since, eventId } = parse(replaySchema, body as object);
      const id = idOf(params);
      const replay =
        since === undefined
          ? await endpoints.prepareReplayOfEvent(workspaceId, id, eventId ?? '')
          : await endpoints.prepareReplaySince(workspaceId, id, new Date(since));
      return async () => {
        await replay();
        return { data: presented(await endpoints.find(workspaceId, id)) };
      };
    },
  };
}

function deliveriesRoute(endpoints: Endpoints, path: string): Route {
  return {
    scope,
    method: 'GET',
    path,
    operation: {
      id: 'listWebhookDeliveries',
      summary: 'List what became of events, those of the newest orders first; the last 1,000, of 30 days',
      query: deliveriesQuery,
      tag,
      answer: WebhookDeliveryPage,
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    handle: async ({ workspaceId, params, query }) => {
      const { size, cursor } = parse(deliveriesQuery, onceEach(query, Object.keys(deliveriesQuery.shape)));
      const found = await endpoints.deliveries(workspaceId, idOf(params), size + 1, cursor);
      const items = found.slice(0, size);
      return {
        data: { items: items.map(presentedDelivery), nextCursor: found.length > size ? items.at(-1)?.eventId : null },
      };
    },
  };
}

function idOf({ id }: Readonly<Record<string, string>>): string {
  if (id === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
  return id;
}

function withSecret({ endpoint, secret }: { endpoint: WebhookEndpoint; secret: string }) {
  return { ...presented(endpoint), secret };
}

/** A webhook as the API shows it. Its times are dates, which become text as JSON. */
function presented({ secrets, behindSince, ...endpoint }: WebhookEndpoint) {
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

function presentedDelivery({ eventId, type, state, attempts, status, error, durationMs, ...times }: Delivery) {
  const { nextAttemptAt, createdAt, updatedAt } = times;
  return { eventId, type, state, attempts, status, error, durationMs, nextAttemptAt, createdAt, updatedAt };
}
