import { beforeEach, describe, expect, it } from 'vitest';
import { createClockWarning } from '../src/storage/shared/clock.ts';
import { aheadOf, ClockLostError, correctionMaxMs, createClock, describeClock } from '../src/clock.ts';
import { pino } from 'pino';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const hourMs = 3_600_000;

/** A machine, whose clock may be set and whose time passes. */
function openMachine(aheadMs: number) {
  const machine = { systemMs: startMs + aheadMs, passedMs: 500 };
  const clock = createClock(
    () => machine.systemMs,
    () => machine.passedMs,
  );
  return {
    clock,
    machine,
    pass: (ms: number): void => {
      machine.systemMs += ms;
      machine.passedMs += ms;
    },
    nowMs: () => clock.now().getTime(),
  };
}

describe('a corrected clock', () => {
  it('is the machine’s until it is corrected', () => {
    const { nowMs, pass } = openMachine(hourMs);
    pass(10);
    expect(nowMs()).toBe(startMs + hourMs + 10);
  });

  it.each([hourMs, -hourMs, 24 * hourMs, -24 * hourMs])(
    'is the server’s, where the machine is off by %i ms',
    (offMs) => {
      const { clock, nowMs, pass } = openMachine(offMs);
      clock.correct({ serverMs: startMs, doubtMs: 0 });
      expect(nowMs()).toBe(startMs);
      pass(2_500);
      expect(nowMs()).toBe(startMs + 2_500);
    },
  );

  it('moves no further than a measurement tells for sure, so a slow answer does not move a right clock', () => {
    const { clock, nowMs } = openMachine(0);
    for (const offMs of [-3_000, 3_000, 0]) {
      clock.correct({ serverMs: startMs + offMs, doubtMs: 3_000 });
      expect(nowMs()).toBe(startMs);
    }
    clock.correct({ serverMs: startMs + 5_000, doubtMs: 3_000 });
    expect(nowMs()).toBe(startMs + 2_000);
  });

  it('dates nothing from when the machine slept until a measurement that is sure', () => {
    const { clock, machine, nowMs, pass } = openMachine(0);
    clock.correct({ serverMs: startMs, doubtMs: 1 });
    pass(60_000);
    expect(clock.dating().getTime()).toBe(startMs + 60_000);
    // The monotonic clock does not count this.
    machine.systemMs += 150_000;
    expect(() => clock.dating()).toThrow(ClockLostError);
    // The question was asked before, and is answered afterwards: it may be of any time in between.
    clock.correct({ serverMs: startMs + 135_000, doubtMs: 75_000 });
    expect(() => clock.dating()).toThrow(ClockLostError);
    clock.correct({ serverMs: startMs + 210_000, doubtMs: 1 });
    expect(clock.dating().getTime()).toBe(nowMs());
    expect(Math.abs(nowMs() - startMs - 210_000)).toBeLessThanOrEqual(1);
  });

  it('does not follow when the machine’s clock is set', () => {
    const { clock, machine, nowMs, pass } = openMachine(0);
    clock.correct({ serverMs: startMs, doubtMs: 1 });
    machine.systemMs += hourMs;
    pass(1_000);
    expect(nowMs()).toBe(startMs + 1_000);
    clock.correct({ serverMs: startMs + 1_000, doubtMs: 1 });
    expect(nowMs()).toBe(startMs + 1_000);
  });

  it.each([1, -1])('is at most so far from the machine’s, whatever a server says (%i)', (sign) => {
    const { clock, nowMs } = openMachine(0);
    clock.correct({ serverMs: startMs + sign * 2 * correctionMaxMs, doubtMs: 1 });
    expect(nowMs()).toBe(startMs + sign * correctionMaxMs);
    expect(correctionMaxMs).toBeGreaterThan(24 * hourMs);
  });
});

it('how far a clock is ahead is what the doubt does not explain', () => {
  expect(aheadOf({ serverMs: 1_000, doubtMs: 10 }, 1_005)).toBe(0);
  expect(aheadOf({ serverMs: 1_000, doubtMs: 10 }, 1_015)).toBe(5);
  expect(aheadOf({ serverMs: 1_000, doubtMs: 10 }, 985)).toBe(-5);
});

describe('the warning of a clock', () => {
  const entries: { level: number; msg: string; aheadMs?: number }[] = [];
  beforeEach(() => {
    entries.length = 0;
  });
  const write = (line: string) => void entries.push(JSON.parse(line) as (typeof entries)[number]);

  it('is of more than a second, either way', () => {
    expect([1_000, -1_000, 0].map(describeClock)).toEqual([undefined, undefined, undefined]);
    expect(describeClock(1_001)).toBe("the clock of this machine is 1.0 s ahead of MongoDB's");
    expect(describeClock(-40_000)).toBe("the clock of this machine is 40.0 s behind MongoDB's");
  });

  it('comes each time until the clock is right again, which is told too', () => {
    const warn = createClockWarning(pino({}, { write }));
    for (const aheadMs of [5, 1_500.4, 1_600, 3, 2]) warn(aheadMs);
    expect(entries).toMatchObject([
      { level: 40, event: 'clock-off', aheadMs: 1_500 },
      { level: 40, aheadMs: 1_600 },
      { level: 40, event: 'recovered' },
    ]);
    warn(61_000);
    expect(entries.at(-1)).toMatchObject({ level: 50, aheadMs: 61_000 });
    warn(0);
    warn(-2_000);
    expect(entries.at(-1)).toMatchObject({ level: 40, aheadMs: -2_000 });
  });
});
