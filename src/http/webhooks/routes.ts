import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { freeText } from '../../domain/free-text.ts';
import { hasIdForm } from '../../domain/ids.ts';
import { orderIdOf, webhookDescriptionMax, webhookTypes } from '../../domain/webhook.ts';
import { because, ServiceError } from '../../errors.ts';
import { callsPerMinute } from '../../redis/webhook-limits.ts';
import { testType, type Delivery } from '../../storage/webhooks/deliveries.ts';
import { endpointsMax, type WebhookEndpoint } from '../../storage/webhooks/endpoints.ts';
import type { Endpoints } from '../../webhooks/endpoints.ts';
import type { Bulkhead } from '../../waiting/bulkhead.ts';
import { urlLengthMax } from '../../webhooks/target.ts';
import type { ChangingRoute, Operation, ReadingRoute, Route, Tag } from '../route.ts';
import {
  createWebhook,
  Deleted,
  Webhook,
  WebhookDeliveryPage,
  WebhookList,
  WebhookTest,
  WebhookWithSecret,
} from './webhook.ts';
import { EventType } from '../fields.ts';
import { noFields, parse } from '../parse.ts';

const scope = 'webhook:manage';
/** Of an operation that takes no field. */
const bodiless = { body: noFields, isBodyOptional: true } as const;
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
      .array(EventType)
      .min(1)
      .max(webhookTypes.length)
      .refine((events) => new Set(events).size === events.length, because('FIELD_MALFORMED', 'each once'))
      .meta({ description: 'What to send; each once.' }),
    description: freeText({ min: 0, max: webhookDescriptionMax })
      .default('')
      .meta({ description: 'Your own note of what it is for; without control characters.' }),
  })
  .meta({ id: 'CreateWebhook', description: 'Where to send what.', examples: [createWebhook] });

const replaySchema = z
  .strictObject({
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'All that ended since this time. Not together with `eventId`.' }),
    eventId: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The one event with this id. Not together with `since`.' }),
  })
  .superRefine(({ since, eventId }, context) => {
    if ((since === undefined) !== (eventId === undefined)) return;
    const reason = because(since === undefined ? 'FIELD_MISSING' : 'FIELD_MALFORMED', 'eventId,since');
    context.issues.push({ code: 'custom', input: since, path: ['since'], ...reason });
  })
  .meta({
    id: 'ReplayWebhook',
    description: 'What to send again: exactly one of both.',
    // With the fields and their types, because generators pass over a bare `required`.
    oneOf: [
      { type: 'object', properties: { since: { type: 'string', format: 'date-time' } }, required: ['since'] },
      { type: 'object', properties: { eventId: { type: 'string' } }, required: ['eventId'] },
    ],
    examples: [{ since: '2026-01-01T09:00:00Z' }],
  });

const deliveriesQuery = z.object({
  size: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .pipe(z.coerce.number<string>().int().max(deliveriesMax))
    .default(deliveriesDefault)
    .meta({ description: 'Rows of a page.' }),
  cursor: z
    .string()
    .refine((cursor) => hasIdForm('webhookEvent', cursor), because('CURSOR_MALFORMED'))
    .optional()
    .meta({ description: 'The `nextCursor` of the page before.' }),
});

const tag: Tag = { name: 'Webhooks', description: 'Events, sent to you when an order has ended.' };

/** A route under `/api/v1/webhooks`. */
const get = (end: string, operation: Omit<Operation, 'tag'>, handle: ReadingRoute['handle']): Route => ({
  scope,
  method: 'GET',
  path: `/api/v1/webhooks${end}`,
  operation: { tag, ...operation },
  handle,
});
const post = (end: string, operation: Omit<Operation, 'tag'>, prepare: ChangingRoute['prepare']): Route => ({
  scope,
  method: 'POST',
  path: `/api/v1/webhooks${end}`,
  operation: { tag, ...operation },
  prepare,
});

/** The `webhook:manage` endpoints. @param bulkhead present on a sharded cluster: each call's work then waits for a permit. */
export function webhookRoutes(endpoints: Endpoints, bulkhead: Bulkhead | undefined, clock: Clock): Route[] {
  const routes = [...managingRoutes(endpoints), ...verbRoutes(endpoints), ...sendingRoutes(endpoints, clock)];
  return bulkhead === undefined ? routes : routes.map((route) => withPermit(bulkhead, route));
}

/** Has a route's work done with a permit of its workspace. */
function withPermit(bulkhead: Bulkhead, route: Route): Route {
  if ('handle' in route) {
    return { ...route, handle: (request) => bulkhead.run(request.workspaceId, async () => route.handle(request)) };
  }
  return {
    ...route,
    prepare: async (request) => {
      const change = await bulkhead.run(request.workspaceId, async () => route.prepare(request));
      return () => bulkhead.run(request.workspaceId, change);
    },
  };
}

function managingRoutes(endpoints: Endpoints): Route[] {
  const created = [
    `Events go to the URL from now on; at most ${endpointsMax} webhooks a workspace. The answer has the secret that messages are`,
    'signed with, and it is shown this once: keep it. A URL has one webhook, so repeating a create is refused as',
    '`WEBHOOK_EXISTS`; if the answer was lost, find it in the list, and give it a new secret.',
  ].join('\n');
  return [
    post(
      '',
      {
        id: 'createWebhook',
        summary: 'Have events sent to a URL',
        description: created,
        body: createSchema,
        answer: WebhookWithSecret,
        errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_EXISTS', 'WEBHOOK_LIMIT'],
      },
      ({ workspaceId, body }) => {
        const values = parse(createSchema, body as object);
        endpoints.checkUrl(values.url);
        return async () => ({ data: withSecret(await endpoints.create({ workspaceId, ...values })) });
      },
    ),
    get(
      '',
      {
        id: 'listWebhooks',
        summary: 'List webhooks of the workspace',
        description: `All of them on one page, oldest first: there are at most ${endpointsMax}.`,
        answer: WebhookList,
      },
      async ({ workspaceId }) => ({ data: { items: (await endpoints.list(workspaceId)).map(presentWebhook) } }),
    ),
    get(
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
    ),
  ];
}

