import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createScaling, type Load } from '../../src/ops/scaling.ts';

/** Two workers that are busy for 90 % post 1,000/s: each could post 556/s, and is meant to run at 70 % of that. */
const busy: Load = {
  ...{ acceptedPerSecond: 1_000, postedPerSecond: 1_000, workersAlive: 2, busyShare: 0.9, pending: 0 },
  ...{ buckets: 64, commitSeconds: 0.02 },
};
const idle: Load = { ...busy, acceptedPerSecond: 0, postedPerSecond: 0, busyShare: 0, buckets: 0 };

let nowMs: number;
let suggest: ReturnType<typeof createScaling>;
beforeEach(() => {
  nowMs = 0;
  suggest = createScaling(() => nowMs);
});

describe('the suggested number of workers', () => {
  it('is what the load needs at the rate that the busy ones show', () => {
    expect(suggest(busy)).toEqual({ suggestedWorkers: 3, limitedBy: null });
    expect(suggest({ ...busy, pending: 10_000 }).suggestedWorkers).toBe(6);
  });

  it('is no more than there are while those wait for MongoDB', () => {
    expect(suggest({ ...busy, pending: 10_000, commitSeconds: 3 })).toMatchObject({
      suggestedWorkers: 2,
      limitedBy: 'mongodb',
    });
    expect(suggest({ ...busy, pending: 10_000 })).toMatchObject({ suggestedWorkers: 6, limitedBy: null });
  });

  it('goes up at once, and down only where fewer were enough for a minute', () => {
    expect(suggest(busy).suggestedWorkers).toBe(3);
    nowMs = 1_000;
    expect(suggest({ ...busy, pending: 10_000 }).suggestedWorkers).toBe(6);
    nowMs = 60_000;
    expect(suggest(idle).suggestedWorkers).toBe(6);
    nowMs = 61_000;
    expect(suggest(idle).suggestedWorkers).toBe(1);
  });

  it('supposes little of workers that it has not seen at work, and remembers those that it has', () => {
    const waiting = { ...idle, pending: 140_000, buckets: 64 };
    // 14,000/s are to be drained, by workers at 70 % of what they can.
    const suggested = (load: Load) => {
      nowMs += 60_000;
      suggest(load);
      nowMs += 60_000;
      return suggest(waiting).suggestedWorkers;
    };
    expect(suggested(idle)).toBe(40);
    expect(suggested({ ...busy, postedPerSecond: 3_600 })).toBe(10);
    // One that is hardly busy says how little came in.
    expect(suggested({ ...busy, postedPerSecond: 10, busyShare: 0.19 })).toBe(10);
    // What is seen now, 1,000/s, changes it by a tenth, to 1,900/s.
    expect(suggested({ ...busy, postedPerSecond: 1_800 })).toBe(11);
  });

  it('is no more than there are buckets with work, and says what it is limited by', () => {
    const pressed = { ...busy, acceptedPerSecond: 4_000 };
    expect(suggest({ ...pressed, buckets: 3 })).toMatchObject({ suggestedWorkers: 3, limitedBy: 'workspaces' });
    expect(suggest({ ...pressed, buckets: 64 })).toMatchObject({ suggestedWorkers: 11, limitedBy: null });
  });

  it('holds for a backlog of a million as for a small one', () => {
    // 1,000/s arrive and 100,000/s are to be drained, by workers at 70 % of 556/s: 260, of which most had no bucket.
    expect(suggest({ ...busy, pending: 1_000_000 })).toEqual({ suggestedWorkers: 64, limitedBy: 'workspaces' });
  });

  it('stays within its limits, whatever the load', () => {
    const load = fc.record({
      pending: fc.nat(1_000_000),
      acceptedPerSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
      postedPerSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
      workersAlive: fc.nat(100),
      busyShare: fc.double({ min: 0, max: 1.5, noNaN: true }),
      commitSeconds: fc.double({ min: 0, max: 10, noNaN: true }),
      buckets: fc.nat(64),
    });
    fc.assert(
      fc.property(fc.array(load, { minLength: 1, maxLength: 5 }), (loads) => {
        const each = createScaling(() => 0);
        let most = 1;
        for (const now of loads) {
          most = Math.max(most, now.buckets);
          const { suggestedWorkers } = each(now);
          expect(Number.isInteger(suggestedWorkers)).toBe(true);
          expect(suggestedWorkers).toBeGreaterThanOrEqual(1);
          expect(suggestedWorkers).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
