import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPassages } from '../../src/transfers/passages.ts';
import type { Passage } from '../../src/transfers/passages.ts';

const picked = Array.from({ length: 256 }, (_, index) => index);
const heldUp: Passage = { kind: 'held up', by: 'another' };
/** Two of them are longer than a worker is held up for. */
const partOfPatienceMs = 200;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const told: Passage[] = [];
  const passages = createPassages((passage) => told.push(passage));
  return {
    told,
    passages,
    /** A group of so many is left of 256, because another process has claimed the wallets of the others. */
    left: (count: number, hasTurn = false): void => {
      const refusedBy = count === picked.length ? undefined : 'another';
      passages.claimed({ group: picked.slice(0, count), hasTurn, refusedBy }, picked);
    },
  };
}

test('a group gets on freely where most of it could be posted, without a turn', () => {
  const { told, left } = open();
  left(256);
  left(128);
  expect(told).toEqual([{ kind: 'free' }, { kind: 'free' }]);
  left(127);
  left(256, true);
  expect(told).toHaveLength(2);
});

test('groups are held up that cannot be begun for long, small ones in between or not', () => {
  const { told, left, passages } = open();
  left(0);
  vi.advanceTimersByTime(partOfPatienceMs);
  left(100);
  passages.begun();
  passages.ended();
  left(0);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(partOfPatienceMs);
  left(0);
  expect(told).toEqual([heldUp]);
});

test('groups are not held up while one is in flight, and anew after one that got on freely', () => {
  const { told, left, passages } = open();
  passages.begun();
  left(0);
  vi.advanceTimersByTime(2 * partOfPatienceMs);
  left(0);
  passages.ended();
  left(0);
  vi.advanceTimersByTime(partOfPatienceMs);
  left(256);
  left(0);
  vi.advanceTimersByTime(partOfPatienceMs);
  left(0);
  expect(told).toEqual([{ kind: 'free' }]);
});