/** Routes that need no body. */
function verbRoutes(endpoints: Endpoints): Route[] {
  const verb = (
    name: string,
    operation: Pick<Operation, 'id' | 'summary' | 'description' | 'answer'>,
    act: (endpoint: WebhookEndpoint) => Promise<unknown>,
  ): Route =>
    post(
      `/{id}/${name}`,
      { ...operation, ...bodiless, errors: ['WEBHOOK_NOT_FOUND'] },
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
      async (endpoint) => presentWebhook(await endpoints.enable(endpoint.workspaceId, endpoint.id, endpoint)),
    ),
    verb(
      'disable',
      {
        id: 'disableWebhook',
        summary: 'Send it nothing',
        description: 'Nothing is sent until it is enabled again. Safe to repeat.',
        answer: Webhook,
      },
      async (endpoint) => presentWebhook(await endpoints.disable(endpoint.workspaceId, endpoint.id, endpoint)),
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

/** What is sent because its owner asks for it, and what became of events. */
function sendingRoutes(endpoints: Endpoints, clock: Clock): Route[] {
  const tested = [
    `Sends an event of the type \`webhook.test\` that tells of nothing; at most ${callsPerMinute.test} a minute for all webhooks of the`,
    'workspace together. The answer comes before the event does: see the deliveries for what became of it.',
  ].join('\n');
  const replayed = [
    'Sends the one event with `eventId` again, or those of all orders that ended since a time, of the last 30 days: give exactly',
    'one of both. One replay at a time. The answer comes before the events do; receivers skip an `eventId` that they have.',
  ].join('\n');
  const listed = 'Of each event whether it was DELIVERED, and why not: the last 1,000, of 30 days.';
  return [
    post(
      '/{id}/test',
      {
        id: 'testWebhook',
        summary: 'Send it an event that tells of nothing',
        description: tested,
        answer: WebhookTest,
        ...bodiless,
        errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'WEBHOOK_RATE_EXCEEDED', 'WEBHOOK_PENDING_LIMIT'],
      },
      async ({ workspaceId, params, body }) => {
        parse(noFields, body as object);
        const test = await endpoints.prepareTest(workspaceId, idOf(params));
        return async () => ({ data: await test() });
      },
    ),
    post(
      '/{id}/replay',
      {
        id: 'replayWebhook',
        summary: 'Send events again',
        description: replayed,
        body: replaySchema,
        answer: Webhook,
        errors: [
          'WEBHOOK_NOT_FOUND',
          'WEBHOOK_EVENT_NOT_FOUND',
          'WEBHOOK_REPLAY_UNDER_WAY',
          'WEBHOOK_RATE_EXCEEDED',
          'WEBHOOK_PENDING_LIMIT',
        ],
      },
      async ({ workspaceId, params, body }) => {
        const { since, eventId } = parse(replaySchema, body as object);
        const id = idOf(params);
        const replay =
          since === undefined
            ? await endpoints.prepareReplayOfEvent(workspaceId, id, eventId ?? '')
            : await endpoints.prepareReplaySince(workspaceId, id, new Date(since));
        return async () => {
          await replay();
          return { data: presentWebhook(await endpoints.find(workspaceId, id)) };
        };
      },
    ),
    get(
      '/{id}/deliveries',
      {
        id: 'listWebhookDeliveries',
        summary: 'List what became of events',
        description: listed,
        query: deliveriesQuery,
        answer: WebhookDeliveryPage,
        errors: ['WEBHOOK_NOT_FOUND'],
      },
      async ({ workspaceId, params, query }) => {
        const { size, cursor } = parse(deliveriesQuery, query);
        const deliveries = await endpoints.deliveries(workspaceId, idOf(params), size + 1, cursor);
        const items = deliveries.slice(0, size);
        const nextCursor = deliveries.length > size ? items.at(-1)?.eventId : null;
        const now = clock();
        return { data: { items: items.map((delivery) => presentedDelivery(delivery, now)), nextCursor } };
      },
    ),
  ];
}

function idOf({ id }: Readonly<Record<string, string>>): string {
  if (id === undefined) throw new ServiceError('WEBHOOK_NOT_FOUND');
  return id;
}

function withSecret({ endpoint, secret }: { endpoint: WebhookEndpoint; secret: string }) {
  return { ...presentWebhook(endpoint), secret };
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

/** What is due already is tried as soon as it can be: a moment that has passed is none to wait for. */
function presentedDelivery(
  { eventId, type, state, attempts, status, error, durationMs, ...times }: Delivery,
  now: Date,
) {
  const { lastAttemptAt, createdAt, updatedAt } = times;
  const nextAttemptAt = times.nextAttemptAt !== null && times.nextAttemptAt < now ? now : times.nextAttemptAt;
  const transferId = type === testType ? null : orderIdOf(eventId);
  const shown = { eventId, type, transferId, state, attempts, status, error, durationMs };
  return { ...shown, lastAttemptAt, nextAttemptAt, createdAt, updatedAt };
}
