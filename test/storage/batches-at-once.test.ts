import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const { db } = testDatabase();
const orders = openOrders(db);
/** How often they meet. */
const races = 20;
const workspaceId = newId('workspace');

beforeAll(() => ensureSchema(db));

const order = (bizId: string) =>
  pendingOrder({ workspaceId, bizId, sourceWalletId: 'wa_1', targetWalletId: 'wa_2', currency: 'USD', amount: '1' });
const recorded = (bizIds: readonly string[]) =>
  db.collection('orders').countDocuments({ workspaceId, bizId: { $in: [...bizIds] } });

it('of atomic batches that share a line, one is recorded, as a whole', async () => {
  await Promise.all(
    Array.from({ length: races }, async (_, race) => {
      const own = [0, 1].map((batch) => [0, 1].map((line) => `${race}-${batch}-${line}`));
      const shared = `${race}-shared`;
      const areMade = await Promise.all(own.map((lines) => orders.insertTogether([...lines, shared].map(order))));
      expect(areMade.toSorted()).toEqual([false, true]);
      const counts = await Promise.all(own.map(recorded));
      expect(counts).toEqual(areMade.map((isMade) => (isMade ? 2 : 0)));
      expect(await recorded([shared])).toBe(1);
    }),
  );
});

it('of an atomic batch and the same lines each for itself, each line is recorded once, the batch as a whole or not', async () => {
  await Promise.all(
    Array.from({ length: races }, async (_, race) => {
      const bizIds = [0, 1, 2].map((line) => `each-${race}-${line}`);
      const [isMade, each] = await Promise.all([
        orders.insertTogether(bizIds.map(order)),
        orders.insertBatch(bizIds.map(order)),
      ]);
      if (isMade) expect(each).toEqual([false, false, false]);
      else expect(each).toContain(true);
      expect(await recorded(bizIds)).toBe(3);
    }),
  );
});
