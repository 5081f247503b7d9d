import { Decimal128, MongoNetworkError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { togetherOf } from '../../src/accepting/batch.ts';
import type { WalletChange } from '../../src/domain/wallet-change.ts';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder, type Order, type OrderValues } from '../../src/orders/order.ts';
import { findWaiting } from '../support/test-poster.ts';
import { openLedger, type Ledger, type Transfer } from './posting-ways.ts';

const orderOnce: Transfer = ['alice', 'bob', '10'];
/** What a group sends whose wallets are all remembered. */
const inFourTrips = ['update', 'update', 'insert', 'commitTransaction'];
/** The same where one was changed by somebody else: once for all. */
const foldedAgain = ['update', 'update', 'abortTransaction', 'find', 'find', ...inFourTrips];

let ledger: Ledger;
let second: ReturnType<Ledger['secondOwner']>;
beforeEach(async () => {
  ledger = await openLedger();
  second = ledger.secondOwner();
  await postNew(['world', 'alice', '100'], ['world', 'bob', '50'], ['alice', 'bob', '1']);
});
afterEach(async () => {
  expect(await ledger.breaches()).toEqual([]);
  await second.close();
  await ledger.close();
  expect(ledger.complaints).toEqual([]);
});

/** Posts orders, and tells with which commands. */
async function post(orders: Parameters<typeof ledger.post>[0]) {
  const before = ledger.sent.length;
  const outcomes = await ledger.post(orders);
  return { outcomes, sent: ledger.sent.slice(before) };
}
const postNew = async (...transfers: readonly Transfer[]) => post(await ledger.record(transfers));

async function changeWallet(name: 'alice' | 'bob' | 'carol', change: WalletChange): Promise<void> {
  const { workspaceId, ids, collections } = ledger;
  const changed = await collections.wallets.change({ workspaceId, id: ids[name], change });
  expect(changed?.outcome).toBe('changed');
}
const decimal = (text: string) => Decimal128.fromString(text);
const limitOf = (creditLimit: number): WalletChange => ({ creditLimit: new Money(creditLimit), decimals: 2 });

async function recordOne(values: Pick<OrderValues, 'type' | 'parentId' | 'expiresAt'>): Promise<Order> {
  const { workspaceId, ids, collections } = ledger;
  const sides = { sourceWalletId: ids.alice, targetWalletId: ids.bob };
  const order = newOrder({ ...values, ...sides, workspaceId, currency: 'EUR', amount: '10' });
  await collections.orders.insertBatch([order]);
  return order;
}

