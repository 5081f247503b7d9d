import { afterAll, beforeAll, expect, it } from 'vitest';
import { usesOf, type Limit } from '../../src/domain/limits.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder, type OrderValues } from '../../src/orders/order.ts';
import { countDebitOrders } from '../../src/storage/schema/debit-counts.ts';
import { openLedger, type Ledger } from '../posting/posting-ways.ts';

/* What a window counts over flows from before wallets could have limits, once an upgrade has counted them. */

const dayMs = 86_400_000;
const limits: readonly Limit[] = (['PT1M', 'P1D', 'P7D', 'P31D'] as const).map((rolling) => ({
  ...{ name: rolling, count: 1_000, amount: new Money(1_000), window: { rolling } },
}));

let now = new Date('2089-01-01T12:00:00Z');
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger({ clock: () => new Date(now) });
});
afterAll(async () => {
  expect(await ledger.breaches()).toEqual([]);
  await ledger.close();
});

async function post(values: Omit<OrderValues, 'workspaceId'>): Promise<string> {
  const order = newOrder({ ...values, workspaceId: ledger.workspaceId }, now);
  await ledger.collections.orders.insertBatch([order]);
  expect(await ledger.post([order])).toEqual(['completed']);
  return order.id;
}

async function used() {
  const { workspaceId, ids, collections } = ledger;
  const wallet = (await collections.wallets.findByIds([ids.alice], [workspaceId])).get(ids.alice)!;
  const { before } = await collections.readBeforeWindows([wallet], now);
  return usesOf(wallet, before.get(wallet.id)!, now).map((use) => [use.used.toFixed(), use.usedCount]);
}

it('the flows that a window can reach, and the open holds, are counted as if they always had been', async () => {
  const { workspaceId, ids, collections, db } = ledger;
  const { world, alice, bob, carol } = ids;
  const money = (amount: string) => ({ amount, currency: 'EUR' });
  await post({ type: 'DEPOSIT', sourceWalletId: world, targetWalletId: alice, ...money('900') });
  for (let day = 0; day < 60; day += 1) {
    now = new Date(now.getTime() + dayMs);
    await post({ type: 'TRANSFER', sourceWalletId: alice, targetWalletId: bob, ...money('1') });
    const leg = (targetWalletId: string) => ({ sourceWalletId: alice, targetWalletId, ...money('0.5') });
    if (day % 3 === 0) await post({ type: 'JOURNAL', legs: [leg(bob), leg(carol)] });
    if (day % 10 === 0) await post({ type: 'DEPOSIT', sourceWalletId: world, targetWalletId: alice, ...money('1') });
  }
  const expiresAt = new Date(now.getTime() + 9 * dayMs);
  const sides = { sourceWalletId: alice, targetWalletId: bob };
  const [first] = [
    await post({ type: 'HOLD', ...sides, ...money('7'), expiresAt }),
    await post({ type: 'HOLD', ...sides, ...money('2'), expiresAt }),
  ];
  await post({ type: 'CAPTURE', ...sides, ...money('3'), parentId: first, terms: { final: 'false' } });
  await collections.wallets.change({ workspaceId, id: alice, change: { limits } });
  const asCounted = await used();
  expect(asCounted.map(([, count]) => count)).toEqual([4, 4, 12, 44]);

  // As a release before left them.
  await db.collection('wallets').updateMany({}, { $unset: { debitOrders: 1, openHolds: 1 } });
  await db.collection('flows').updateMany({}, { $unset: { debitOrders: 1 } });
  expect(await used()).not.toEqual(asCounted);
  await countDebitOrders(db);
  expect(await used()).toEqual(asCounted);
  // What was cut short is done again, with the same numbers.
  await db.collection<{ _id: string }>('wallets').updateOne({ _id: alice }, { $unset: { debitOrders: 1 } });
  await countDebitOrders(db);
  expect(await used()).toEqual(asCounted);
  now = new Date(now.getTime() + 1_000);
  await post({ type: 'TRANSFER', ...sides, ...money('1') });
  expect((await used()).map(([, count]) => count)).toEqual([5, 5, 13, 45]);
});
