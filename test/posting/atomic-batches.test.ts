import { Decimal128 } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { togetherOf } from '../../src/accepting/batch.ts';
import { unitOf, type Order } from '../../src/orders/order.ts';
import { findWaiting } from '../support/test-poster.ts';
import { openLedger, type Ledger, type Transfer } from './posting-ways.ts';

const faultsMax = 4;

interface Stored {
  _id: string;
  status?: string;
  failure?: string | null;
  stuckSince?: Date;
}

let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger();
  const funded = await ledger.record([
    ['world', 'alice', '100'],
    ['world', 'bob', '50'],
  ]);
  await ledger.post(funded);
});
afterEach(async () => {
  await ledger.close();
  expect(ledger.complaints).toEqual([]);
});

async function recordBatch(transfers: readonly Transfer[]): Promise<readonly Order[]> {
  const { workspaceId, ids, collections } = ledger;
  const values = transfers.map(([source, target, amount, currency = 'EUR']) => ({
    ...{ type: 'TRANSFER', workspaceId, sourceWalletId: ids[source], targetWalletId: ids[target] },
    ...{ amount: amount, currency },
  }));
  const orders = togetherOf(values, newId('batch'), new Date());
  expect(await collections.orders.insertTogether(orders)).toBe(true);
  return orders;
}

/** Reads orders as a worker does, and posts those that wait. */
async function post(ids: readonly string[]) {
  const { workspaceId, collections } = ledger;
  return ledger.post(await findWaiting(collections, workspaceId, ids));
}

async function ends(batch: readonly Order[]): Promise<unknown[]> {
  const stored = await ledger.db
    .collection<Stored>('orders')
    .find({ _id: { $in: batch.map(({ id }) => id) } })
    .sort({ _id: 1 })
    .toArray();
  return stored.map(({ status, failure }) => [status, failure]);
}
const firstOf = ([first]: readonly Order[]): string => first?.id ?? '';
const balances = async () => (await ledger.books()).wallets.map(([, balance]) => balance);
const orders = () => ledger.db.collection<Stored>('orders');

