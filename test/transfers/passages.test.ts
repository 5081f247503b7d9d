import { expect, test } from 'vitest';
import { createPassages } from '../../src/transfers/passages.ts';
import type { Passage } from '../../src/transfers/passages.ts';

/** What is told of a group of so many that was left of 256, where another process has claimed the wallets of the others. */
function toldOf(left: number, hasTurn = false): Passage[] {
  const told: Passage[] = [];
  const picked = Array.from({ length: 256 }, (_, index) => index);
  createPassages((passage) => told.push(passage)).claimed(
    { group: picked.slice(0, left), hasTurn, refusedBy: left === picked.length ? undefined : 'another' },
    picked,
  );
  return told;
}

test('a group gets on freely where most of it could be posted, without a turn', () => {
  expect(toldOf(256)).toEqual([{ kind: 'free' }]);
  expect(toldOf(128)).toEqual([{ kind: 'free' }]);
  expect(toldOf(127)).toEqual([]);
  expect(toldOf(256, true)).toEqual([]);
});

test('a group that is refused once is not yet held up', () => {
  expect(toldOf(0)).toEqual([]);
});
