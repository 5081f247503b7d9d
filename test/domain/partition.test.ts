import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partitionsMax } from '../../src/settings/settings.ts';
import { assignPartitions, partitionOf } from '../../src/domain/partition.ts';

describe('the partition of a workspace', () => {
  test('is the same in every release', () => {
    // The first four bytes of the id's SHA-256, modulo the number of partitions.
    expect(['ws_01', 'ws_02', 'ws_03', 'ws_04'].map((id) => partitionOf(id, 8))).toEqual([4, 7, 1, 4]);
    expect(partitionOf('ws_01', 1)).toBe(0);
  });

  test('is any of them about as often', () => {
    const [count, workspaces] = [16, 16_000];
    const sizes = new Array<number>(count).fill(0);
    for (let index = 0; index < workspaces; index += 1) sizes[partitionOf(`ws_${index}`, count)]! += 1;
    // Four standard deviations of a fair share.
    for (const size of sizes)
      expect(Math.abs(size - workspaces / count)).toBeLessThan(4 * Math.sqrt(workspaces / count));
  });

  test('is one of them, whatever the id and their number', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: partitionsMax }), (id, count) => {
        const partition = partitionOf(id, count);
        expect(Number.isInteger(partition) && partition >= 0 && partition < count).toBe(true);
      }),
    );
  });
});

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 });
const counts = fc.integer({ min: 1, max: 64 });

/** Nobody holds any. */
const none = new Map<number, string>();

/** Who has which partition, as it is after a division. */
function holdersAfter(assigned: ReadonlyMap<string, readonly number[]>): Map<number, string> {
  return new Map([...assigned].flatMap(([worker, own]) => own.map((partition) => [partition, worker] as const)));
}

describe('partitions divided among workers', () => {
  test('are all assigned, each once, in equal shares, whoever held them', () => {
    fc.assert(
      fc.property(names, counts, names, (workers, count, before) => {
        const assigned = assignPartitions(workers, count, holdersAfter(assignPartitions(before, count, none)));
        expect([...assigned.keys()].toSorted()).toEqual(workers.toSorted());
        const all = [...assigned.values()].flat().sort((a, b) => a - b);
        expect(all).toEqual(Array.from({ length: count }, (_, partition) => partition));
        const share = count / workers.length;
        for (const own of assigned.values()) {
          expect([Math.floor(share), Math.ceil(share)]).toContain(own.length);
          expect(own).toEqual(own.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test('are divided alike by all, in whatever order they know each other', () => {
    const shuffled = names.chain((workers) =>
      fc.tuple(fc.constant(workers), fc.shuffledSubarray(workers, { minLength: workers.length })),
    );
    fc.assert(
      fc.property(shuffled, counts, names, ([workers, others], count, before) => {
        const holders = holdersAfter(assignPartitions(before, count, none));
        const [one, other] = [assignPartitions(workers, count, holders), assignPartitions(others, count, holders)];
        for (const worker of workers) expect(other.get(worker)).toEqual(one.get(worker));
      }),
    );
  });

  test('stay where they are once they are divided', () => {
    fc.assert(
      fc.property(names, counts, (workers, count) => {
        const assigned = assignPartitions(workers, count, none);
        expect(assignPartitions(workers, count, holdersAfter(assigned))).toEqual(assigned);
      }),
    );
  });

  test('move only to a worker that comes, and only from one that goes', () => {
    const two = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(two, counts, ([one = '', ...others], count) => {
        const without = assignPartitions(others, count, none);
        const comes = assignPartitions([...others, one], count, holdersAfter(without));
        const before = holdersAfter(without);
        for (const [partition, worker] of holdersAfter(comes)) expect([before.get(partition), one]).toContain(worker);

        const goes = assignPartitions(others, count, holdersAfter(comes));
        const after = holdersAfter(goes);
        for (const [partition, worker] of holdersAfter(comes)) {
          if (worker !== one) expect(after.get(partition)).toBe(worker);
        }
      }),
    );
  });

  test('leave nothing for some, where there are more workers', () => {
    const workers = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    const shares = [...assignPartitions(workers, 3, none).values()].map(({ length }) => length);
    expect(shares.filter((share) => share === 0)).toHaveLength(7);
    expect(Math.max(...shares)).toBe(1);
  });
});
