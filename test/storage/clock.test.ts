import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aheadOf, createClock } from '../../src/clock.ts';
import { correctClock, createClockWarning, describeClock, readServerTime } from '../../src/storage/shared/clock.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();

afterEach(() => {
  vi.useRealTimers();
});

describe('how far a clock is ahead of MongoDB’s', () => {
  it('is asked of the server itself', async () => {
    expect(Math.abs(await correctClock(db, createClock()))).toBeLessThan(1_000);
  });

  // Question and answer take 3 s, and the server reads its clock when it has the question, half-way, or as it answers.
  it.each([
    ['of a right clock, read early', 0, 0, 0],
    ['of a right clock, read late', 0, 3_000, 0],
    ['of one that is ahead, read early', 4_000, 0, 4_000],
    ['of one that is ahead, read half-way', 4_000, 1_500, 2_500],
    ['of one that is ahead, read late', 4_000, 3_000, 1_000],
    ['of one that is behind, read early', -4_000, 0, -1_000],
    ['of one that is behind, read late', -4_000, 3_000, -4_000],
  ])('is what no slowness of the network explains: %s', async (_, offMs, readAfterMs, aheadMs) => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: 1_800_000_000_000 });
    const localTime = new Date(Date.now() - offMs + readAfterMs);
    const command = () => {
      vi.advanceTimersByTime(3_000);
      return Promise.resolve({ localTime });
    };
    const time = await readServerTime({ command } as unknown as typeof db);
    expect(aheadOf(time, Date.now())).toBeCloseTo(aheadMs);
  });
});

describe('the warning', () => {
  const entries: { level: number; msg: string; aheadMs?: number }[] = [];
  beforeEach(() => {
    entries.length = 0;
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  const write = (line: string) => void entries.push(JSON.parse(line) as (typeof entries)[number]);

  it('is of more than a second, either way', () => {
    expect([1_000, -1_000, 0].map(describeClock)).toEqual([undefined, undefined, undefined]);
    expect(describeClock(1_001)).toBe("the clock of this machine is 1.0 s ahead of MongoDB's");
    expect(describeClock(-40_000)).toBe("the clock of this machine is 40.0 s behind MongoDB's");
  });

  it('comes at once and then once a minute, until the clock is right again, which is told too', () => {
    const warn = createClockWarning(pino({}, { write }));
    for (const aheadMs of [5, 1_500.4, 1_600, 1_700]) warn(aheadMs);
    expect(entries).toMatchObject([{ level: 40, event: 'clock-off', aheadMs: 1_500 }]);
    vi.advanceTimersByTime(60_000);
    for (const aheadMs of [1_800, 1_900, 3, 2]) warn(aheadMs);
    expect(entries.slice(1)).toMatchObject([{ level: 40, aheadMs: 1_800 }, { level: 30 }]);
    warn(61_000);
    expect(entries.at(-1)).toMatchObject({ level: 50, aheadMs: 61_000 });
    warn(0);
    warn(-2_000);
    expect(entries.at(-1)).toMatchObject({ level: 40, aheadMs: -2_000 });
  });
});