describe('an atomic batch', () => {
  it('is completed as a whole, by the commands of a single order', async () => {
    const batch = await recordBatch([
      ['alice', 'bob', '30'],
      ['bob', 'carol', '80'],
      ['carol', 'alice', '5'],
    ]);
    const before = ledger.sent.length;
    expect(await post([firstOf(batch)])).toEqual(['completed']);
    const posting = ['find', 'update', 'update', 'insert', 'commitTransaction'];
    expect(ledger.sent.slice(before)).toEqual(['find', ...posting]);
    expect(await ends(batch)).toEqual(batch.map(() => ['COMPLETED', null]));
    expect(await balances()).toEqual(['-150', '75', '0', '75']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('fails as a whole where one order cannot be paid, and leaves nothing of those before it', async () => {
    const batch = await recordBatch([
      ['alice', 'carol', '100'],
      ['carol', 'bob', '100'],
      ['bob', 'alice', '151'],
      ['alice', 'bob', '1'],
    ]);
    const later = await ledger.record([['world', 'carol', '1']]);
    expect(await post([firstOf(batch), ...later.map(({ id }) => id)])).toEqual(['failed', 'completed']);
    const other = ['FAILED', 'BATCH_FAILED'];
    expect(await ends(batch)).toEqual([other, other, ['FAILED', 'INSUFFICIENT_BALANCE'], other]);
    expect(await balances()).toEqual(['-151', '100', '50', '1']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is tried once more, as a whole, after the other orders of its group', async () => {
    const batch = await recordBatch([
      ['bob', 'carol', '10'],
      ['bob', 'alice', '60'],
    ]);
    const later = await ledger.record([['alice', 'bob', '20']]);
    expect(await post([firstOf(batch), ...later.map(({ id }) => id)])).toEqual(['completed', 'completed']);
    expect(await balances()).toEqual(['-150', '140', '0', '10']);
  });

  it('is found by its first order alone, and posted once however often', async () => {
    const batch = await recordBatch([
      ['alice', 'bob', '1'],
      ['alice', 'carol', '1'],
    ]);
    expect(await post(batch.slice(1).map(({ id }) => id))).toEqual([]);
    expect(await post([firstOf(batch)])).toEqual(['completed']);
    expect(await post(batch.map(({ id }) => id))).toEqual([]);
    expect(await balances()).toEqual(['-150', '98', '51', '1']);
  });

  it.each([1, 2, 5, 7])('is read once, and whole, among others, in pages of %i', async (sizeMax) => {
    const { workspaceId, collections } = ledger;
    const units: string[][] = [];
    for (const size of [2, 1, 3, 1, 4, 2]) {
      const transfers = Array.from({ length: size }, (): Transfer => ['alice', 'bob', '1']);
      units.push((await (size === 1 ? ledger.record(transfers) : recordBatch(transfers))).map(({ id }) => id));
    }
    const read: string[][] = [];
    for (let behind: string | undefined = ''; behind !== undefined;) {
      const range = { workspaceIds: [workspaceId], behind, except: [] };
      const page = await collections.orders.findWaiting(range, sizeMax);
      read.push(...page.orders.map((order) => unitOf(order).map(({ id }) => id)));
      behind = page.more?.id;
    }
    expect(read).toEqual(units);
  });

  it('is folded again as a whole after a conflict', async () => {
    const batch = await recordBatch([
      ['alice', 'bob', '1'],
      ['bob', 'carol', '51'],
    ]);
    ledger.meddle(() => ledger.db.collection('wallets').updateOne({ name: 'alice' }, { $inc: { version: 1 } }));
    expect(await post([firstOf(batch)])).toEqual(['completed']);
    expect(await ends(batch)).toEqual(batch.map(() => ['COMPLETED', null]));
    expect(await ledger.breaches()).toEqual([]);
  });

  it.each([
    ['that cannot be folded', { amount: Decimal128.fromString('NaN') }],
    ['of an unknown currency', { currency: 'XXX9' }],
    ['whose wallet is not there', { targetWalletId: 'wa_none' }],
    ['that is gone', undefined],
  ])('with an order %s is set aside as a whole, and released as a whole', async (_, fault) => {
    const batch = await recordBatch([
      ['alice', 'bob', '1'],
      ['bob', 'carol', '2'],
      ['carol', 'alice', '1'],
    ]);
    const { id: poisoned = '' } = batch[1] ?? {};
    const sound = { ...(await orders().findOneAndDelete({ _id: poisoned })), _id: poisoned };
    if (fault !== undefined) await orders().insertOne({ ...sound, ...fault }, { bypassDocumentValidation: true });
    const waiting = batch.map(() => ['PENDING', null]);
    if (fault === undefined) waiting.pop();
    for (let attempt = 1; attempt < faultsMax; attempt += 1) {
      expect(await post([firstOf(batch)])).toEqual([expect.any(Error)]);
      expect(await ends(batch)).toEqual(waiting);
    }
    // Others are posted in the same group.
    const [other] = await ledger.record([['alice', 'bob', '10']]);
    expect(await post([firstOf(batch), other?.id ?? ''])).toEqual(['setAside', 'completed']);
    expect(await ends(batch)).toEqual(waiting.map(() => ['SET_ASIDE', null]));
    expect(await ledger.collections.backlog.countOf(ledger.workspaceId, 10)).toBe(0);
    expect(await post([firstOf(batch)])).toEqual([]);

    await orders().deleteOne({ _id: poisoned });
    await orders().insertOne({ ...sound, status: 'SET_ASIDE', stuckSince: new Date() });
    const { workspaceId, collections } = ledger;
    expect(await collections.stuckOrders.release(workspaceId, [batch.at(-1)?.id ?? ''])).toBe(batch.length);
    expect(await post([firstOf(batch)])).toEqual(['completed']);
    expect(await ends(batch)).toEqual(batch.map(() => ['COMPLETED', null]));
    expect(await ledger.breaches()).toEqual([]);
  });

  it('of which MongoDB refuses an order is set aside as a whole; no way that finds the faulty one splits it', async () => {
    const batch = await recordBatch([
      ['alice', 'bob', '1'],
      ['bob', 'carol', '2'],
    ]);
    const others = await ledger.record([
      ['alice', 'bob', '10'],
      ['bob', 'alice', '5'],
    ]);
    // What its validator refuses whatever is set: only the way by single updates tells which order it is.
    const { id: refused = '' } = batch[1] ?? {};
    await orders().updateOne({ _id: refused }, { $set: { bizId: 7 } as object }, { bypassDocumentValidation: true });
    const ids = [firstOf(batch), ...others.map(({ id }) => id)];
    expect(await post(ids)).toEqual([expect.any(Error), 'completed', 'completed']);
    expect(await ends(batch)).toEqual(batch.map(() => ['PENDING', null]));
    expect(await ledger.breaches()).toEqual([]);
  });
});
