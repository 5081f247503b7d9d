import { z } from 'zod';
import { anyScope } from '../../auth/pipeline.ts';
import { durationForm, timeAfter } from '../../domain/duration.ts';
import { because, ServiceError } from '../../errors.ts';
import { timeFrom, timeGiven } from '../../orders/body.ts';
import { advanceMaxMs, type Advanced } from '../../scheduling/advance.ts';
import { time } from '../fields.ts';
import { parse } from '../parse.ts';
import type { RouteParts } from '../parts.ts';
import type { Route, Tag } from '../route.ts';

const tag: Tag = {
  name: 'Test clock',
  description: 'The time in a test workspace. To keys of other workspaces these paths do not exist.',
};
const path = '/api/v1/test/clock';
/** How far a clock can be put forward at once, and how far from the real time. */
const furthest = { atOnce: 'P2Y', ahead: 'P20Y' };
/** The time beside the wait, to answer. */
const answerMarginMs = 5_000;
const durationLengthMax = 64;

const TestClock = z
  .strictObject({
    now: time.meta({ description: 'The time in the workspace.' }),
    nextDueAt: time.nullable().meta({
      description:
        'When something is due next: a scheduled order, the expiry of a hold, a webhook; null if nothing will be.',
    }),
  })
  .meta({
    id: 'TestClock',
    description: 'The clock of a test workspace.',
    examples: [{ now: '2026-01-01T09:30:00.000Z', nextDueAt: '2026-01-08T09:30:00.000Z' }],
  });

const AdvanceTestClock = z
  .strictObject({
    advanceBy: z.string().max(durationLengthMax).regex(new RegExp(durationForm)).exactOptional().meta({
      description:
        'How far: an ISO 8601 duration of whole numbers, above zero. Years and months go by the calendar, in UTC.',
    }),
    to: timeGiven.exactOptional().meta({ description: 'To which time. One that has passed changes nothing.' }),
  })
  .superRefine(({ advanceBy, to }, context) => {
    if ((advanceBy === undefined) !== (to === undefined)) return;
    const reason = because(to === undefined ? 'FIELD_MISSING' : 'FIELD_UNKNOWN');
    context.issues.push({ code: 'custom', input: to, path: [to === undefined ? 'advanceBy' : 'to'], ...reason });
  })
  .meta({
    id: 'AdvanceTestClock',
    description: 'How far to put a clock forward: by a duration, or to a time.',
    examples: [{ advanceBy: 'P31D' }],
  });

const TestClockAdvance = z
  .strictObject({
    from: time.meta({ description: 'Where the clock stood.' }),
    to: time.meta({ description: 'Where it was to go.' }),
    now: time.meta({ description: 'Where it stands. It runs on from there.' }),
    done: z
      .boolean()
      .meta({ description: 'Whether all has ended that was due until `to`. If not, go on with that `to`.' }),
    started: z.int().nonnegative().meta({ description: 'How many scheduled orders came due.' }),
    expired: z.int().nonnegative().meta({ description: 'How many holds expired.' }),
  })
  .meta({
    id: 'TestClockAdvance',
    description: 'What became of putting a clock forward.',
    examples: [
      {
        from: '2026-01-01T09:30:00.000Z',
        to: '2026-02-01T09:30:00.000Z',
        now: '2026-02-01T09:30:00.000Z',
        ...{ done: true, started: 3, expired: 1 },
      },
    ],
  });

/** Reads the clock of a test workspace, and puts it forward. */
export function testClockRoutes({ testTime, clock }: RouteParts): Route[] {
  /** @throws ServiceError FIELD_OUT_OF_RANGE. */
  function targetOf({ advanceBy, to }: z.output<typeof AdvanceTestClock>, now: Date): Date {
    const field = to === undefined ? 'advanceBy' : 'to';
    const target = to === undefined ? timeAfter(now, advanceBy ?? '') : timeFrom(to);
    const limits = [timeAfter(now, furthest.atOnce), timeAfter(clock(), furthest.ahead)].map((limit) => limit ?? now);
    const limit = limits.reduce((a, b) => (a < b ? a : b));
    if (target === undefined || target > limit)
      throw new ServiceError('FIELD_OUT_OF_RANGE', { field, value: limit.toISOString() });
    return target;
  }

  return [
    {
      scope: anyScope,
      isOfTest: true,
      method: 'GET',
      path,
      operation: {
        id: 'getTestClock',
        tag,
        summary: 'Get the time of the test workspace',
        description: 'The time by which the workspace goes, and when something is due next.',
        answer: TestClock,
      },
      handle: async ({ workspaceId }) => {
        const { now, nextDueAt } = await testTime.read(workspaceId);
        return { data: { now: now.toISOString(), nextDueAt: nextDueAt?.toISOString() ?? null } };
      },
    },
    {
      scope: 'wallet:manage',
      isOfTest: true,
      method: 'POST',
      path,
      answerMaxMs: advanceMaxMs + answerMarginMs,
      operation: {
        id: 'advanceTestClock',
        tag,
        summary: 'Put the clock of the test workspace forward',
        description: [
          'Goes from moment to moment at which something is due, and stands still at each until all of it has ended: scheduled orders,',
          'then expiries, then the webhooks that tell of them. All of it is dated with that moment. The clock is never set back.',
          '',
          `It goes at most two years at once, and 20 years from the real time. After ${advanceMaxMs / 1_000} s the answer says \`done: false\`:`,
          'then repeat the request with the `to` of the answer. `to` may be repeated; `advanceBy` adds up.',
        ].join('\n'),
        body: AdvanceTestClock,
        answer: TestClockAdvance,
        errors: ['FIELD_MISSING', 'FIELD_OUT_OF_RANGE'],
      },
      prepare: async ({ workspaceId, body, hasWaited }) => {
        const target = parse(AdvanceTestClock, body as object);
        targetOf(target, (await testTime.read(workspaceId)).now);
        return async () => {
          const startedAt = performance.now();
          const advanced = await testTime.advance(workspaceId, (now) => targetOf(target, now));
          hasWaited(performance.now() - startedAt);
          return { data: shown(advanced) };
        };
      },
    },
  ];
}

function shown({ from, to, now, done, started, expired }: Advanced) {
  return { from: from.toISOString(), to: to.toISOString(), now: now.toISOString(), done, started, expired };
}
