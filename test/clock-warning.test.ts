import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClockWarning, describeClock } from '../src/clock-warning.ts';

describe('the warning of a clock', () => {
  const entries: { level: number; msg: string; aheadMs?: number }[] = [];
  afterEach(() => {
    vi.useRealTimers();
  });
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
