import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketOf } from '../../src/verify/buckets.ts';
import { createTally } from '../../src/verify/tally.ts';

const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 200 });

it('matches when each order has one debit and one credit, in whatever order they are added', () => {
  const shuffled = ids.chain((orderIds) => {
    const inAnyOrder = fc.shuffledSubarray(orderIds, { minLength: orderIds.length });
    return fc.tuple(inAnyOrder, inAnyOrder, inAnyOrder);
  });
  fc.assert(
    fc.property(shuffled, ([debits, credits, orderIds]) => {
      const tally = createTally();
      for (const id of debits) tally.addFlow(id, 'DEBIT', 0);
      for (const id of orderIds) tally.subtractOrder(id, 1);
      for (const id of credits) tally.addFlow(id, 'CREDIT', 0);
      expect(tally.unmatchedBuckets()).toEqual([]);
    }),
  );
});

it.each(['DEBIT', 'CREDIT'] as const)('names the bucket of an order with a missing, or a doubled, %s', (direction) => {
  fc.assert(
    fc.property(ids, fc.boolean(), (orderIds, isDoubled) => {
      const tally = createTally();
      const [culprit = ''] = orderIds;
      for (const id of orderIds) {
        for (const side of ['DEBIT', 'CREDIT'] as const) {
          const times = id !== culprit || side !== direction ? 1 : isDoubled ? 2 : 0;
          for (let time = 0; time < times; time += 1) tally.addFlow(id, side, 0);
        }
        tally.subtractOrder(id, 1);
      }
      expect(tally.unmatchedBuckets()).toEqual([bucketOf(culprit)]);
    }),
  );
});

it.each([
  [[0, 1, 2], true],
  [[2, 0, 1], true],
  [[0, 0, 0], false],
  [[1, 1, 1], false],
  [[0, 0, 2], false],
  [[0, 1], false],
])('of an order with three moves, the flows of the moves %j match: %s', (moves, isMatch) => {
  const tally = createTally();
  for (const side of ['DEBIT', 'CREDIT'] as const) for (const move of moves) tally.addFlow('tr_1', side, move);
  tally.subtractOrder('tr_1', 3);
  expect(tally.unmatchedBuckets()).toEqual(isMatch ? [] : [bucketOf('tr_1')]);
});
