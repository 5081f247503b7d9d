import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createScaling, type Load } from '../../src/ops/scaling.ts';

/** Two workers that are busy for 90 % post 1,000/s: each could post 556/s, and is meant to run at 70 % of that. */
const busy: Load = {
  ...{ acceptedPerSecond: 1_000, postedPerSecond: 1_000, workersAlive: 2, busyShare: 0.9, pending: 0 },
  ...{ partitions: 64, partitionsWithJobs: 64, commitSeconds: 0.02 },
};
const idle: Load = { ...busy, acceptedPerSecond: 0, postedPerSecond: 0, busyShare: 0, partitionsWithJobs: 0 };

let nowMs: number;
let suggest: ReturnType<typeof createScaling>;
beforeEach(() => {
  nowMs = 0;
  suggest = createScaling(() => nowMs);
});

describe('the suggested number of workers', () => {
  it('is what the load needs at the rate that the busy ones show', () => {
    expect(suggest(busy)).toMatchObject({
      ...{ suggestedWorkers: 3, backlogSeconds: 0, drainSeconds: 0, limitedBy: null },
      capacityPerWorker: 1_000 / 1.8,
    });
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
    expect(suggest({ ...idle, pending: 20_000, partitionsWithJobs: 64 })).toMatchObject({
      ...{ capacityPerWorker: 500, suggestedWorkers: 6 },
    });
    const fast = { ...busy, postedPerSecond: 3_600 };
    expect(suggest(fast).capacityPerWorker).toBeCloseTo(2_000);
    expect(suggest(idle).capacityPerWorker).toBeCloseTo(2_000);
    // One that is hardly busy says how little came in.
    expect(suggest({ ...busy, postedPerSecond: 10, busyShare: 0.19 }).capacityPerWorker).toBeCloseTo(2_000);
    // What is seen now changes it by a tenth.
    expect(suggest({ ...busy, postedPerSecond: 1_800 }).capacityPerWorker).toBeCloseTo(1_900);
  });

  it('counts no capacity of workers that have no partition', () => {
    const alone = suggest({ ...busy, workersAlive: 10, partitions: 2, partitionsWithJobs: 2, pending: 1_000 });
    expect(alone.capacityPerWorker).toBeCloseTo(1_000 / 1.8);
    expect(alone.backlogSeconds).toBeCloseTo(0.9);
  });

  it('is no more than there are partitions with work, and says what it is limited by', () => {
    const pressed = { ...busy, acceptedPerSecond: 4_000, partitions: 8 };
    expect(suggest({ ...pressed, partitionsWithJobs: 3 })).toMatchObject({
      suggestedWorkers: 3,
      limitedBy: 'workspaces',
    });
    expect(suggest({ ...pressed, partitionsWithJobs: 8 })).toMatchObject({
      suggestedWorkers: 8,
      limitedBy: 'partitions',
    });
    expect(suggest({ ...pressed, partitions: 64, partitionsWithJobs: 64 })).toMatchObject({
      ...{ suggestedWorkers: 11, limitedBy: null },
    });
  });

  it('says that a backlog never drains while more arrives than is posted', () => {
    const { drainSeconds, backlogSeconds } = suggest({ ...busy, acceptedPerSecond: 5_000, pending: 1_000 });
    expect(drainSeconds).toBeNull();
    expect(backlogSeconds).toBeCloseTo(0.9);
  });

  it('holds for a backlog of a million as for a small one', () => {
    const million = { ...busy, pending: 1_000_000, partitions: 256, partitionsWithJobs: 256 };
    // 1,000/s arrive and 100,000/s are to be drained, by workers at 70 % of 556/s: 260, of which 4 had no partition.
    const { suggestedWorkers, backlogSeconds, drainSeconds, limitedBy } = suggest(million);
    expect([suggestedWorkers, limitedBy]).toEqual([256, 'partitions']);
    expect(backlogSeconds).toBeCloseTo(900);
    expect(drainSeconds).toBeCloseTo(9_000);
  });

  it('knows no time that none would need', () => {
    const { backlogSeconds, drainSeconds } = suggest({ ...busy, workersAlive: 0, pending: 5 });
    expect([backlogSeconds, drainSeconds]).toEqual([null, null]);
  });

  it('stays within its limits, whatever the load', () => {
    const load = fc.record({
      pending: fc.nat(1_000_000),
      acceptedPerSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
      postedPerSecond: fc.double({ min: 0, max: 1e6, noNaN: true }),
      workersAlive: fc.nat(100),
      busyShare: fc.double({ min: 0, max: 1.5, noNaN: true }),
      commitSeconds: fc.double({ min: 0, max: 10, noNaN: true }),
      partitions: fc.integer({ min: 1, max: 256 }),
      partitionsWithJobs: fc.nat(256),
    });
    fc.assert(
      fc.property(fc.array(load, { minLength: 1, maxLength: 5 }), (loads) => {
        const each = createScaling(() => 0);
        for (const now of loads) {
          const { suggestedWorkers, backlogSeconds, drainSeconds, capacityPerWorker } = each(now);
          expect(Number.isInteger(suggestedWorkers)).toBe(true);
          expect(suggestedWorkers).toBeGreaterThanOrEqual(1);
          expect(suggestedWorkers).toBeLessThanOrEqual(now.partitions);
          expect(capacityPerWorker).toBeGreaterThanOrEqual(1);
          expect(backlogSeconds === null || Number.isFinite(backlogSeconds)).toBe(true);
          expect(backlogSeconds === null).toBe(now.workersAlive === 0 && now.pending > 0);
          expect(drainSeconds === null || Number.isFinite(drainSeconds)).toBe(true);
        }
      }),
    );
  });
});
