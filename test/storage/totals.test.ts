import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WalletStatus } from '../../src/domain/wallet.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { readTotals } from '../../src/storage/wallets/totals.ts';
import { openWalletLists } from '../../src/reading/wallets.ts';
import { openLedger, walletNames, type Ledger, type Transfer } from '../posting/posting-ways.ts';

let ledger: Ledger;
let second: ReturnType<Ledger['secondOwner']>;
beforeAll(async () => {
  ledger = await openLedger();
  second = ledger.secondOwner();
  expect(await ledger.post(await ledger.record([['world', 'alice', '1000']]))).toEqual(['completed']);
});
afterAll(async () => {
  expect(await ledger.breaches()).toEqual([]);
  await second.close();
  await ledger.close();
});

const orders = () => ledger.db.collection('orders');

/** What lists tell, and what there is. */
async function totals() {
  const { workspaceId, ids } = ledger;
  const lists = openOrderLists(ledger.db);
  const told = [];
  const found = [];
  for (const status of [undefined, 'PENDING', 'COMPLETED', 'FAILED'] as const) {
    const stored = status === 'PENDING' ? { $in: ['PENDING', 'SET_ASIDE'] } : status;
    const ofStatus = stored === undefined ? {} : { status: stored };
    told.push((await lists.count({ workspaceId, status })).total);
    found.push(await orders().countDocuments({ workspaceId, ...ofStatus }));
    for (const walletId of Object.values(ids)) {
      told.push((await lists.count({ workspaceId, walletId, status })).total);
      const ofWallet = { $or: [{ sourceWalletId: walletId }, { targetWalletId: walletId }] };
      found.push(await orders().countDocuments({ workspaceId, ...ofStatus, ...ofWallet }));
    }
  }
  return { told, found };
}

const wallet = fc.constantFrom(...walletNames);
const transfer = fc
  .tuple(wallet, wallet, fc.constantFrom('0.01', '3', '700'))
  .filter(([source, target]) => source !== target);

describe('totals', () => {
  it('are what a recount gives, whatever is posted by two owners at once, fails, is set aside or released', async () => {
    const step = fc.record({
      transfers: fc.array(transfer, { minLength: 1, maxLength: 12 }),
      by: fc.constantFrom('first', 'second', 'both', 'nobody'),
      isSetAside: fc.boolean(),
    });
    const left: Awaited<ReturnType<Ledger['record']>> = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { transfers, by, isSetAside } of steps) {
          const { stuckOrders } = ledger.collections;
          left.push(...(await ledger.record(transfers)));
          if (isSetAside) {
            const faults = left.map(({ workspaceId, id }) => ({ workspaceId, orderId: id, reason: 'test' }));
            await stuckOrders.recordFaults(faults, 1);
          } else {
            await stuckOrders.release(
              ledger.workspaceId,
              left.map(({ id }) => id),
            );
          }
          const posts = { first: [ledger.post], second: [second.post], both: [ledger.post, second.post], nobody: [] };
          await Promise.all(posts[by].map((post) => post(left)));
          if (by !== 'nobody') left.length = 0;
          const { told, found } = await totals();
          expect(told).toEqual(found);
        }
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  it('of a list count each order once while it is posted', async () => {
    const { workspaceId, ids } = ledger;
    const transfers = Array.from({ length: 120 }, (_, index): Transfer => [
      'alice',
      'bob',
      index % 3 ? '0.01' : '5000',
    ]);
    const recorded = await ledger.record(transfers);
    const lists = openOrderLists(ledger.db);
    const query = { workspaceId, walletId: ids.bob };
    const expected = [(await lists.count({ workspaceId })).total, (await lists.count(query)).total];
    const posted = new AbortController();
    const told: number[][] = [];
    const reading = (async () => {
      while (!posted.signal.aborted) {
        const page = await lists.page(query, { size: 20, skip: 0 });
        told.push([(await lists.count({ workspaceId })).total, (await lists.count(query, page)).total]);
      }
    })();
    for (let from = 0; from < recorded.length; from += 4) await ledger.post(recorded.slice(from, from + 4));
    posted.abort();
    await reading;
    expect(told.length).toBeGreaterThan(3);
    expect(told).toEqual(told.map(() => expected));
  }, 60_000);

  it('and the status of a wallet change together, however often postings come first', async () => {
    const { workspaceId, collections, ids } = ledger;
    const transient = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
    const become = (status: WalletStatus) =>
      collections.wallets.change({ workspaceId, id: ids.carol, change: { status } });
    // More often than one transaction is tried.
    await ledger.failNext('update', transient, 15);
    expect(await become('FROZEN')).toMatchObject({ outcome: 'changed', wallet: { status: 'FROZEN' } });
    const lists = openWalletLists(ledger.db);
    expect(await lists.count({ workspaceId, currency: 'EUR', status: 'FROZEN' })).toBe(1);
    await ledger.failNext('commitTransaction', { errorCode: 8_000 });
    await expect(become('ACTIVE')).rejects.toMatchObject({ code: 8_000 });
    expect(await lists.count({ workspaceId, currency: 'EUR', status: 'FROZEN' })).toBe(1);
    expect(await become('ACTIVE')).toMatchObject({ outcome: 'changed', wallet: { status: 'ACTIVE' } });
    expect(await lists.count({ workspaceId, currency: 'EUR', status: 'FROZEN' })).toBe(0);
  });
});

describe('a posting', () => {
  it('adds to a part of its own for each posting under way, and the parts are summed', async () => {
    const before = (await readTotals(ledger.db, ledger)).orders('COMPLETED');
    const other = ledger.secondOwner(1);
    await ledger.post(await ledger.record([['alice', 'bob', '0.01']]));
    await other.post(await ledger.record([['alice', 'bob', '0.01']]));
    await other.close();
    expect((await readTotals(ledger.db, ledger)).orders('COMPLETED')).toBe(before + 2);
    const parts = await ledger.db.collection<{ _id: string }>('wallets').find({ kind: 'TOTALS' }).toArray();
    const names = parts.map(({ _id }) => _id.slice(_id.indexOf('.') + 1));
    expect(names.toSorted()).toEqual(['posting-0', 'posting-1', 'wallets']);
  });
});
