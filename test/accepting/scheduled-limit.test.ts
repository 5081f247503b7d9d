import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScheduledLimit } from '../../src/accepting/scheduled-limit.ts';

let scheduled: Map<string, number>;
let counts: string[];
beforeEach(() => {
  scheduled = new Map();
  counts = [];
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
  // A cache takes a time of zero for none.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

const max = 5;
const executeAt = new Date(0);
const limit = () =>
  createScheduledLimit(
    {
      countOf: (workspaceId, status, countMax) => {
        expect([status, countMax]).toEqual(['SCHEDULED', max]);
        counts.push(workspaceId);
        return Promise.resolve(scheduled.get(workspaceId) ?? 0);
      },
    },
    { expect: () => Promise.resolve() },
    max,
  );
const full = { errorName: 'SCHEDULED_FULL', retryAfterSeconds: 5 };

it('what was let through since the count is counted too, of each workspace by itself', async () => {
  const check = limit();
  scheduled.set('ws', 3);
  const asked = await Promise.allSettled(Array.from({ length: 4 }, () => check('ws', executeAt)));
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  await expect(check('ws', executeAt)).rejects.toMatchObject(full);
  await check('other', executeAt);
  expect(counts).toEqual(['ws', 'other']);
});

it('a workspace is counted again after a second, and only when it schedules', async () => {
  const check = limit();
  scheduled.set('ws', max);
  await expect(check('ws', executeAt)).rejects.toMatchObject(full);
  scheduled.set('ws', max - 1);
  vi.advanceTimersByTime(900);
  await expect(check('ws', executeAt)).rejects.toMatchObject(full);
  expect(counts).toHaveLength(1);
  vi.advanceTimersByTime(200);
  await check('ws', executeAt);
  await expect(check('ws', executeAt)).rejects.toMatchObject(full);
  expect(counts).toHaveLength(2);
});

it('a count that failed is tried again by the next', async () => {
  let isAway = true;
  const check = createScheduledLimit(
    {
      countOf: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(0)),
    },
    { expect: () => Promise.resolve() },
    max,
  );
  await expect(check('ws', executeAt)).rejects.toThrow('away');
  isAway = false;
  await check('ws', executeAt);
});
