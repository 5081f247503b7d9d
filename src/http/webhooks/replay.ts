import { z } from 'zod';
import { because } from '../../errors.ts';
import type { RouteParts } from '../parts.ts';
import { parse } from '../parse.ts';
import type { Route } from '../route.ts';
import { idOf, post, presentWebhook, Webhook } from './webhook.ts';

const ReplayWebhook = z
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

export function webhookReplayRoute({ endpoints }: RouteParts): Route {
  const replayed = [
    'Sends the one event with `eventId` again, or those of all orders that ended since a time, of the last 30 days: give exactly',
    'one of both. One replay at a time. The answer comes before the events do; receivers skip an `eventId` that they have.',
  ].join('\n');
  return post(
    '/{id}/replay',
    {
      id: 'replayWebhook',
      summary: 'Send events again',
      description: replayed,
      body: ReplayWebhook,
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
      const { since, eventId } = parse(ReplayWebhook, body as object);
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
  );
}