describe('a group', () => {
  it('reads no wallet that this worker has posted to, and the others in one command', async () => {
    const first = await postNew(orderOnce);
    expect(first).toEqual({ outcomes: ['completed'], sent: inFourTrips });
    const finds = vi.fn<(ids: unknown) => void>();
    ledger.service.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') finds((command['filter'] as { _id: { $in: unknown } })._id.$in);
    });
    const withAnother = await postNew(orderOnce, ['bob', 'carol', '10'], ['carol', 'alice', '20']);
    expect(withAnother).toEqual({ outcomes: ['completed', 'completed', 'failed'], sent: ['find', ...inFourTrips] });
    expect(finds.mock.calls).toEqual([[[ledger.ids.carol]]]);
    const last = await postNew(['carol', 'alice', '10'], orderOnce);
    expect(last).toEqual({ outcomes: ['completed', 'completed'], sent: inFourTrips });
  });

  it.each<[string, readonly unknown[], () => Promise<unknown>]>([
    ['was frozen', ['failed'], () => changeWallet('bob', { status: 'FROZEN' })],
    [
      'was closed',
      ['failed'],
      async () => {
        await second.post(await ledger.record([['bob', 'carol', '51']]));
        await changeWallet('bob', { status: 'CLOSED' });
      },
    ],
    ['was posted to by another owner', ['completed'], async () => second.post(await ledger.record([orderOnce]))],
    [
      'was emptied by another owner',
      ['failed'],
      async () => second.post(await ledger.record([['alice', 'bob', '95']])),
    ],
  ])('is folded once more where one of its wallets %s meanwhile, and never again', async (_, outcomes, meanwhile) => {
    await meanwhile();
    const { outcomes: ends, sent } = await postNew(orderOnce);
    expect(ends).toEqual(outcomes);
    const hasFlows = outcomes.includes('completed');
    expect(sent).toEqual(hasFlows ? foldedAgain : foldedAgain.filter((name) => name !== 'insert'));
    expect((await postNew(['world', 'alice', '1'])).sent).toEqual(inFourTrips);
  });

  it.each<[string, unknown, object, object]>([
    ['frozen', 'failed', { status: 'FROZEN' }, { $set: { status: 'ACTIVE' } }],
    ['emptied', 'failed', { balance: decimal('0') }, { $set: { balance: decimal('99') } }],
    ['reserved', 'failed', { held: decimal('99') }, { $unset: { held: 1 } }],
  ])('goes by a wallet that was %s in MongoDB itself, and overwrites none of it', async (_, outcome, $set, undo) => {
    const wallet = { _id: ledger.ids.alice };
    const wallets = ledger.db.collection<{ _id: string }>('wallets');
    await wallets.updateOne(wallet, { $set });
    expect((await postNew(orderOnce)).outcomes).toEqual([outcome]);
    expect(await wallets.findOne(wallet)).toMatchObject($set);
    await wallets.updateOne(wallet, undo);
  });

  it('fails none for what a wallet lacked when it was remembered', async () => {
    const lacking: Transfer = ['alice', 'bob', '120'];
    expect((await postNew(lacking)).outcomes).toEqual(['failed']);
    await changeWallet('alice', limitOf(50));
    expect(await postNew(lacking)).toEqual({ outcomes: ['completed'], sent: foldedAgain });
    await second.post(await ledger.record([['world', 'alice', '120']]));
    expect(await postNew(lacking)).toEqual({ outcomes: ['completed'], sent: foldedAgain });
    await changeWallet('alice', limitOf(30));
    expect((await postNew(lacking)).outcomes).toEqual(['failed']);
    await changeWallet('alice', { status: 'FROZEN' });
    expect((await postNew(orderOnce)).outcomes).toEqual(['failed']);
    await changeWallet('alice', { status: 'ACTIVE' });
    expect((await postNew(['world', 'alice', '1'])).outcomes).toEqual(['completed']);
  });

  it('fails no atomic batch for it', async () => {
    const { workspaceId, ids: walletIds, collections } = ledger;
    const transfer = { type: 'TRANSFER', workspaceId, currency: 'EUR' };
    const values = [
      { ...transfer, sourceWalletId: walletIds.bob, targetWalletId: walletIds.carol, amount: '1' },
      { ...transfer, sourceWalletId: walletIds.alice, targetWalletId: walletIds.bob, amount: '120' },
    ];
    const orders = togetherOf(values, newId('batch'), new Date());
    await collections.orders.insertTogether(orders);
    await second.post(await ledger.record([['world', 'alice', '50']]));
    const ids = orders.map(({ id }) => id);
    const pending = await findWaiting(collections, workspaceId, ids);
    expect((await post(pending)).outcomes).toEqual(['completed']);
    expect((await ledger.books()).wallets.find(([name]) => name === 'carol')?.[1]).toBe('1');
  });

  it('sets none aside, nor counts a fault, for what a wallet held when it was remembered', async () => {
    const hold = await recordOne({ type: 'HOLD', expiresAt: new Date(Date.now() + 3_600_000) });
    expect(await second.post([hold])).toEqual(['completed']);
    const release = await recordOne({ type: 'RELEASE', parentId: hold.id });
    const other = await ledger.record([['bob', 'alice', '1']]);
    const { outcomes, sent } = await post([release, ...other]);
    expect(outcomes).toEqual(['completed', 'completed']);
    // Parents, wallets; and nothing of a group that was begun anew, or of a fault.
    expect(sent).toEqual(['find', 'find', ...inFourTrips]);
  });

  it('counts a fault, in the same transaction, where the wallets that it reads are no better', async () => {
    const { outcomes, sent } = await postNew(['alice', 'bob', '1', 'USD'], orderOnce);
    expect(outcomes).toEqual([expect.any(Error), 'completed']);
    expect(sent.slice(0, 5)).toEqual(['find', ...inFourTrips]);
    expect((await postNew(orderOnce)).sent).toEqual(inFourTrips);
  });

  it('blames none for what MongoDB refuses only as it was remembered', async () => {
    const isOther = { $or: [{ name: { $ne: 'alice' } }, { balance: { $ne: Decimal128.fromString('89') } }] };
    await ledger.db.command({ collMod: 'wallets', validator: isOther });
    await changeWallet('bob', { status: 'FROZEN' });
    expect((await postNew(orderOnce, ['world', 'bob', '1'])).outcomes).toEqual(['failed', 'failed']);
    expect((await ledger.books()).wallets[1]).toEqual(['alice', '99', 2]);
  });

  it.each(['applied', 'lost'])('reads its wallets where it is not known that the last commit was %s', async (end) => {
    const commit = ledger.session.commitTransaction.bind(ledger.session);
    vi.spyOn(ledger.session, 'commitTransaction').mockImplementationOnce(async () => {
      await (end === 'applied' ? commit() : ledger.session.abortTransaction());
      throw new MongoNetworkError('connection closed');
    });
    const orders = await ledger.record([orderOnce]);
    await expect(ledger.post(orders)).rejects.toThrow('connection closed');
    expect((await postNew(orderOnce)).sent).toEqual(['find', ...inFourTrips]);
    expect((await ledger.post(orders))[0]).toBe(end === 'applied' ? undefined : 'completed');
  });

  it('reads them on every further run of its transaction', async () => {
    await ledger.failNext('update', { errorCode: 112 });
    const { outcomes, sent } = await postNew(orderOnce);
    expect(outcomes).toEqual(['completed']);
    expect(sent.slice(-5)).toEqual(['find', ...inFourTrips]);
    expect((await postNew(orderOnce)).sent).toEqual(inFourTrips);
  });
});
