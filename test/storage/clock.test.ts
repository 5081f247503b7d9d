import { afterEach, describe, expect, it, vi } from 'vitest';
import { aheadOf, createClock } from '../../src/clock.ts';
import { correctClock, readServerTime } from '../../src/storage/shared/clock.ts';
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

  it('is in doubt by as long as the machine slept in between', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: 1_800_000_000_000 });
    const command = () => {
      const localTime = new Date();
      vi.setSystemTime(Date.now() + 150_000);
      return Promise.resolve({ localTime });
    };
    const { doubtMs } = await readServerTime({ command } as unknown as typeof db);
    expect(doubtMs).toBe(75_000);
  });
});
