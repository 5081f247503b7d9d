import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Direction, Flow } from '../../src/domain/wallet.ts';
import { bucketOf } from '../../src/verify/multiset-checksum.ts';
import { FlowChecksum } from '../../src/verify/flow-checksum.ts';

const flow = (transferId: string, direction: Direction, leg = 0) => ({ transferId, direction, leg }) as Flow;
const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 200 });

it('matches when each order has one debit and one credit, in whatever order they are added', () => {
  const shuffled = ids.chain((orderIds) => {
    const inAnyOrder = fc.shuffledSubarray(orderIds, { minLength: orderIds.length });
    return fc.tuple(inAnyOrder, inAnyOrder, inAnyOrder);
  });
  fc.assert(
    fc.property(shuffled, ([debits, credits, orderIds]) => {
      const checksum = new FlowChecksum();
      for (const id of debits) checksum.addFlow(flow(id, 'DEBIT'));
      for (const id of orderIds) checksum.subtractOrder(id, 1);
      for (const id of credits) checksum.addFlow(flow(id, 'CREDIT'));
      expect(checksum.unmatchedBuckets()).toEqual([]);
    }),
  );
});

it.each(['DEBIT', 'CREDIT'] as const)('names the bucket of an order with a missing, or a doubled, %s', (direction) => {
  fc.assert(
    fc.property(ids, fc.boolean(), (orderIds, isDoubled) => {
      const checksum = new FlowChecksum();
      const [culprit = ''] = orderIds;
      for (const id of orderIds) {
        for (const side of ['DEBIT', 'CREDIT'] as const) {
          const times = id !== culprit || side !== direction ? 1 : isDoubled ? 2 : 0;
          for (let time = 0; time < times; time += 1) checksum.addFlow(flow(id, side));
        }
        checksum.subtractOrder(id, 1);
      }
      expect(checksum.unmatchedBuckets()).toEqual([bucketOf(culprit)]);
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
])('of an order with three legs, the flows of the legs %j match: %s', (legs, isMatch) => {
  const checksum = new FlowChecksum();
  for (const side of ['DEBIT', 'CREDIT'] as const) for (const leg of legs) checksum.addFlow(flow('tr_1', side, leg));
  checksum.subtractOrder('tr_1', 3);
  expect(checksum.unmatchedBuckets()).toEqual(isMatch ? [] : [bucketOf('tr_1')]);
});
