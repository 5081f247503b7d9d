import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { indexEntriesWritten } from '../../bench/measure/index-entries.ts';
import { newId, totalsId } from '../../src/domain/ids.ts';
import { newOrder, orderStatuses, type OrderStatus } from '../../src/orders/order.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { toDocument } from '../../src/storage/orders/documents.ts';
import { explained } from '../support/watched-reads.ts';
import { idOf, openWatchedBooks, timeOf } from './watched-books.ts';

/*
 * Lists of a workspace of which a few orders are for a later time, some of them CANCELLED, and of which some came in a batch.
 */

const rows = 1_000;
const batchSize = 5;
/** Of a hundred orders one is FAILED, two are CANCELLED, three SCHEDULED and one is PENDING. */
function statusOf(row: number): OrderStatus {
  const place = row % 100;
  if (place === 0) return 'FAILED';
  if (place < 3) return 'CANCELLED';
  if (place < 6) return 'SCHEDULED';
  return place === 6 ? 'PENDING' : 'COMPLETED';
}
const isForLater = (row: number): boolean => [1, 2, 3, 4, 5, 20].includes(row % 100);
const walletsOf = (row: number): [string, string] => (row % 3 === 0 ? [carol, bob] : [alice, bob]);
const batchOf = (row: number): string | undefined =>
  row % 10 < batchSize ? undefined : batches[Math.floor(row / 10) % 7];

const workspaceId = newId('workspace');
const [alice, bob, carol] = [newId('wallet'), newId('wallet'), newId('wallet')];
const batches = Array.from({ length: 7 }, () => newId('batch'));
const numbers = Array.from({ length: rows }, (_, row) => row);

const { plain, db, insert, sentBy } = openWatchedBooks();
const lists = openOrderLists(db);

function documentOf(row: number) {
  const [sourceWalletId, targetWalletId] = walletsOf(row);
  const batchId = batchOf(row);
  const values = {
    ...{ workspaceId, type: 'TRANSFER', sourceWalletId, targetWalletId, amount: '1', currency: 'USD' },
    ...(batchId === undefined ? {} : { batchId }),
    ...(isForLater(row) ? { executeAt: timeOf(row + rows) } : {}),
  };
  const status = statusOf(row);
  return {
    ...toDocument(newOrder(values, timeOf(row), idOf(row))),
    status,
    failure: status === 'FAILED' ? ('INSUFFICIENT_BALANCE' as const) : null,
    completedAt: status === 'COMPLETED' ? timeOf(row) : null,
  };
}

beforeAll(async () => {
  await plain.collection<Document & { _id: string }>('orders').insertMany(numbers.map(documentOf));
  const counts = (of: readonly number[]) => {
    const numberIn = (status: OrderStatus): number => of.filter((row) => statusOf(row) === status).length;
    return {
      TRANSFER: { COMPLETED: numberIn('COMPLETED'), FAILED: numberIn('FAILED'), CANCELLED: numberIn('CANCELLED') },
    };
  };
  const ofWallets = [alice, bob, carol].map((_id) => ({
    ...{ _id, workspaceId, currency: 'USD' },
    orders: counts(numbers.filter((row) => walletsOf(row).includes(_id))),
  }));
  const totals = { _id: totalsId(workspaceId, 'posting-0'), workspaceId, orders: { USD: counts(numbers) } };
  await insert('wallets', [...ofWallets, totals]);
});

type Query = Omit<Parameters<typeof lists.page>[0], 'workspaceId'>;
/** The rows of a list, newest first. */
function listed({ walletId, status, batchId, from, to }: Query): number[] {
  return numbers
    .filter(
      (row) =>
        (walletId === undefined || walletsOf(row).includes(walletId)) &&
        (status === undefined || statusOf(row) === status) &&
        (batchId === undefined || batchOf(row) === batchId) &&
        (from === undefined || timeOf(row) >= from) &&
        (to === undefined || timeOf(row) < to),
    )
    .reverse();
}

const ranges = [{}, { from: timeOf(120) }, { to: timeOf(730) }, { from: timeOf(250), to: timeOf(651) }];
const filters: [string, Query][] = [undefined, ...orderStatuses].flatMap((status) =>
  [undefined, alice, carol].flatMap((walletId) =>
    [undefined, batches[3]].map((batchId): [string, Query] => [
      `${status ?? 'any status'}, of ${walletId === undefined ? 'the workspace' : 'a wallet'}${batchId === undefined ? '' : ' and a batch'}`,
      { status, walletId, batchId },
    ]),
  ),
);

describe('what is listed and counted is what is stored', () => {
  it.each(filters)('%s', async (_, filter) => {
    for (const range of ranges) {
      const query = { ...filter, ...range };
      const expected = listed(query);
      const page = await lists.page({ workspaceId, ...query }, { size: 20, skip: 0 });
      expect(page.items.map(({ id }) => id)).toEqual(expected.slice(0, 20).map(idOf));
      expect(page.items.map(({ status }) => status)).toEqual(expected.slice(0, 20).map(statusOf));
      expect((await lists.count({ workspaceId, ...query }, page)).total).toBe(expected.length);
      expect((await lists.count({ workspaceId, ...query, currency: 'USD' })).total).toBe(expected.length);
    }
    const others = { ...filter, workspaceId: newId('workspace') };
    expect((await lists.count(others)).total).toBe(0);
  });
});

describe('what is for a later time, and what came in a batch, has an index of its own', () => {
  it.each<[string, Query, string]>([
    ['SCHEDULED ones', { status: 'SCHEDULED' }, 'scheduled_of_workspace'],
    ['CANCELLED ones', { status: 'CANCELLED' }, 'scheduled_of_workspace'],
    ['SCHEDULED ones of a wallet', { status: 'SCHEDULED', walletId: carol }, 'scheduled_of_wallet'],
    ['CANCELLED ones of a wallet', { status: 'CANCELLED', walletId: carol }, 'scheduled_of_wallet'],
    ['a batch', { batchId: batches[2] }, 'orders_of_batch'],
    ['the FAILED ones of a batch', { batchId: batches[2], status: 'FAILED' }, 'orders_of_batch'],
  ])('%s', async (_, query, hint) => {
    for (const range of ranges) {
      const [command] = await sentBy(() => lists.page({ workspaceId, ...query, ...range }, { size: 5, skip: 0 }));
      expect(command).toMatchObject({ hint });
      const { stages, keys } = await explained(plain, command!);
      expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
      expect(keys).toBeLessThanOrEqual(query.status === undefined || query.batchId === undefined ? 12 : 80);
    }
  });

  it('an order for a later time has six keys more than another, a batch’s one; and a cancelled one five', () => {
    const keysOf = (document: Document): number => indexEntriesWritten('orders', undefined, document);
    const request = { keyId: 'k', timestamp: 1, nonce: 'n' };
    const pending = { ...documentOf(6), request };
    expect(keysOf(pending)).toBe(8);
    const { batchId: _, ...alone } = pending;
    expect(keysOf(alone)).toBe(7);
    const scheduled = { ...documentOf(3), request };
    expect(scheduled).toMatchObject({ status: 'SCHEDULED', dueAt: scheduled.executeAt });
    expect(keysOf(scheduled)).toBe(12);
    const started = { ...scheduled, status: 'PENDING', dueAt: null };
    const cancelled = { ...scheduled, status: 'CANCELLED', dueAt: null };
    expect([keysOf(started), keysOf(cancelled)]).toEqual([10, 9]);
  });
});
