import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partitionsMax } from '../../src/config.ts';
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

/** How many partitions have another worker. */
function movedBetween(before: ReadonlyMap<string, readonly number[]>, after: ReadonlyMap<string, readonly number[]>) {
  const ownerAfter = new Map(
    [...after].flatMap(([worker, own]) => own.map((partition) => [partition, worker] as const)),
  );
  const owned = [...before].flatMap(([worker, own]) => own.map((partition) => ({ partition, worker })));
  return owned.filter(({ partition, worker }) => ownerAfter.get(partition) !== worker).length;
}

describe('partitions divided among workers', () => {
  test('are all assigned, each once, in equal shares', () => {
    fc.assert(
      fc.property(names, counts, (workers, count) => {
        const assigned = assignPartitions(workers, count);
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
      fc.property(shuffled, counts, ([workers, others], count) => {
        const [one, other] = [assignPartitions(workers, count), assignPartitions(others, count)];
        for (const worker of workers) expect(other.get(worker)).toEqual(one.get(worker));
      }),
    );
  });

  test('stay where they are, but for few, where a worker comes or goes', () => {
    let sharesMoved = 0;
    for (let trial = 0; trial < 150; trial += 1) {
      for (const [workerCount, count] of [
        [2, 8],
        [4, 16],
        [4, 64],
        [8, 64],
      ] as const) {
        const workers = Array.from({ length: workerCount }, (_, index) => `host-${trial}:${index}`);
        const moved = movedBetween(assignPartitions(workers.slice(1), count), assignPartitions(workers, count));
        sharesMoved = Math.max(sharesMoved, moved / (count / workerCount));
      }
    }
    // In shares of one worker. The newcomer takes one; the rest is what keeps the shares equal.
    expect(sharesMoved).toBeLessThanOrEqual(2.5);
  });

  test('leave nothing for some, where there are more workers', () => {
    const workers = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    const shares = [...assignPartitions(workers, 3).values()].map(({ length }) => length);
    expect(shares.filter((share) => share === 0)).toHaveLength(7);
    expect(Math.max(...shares)).toBe(1);
  });
});
