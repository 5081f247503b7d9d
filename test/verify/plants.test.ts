import { Decimal128, type Document } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { flowId, newId } from '../../src/domain/ids.ts';
import { newOrder } from '../../src/orders/order.ts';
import { releaseOfExpired } from '../../src/orders/release.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { toFlow } from '../../src/storage/flows/flows.ts';
import { newEntry } from '../../src/storage/webhooks/outbox.ts';
import type { BreachKind } from '../../src/verify/breach.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { restoredAfterEach, unvalidated } from './sound-books.ts';

/**
 * Sound books of every type and state, in which each test changes a document or two, as an error of the service or somebody with
 * MongoDB's shell might, and `verify` has to name it. What is changed is put back afterwards.
 */
const { client, db } = testDatabase();
const collections = openCollections(db);
/** MongoDB's own rules may have been off. */
const names = ['wallets', 'orders', 'flows', 'webhookOutbox'] as const;
type Name = (typeof names)[number];
interface Row extends Document {
  _id: string;
}
const rows = (name: Name) => db.collection<Row>(name);
const decimal = (text: string): Decimal128 => Decimal128.fromString(text);
const dayMs = 86_400_000;
const longAgo = new Date(Date.now() - dayMs);
const later = new Date(Date.now() + dayMs);
const beginning = new Date(0);

let books: PostedBooks;
const rememberSound = restoredAfterEach(db, names);
/** Ids, by what they are. */
const of: Record<string, string> = {};
const id = (name: string): string => of[name] ?? name;

beforeAll(async () => {
  books = await openPostedBooks(client, db);
  const { alice, bob, external, workspaceId } = books;
  const wallet = (name: string) => collections.wallets.create({ workspaceId, name, currency: 'EUR' });
  const [closed, unused] = [await wallet('closed'), await wallet('unused')];
  await collections.wallets.change({ workspaceId, id: closed.id, change: { status: 'CLOSED' } });
  Object.assign(of, { alice, bob, external, closed: closed.id, unused: unused.id });
  const sides = { sourceWalletId: alice, targetWalletId: bob, currency: 'EUR' };
  const amount = (text: string) => ({ amount: text });
  const hold = (more: object = {}) => books.ask({ type: 'HOLD', ...sides, ...amount('10'), ...more });

  of['deposit'] = await books.transfer(external, alice, '1000');
  of['transfer'] = await books.ask({ type: 'TRANSFER', ...sides, ...amount('5'), metadata: { a: 'b' } });
  of['reversal'] = await books.ask({ type: 'REVERSAL', ...amount('2') }, of['transfer']);
  of['failed'] = await books.transfer(bob, alice, '500');
  of['pending'] = await books.record(alice, bob, '1');
  of['held'] = await hold();
  of['partlyCaptured'] = await hold();
  of['capture'] = await books.ask({ type: 'CAPTURE', ...amount('4'), terms: { final: 'false' } }, of['partlyCaptured']);
  of['released'] = await hold();
  of['release'] = await books.ask({ type: 'RELEASE', ...amount('10') }, of['released']);
  of['failedHold'] = await books.ask({ type: 'HOLD', ...sides, ...amount('99999') });
  of['pendingCapture'] = await books.recordAsked({ type: 'CAPTURE', ...amount('1') }, of['held']);

  const soon = new Date(Date.now() + 500).toISOString();
  of['expired'] = await hold({ terms: { expiresAt: soon } });
  of['expiring'] = await hold({ terms: { expiresAt: soon } });
  const expire = (holdId: string) =>
    waitFor(async () => {
      const made = await collections.dueOrders.releaseExpired(workspaceId, [holdId], (due) =>
        releaseOfExpired(due, new Date()),
      );
      return made[0]?.id;
    });
  of['expiry'] = await expire(of['expired']);
  await books.post([of['expiry']]);
  // Recorded, and still to be posted.
  of['pendingExpiry'] = await expire(of['expiring']);

  const schedule = async (executeAt: Date): Promise<string> => {
    const order = newOrder({ type: 'TRANSFER', workspaceId, ...sides, amount: '1', executeAt }, longAgo);
    await collections.orders.insertBatch([order]);
    return order.id;
  };
  [of['scheduled'], of['cancelled'], of['executed']] = [
    await schedule(later),
    await schedule(later),
    await schedule(longAgo),
  ];
  await collections.cancelOrder({ workspaceId, id: of['cancelled'] });
  await collections.dueOrders.start(workspaceId, [of['executed']]);
  await books.post([of['executed']]);

  const batchId = newId('batch');
  const [first, second] = [0, 1].map(() => newOrder({ type: 'TRANSFER', workspaceId, ...sides, amount: '1', batchId }));
  await collections.orders.insertBatch([
    { ...first!, otherIds: [second!.id] },
    { ...second!, firstId: first!.id },
  ]);
  [of['first'], of['second']] = [first!.id, second!.id];

  const ended = { completed: [of['transfer']], failed: [of['failed']], cancelled: [of['cancelled']] };
  const subscriber = { endpointId: newId('webhook'), events: ['transfer.failed' as const], isEnabled: true };
  const entry = newEntry(workspaceId, ended, [subscriber], new Date());
  of['entry'] = entry!._id;
  await db.collection<Row>('webhookOutbox').insertOne(entry as unknown as Row);

  await rememberSound();
});

const change = (collection: Name, name: string, values: Document): Promise<unknown> => {
  const removed = Object.fromEntries(
    Object.keys(values)
      .filter((field) => values[field] === undefined)
      .map((field) => [field, true]),
  );
  const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const update = Object.entries({ $set: kept, $unset: removed }).filter(([, fields]) => Object.keys(fields).length > 0);
  return rows(collection).updateOne({ _id: id(name) }, Object.fromEntries(update), unvalidated);
};
function collectionOf(kind: BreachKind): Name {
  if (kind === 'outbox') return 'webhookOutbox';
  return kind.startsWith('wallet-') ? 'wallets' : 'orders';
}
const order = (name: string, values: Document) => change('orders', name, values);
const wallet = (name: string, values: Document) => change('wallets', name, values);

/** Changes a flow, and every hash of its wallet from there on, and the wallet's. */
const rehashed = async (walletName: string, sequence: number, change: Document): Promise<void> => {
  const walletId = id(walletName);
  const flows = await rows('flows').find({ walletId }).sort({ _id: 1 }).toArray();
  let flowHash = '';
  for (const flow of flows) {
    const altered = flow['sequence'] === sequence ? { ...flow, ...change } : flow;
    flowHash = hashFlow(flowHash, toFlow(altered as never));
    await rows('flows').replaceOne({ _id: flow._id }, { ...altered, hash: flowHash }, unvalidated);
  }
  await rows('wallets').updateOne({ _id: walletId }, { $set: { flowHash } }, unvalidated);
};

const failedNowhere = async () => {
  const nowhere = newId('wallet');
  await order('failed', { targetWalletId: nowhere, wallets: [books.bob, nowhere] });
};

/** With what counts it, as the service itself would. */
const closeWithMoney = async () => {
  await wallet('bob', { status: 'CLOSED' });
  const counts = { 'wallets.EUR.ACTIVE': -1, 'wallets.EUR.CLOSED': 1 };
  await rows('wallets').updateOne({ kind: 'TOTALS', wallets: { $exists: true } }, { $inc: counts });
};

it('sound books of every type and state have no breach', async () => {
  const { breaches, summary } = await books.verify();
  expect(breaches).toEqual([]);
  expect(Object.values(summary.byStatus).every((count) => count > 0)).toBe(true);
});

it('what releases before have left otherwise is no breach', async () => {
  await rows('orders').updateMany({}, { $unset: { digest: true } });
  // A hold that FAILED kept its time, and nobody looks for it.
  await rows('orders').updateOne({ _id: id('failedHold') }, [{ $set: { dueAt: '$expiresAt' } }]);
  expect((await books.verify()).breaches).toEqual([]);
});

/** By what `verify` says: what it is, where, and what is changed there; undefined is removed. */
const plants: Partial<Record<BreachKind, readonly (readonly [string, string, Document | (() => Promise<unknown>)])[]>> =
  {
    'order-due': [
      ['a hold that is never due', 'held', { dueAt: undefined }],
      ['a hold that is not due any more', 'partlyCaptured', { dueAt: null }],
      ['a hold that is due later than it expires', 'held', { dueAt: later }],
      ['a hold that is due before all time', 'held', { dueAt: beginning }],
      ['a hold that was released and is still due', 'released', { dueAt: later }],
      ['a hold whose expiry’s order is gone', 'expiring', () => rows('orders').deleteOne({ _id: id('pendingExpiry') })],
      [
        'a hold whose expiry’s order FAILED',
        'expiring',
        () => order('pendingExpiry', { status: 'FAILED', failure: 'HOLD_CLOSED' }),
      ],
      ['a SCHEDULED order that is never due', 'scheduled', { dueAt: undefined }],
      ['a SCHEDULED order that is due at another time', 'scheduled', { dueAt: longAgo }],
      [
        'a SCHEDULED order that is to be posted at another time',
        'scheduled',
        { executeAt: new Date(later.getTime() - 1) },
      ],
      ['a transfer that is due, as if it were a hold', 'transfer', { dueAt: longAgo }],
      ['a waiting transfer that will be due once it is posted', 'pending', { dueAt: later }],
      ['an order that was started and is due again', 'executed', { dueAt: longAgo }],
    ],
    'order-fields': [
      ['a hold that expires at another time than was asked for', 'expiring', { expiresAt: later, dueAt: later }],
      ['an order that is not listed for its target', 'transfer', () => order('transfer', { wallets: [books.alice] })],
      [
        'a waiting order that is listed for another wallet',
        'pending',
        () => order('pending', { wallets: [books.alice, id('unused')] }),
      ],
      ['an order that is listed for none', 'failed', { wallets: undefined }],
      ['a hold for another wallet', 'held', () => order('held', { targetWalletId: id('unused') })],
      ['a bizId that begins as an id', 'failed', { bizId: newId('order') }],
      ['a failure that no answer can show', 'failed', { failure: 'BAD_LUCK' }],
      ['metadata that no answer can show', 'transfer', { metadata: '{' }],
      ['an order that is the first of an atomic batch, and not the first', 'second', { otherIds: [] }],
    ],
    'wallet-times': [
      ['a wallet’s last flow, dated later', 'alice', { lastFlowAt: later }],
      ['a wallet’s last flow, dated earlier', 'bob', { lastFlowAt: longAgo }],
      ['a last flow of a wallet without any', 'unused', { lastFlowAt: later }],
      ['a wallet that was made later', 'alice', { createdAt: later }],
      [
        'a wallet that was made at another time than its id says',
        'unused',
        { createdAt: longAgo, lastFlowAt: longAgo },
      ],
      ['an EXTERNAL wallet that was made before its workspace', 'external', { createdAt: beginning }],
      ['a wallet that was changed before its last flow', 'alice', { updatedAt: beginning }],
    ],
    'flow-time': [
      [
        'an EXTERNAL wallet that was made after its first flow',
        'external.1',
        () => wallet('external', { createdAt: later }),
      ],
      [
        'a flow that is dated before the one before it, hashed anew',
        'alice.2',
        () => rehashed('alice', 2, { createdAt: longAgo }),
      ],
      [
        'a first flow that is dated before its wallet was made, hashed anew',
        'bob.1',
        () => rehashed('bob', 1, { createdAt: longAgo }),
      ],
      [
        'a flow that is dated after its posting, hashed anew',
        'alice.2',
        () => rehashed('alice', 2, { createdAt: later }),
      ],
      [
        'an order that was completed later than its flows',
        'alice.2',
        () => order('transfer', { completedAt: new Date(), updatedAt: new Date() }),
      ],
    ],
    'wallet-closed': [
      ['a CLOSED wallet with money', 'bob', closeWithMoney],
      ['a CLOSED wallet that holds something', 'closed', { held: decimal('1') }],
    ],
    'wallet-completed': [
      ['a wallet that counts a hold too many', 'alice', { 'orders.HOLD.COMPLETED': 6 }],
      ['a wallet that counts no holds', 'bob', { 'orders.HOLD.COMPLETED': undefined }],
      ['a wallet that counts releases of nobody', 'unused', { 'orders.RELEASE.COMPLETED': 1 }],
      ['a wallet that counts half a release', 'bob', { 'orders.RELEASE.COMPLETED': 1.5 }],
      [
        'a hold for another wallet, listed for that',
        'unused',
        () => order('held', { targetWalletId: id('unused'), wallets: [books.alice, id('unused')] }),
      ],
    ],
    'order-names': [
      [
        'a release on another wallet than its hold',
        'release',
        () => order('release', { sourceWalletId: id('unused'), wallets: [id('unused'), books.bob] }),
      ],
      ['a FAILED order of another currency than its wallets', 'failed', { currency: 'USD' }],
      ['a hold of another workspace than its wallets', 'failedHold', { workspaceId: newId('workspace') }],
      [
        'a waiting capture for another wallet than its hold',
        'pendingCapture',
        () => order('pendingCapture', { targetWalletId: id('unused'), wallets: [books.alice, id('unused')] }),
      ],
      ['a FAILED order of a wallet that does not exist', 'failed', failedNowhere],
    ],
    'order-digest': [
      ['a FAILED order of another amount', 'failed', { amount: decimal('499') }],
      ['a waiting order of another amount', 'pending', { amount: decimal('2') }],
      ['a CANCELLED order of another amount', 'cancelled', { amount: decimal('2') }],
      ['an order with another bizId, which could be made again', 'deposit', { bizId: 'another' }],
    ],
    'order-times': [
      ['an order that was created in 1970', 'transfer', { createdAt: beginning }],
      ['a waiting order that was created in 1970', 'pending', { createdAt: beginning, updatedAt: beginning }],
      ['an order that was completed in 1970', 'transfer', { completedAt: beginning }],
      ['an order that was changed in 1970', 'failed', { updatedAt: beginning }],
      ['an order that is to be posted in 1970', 'scheduled', { executeAt: beginning, dueAt: beginning }],
      ['a hold that expired in 1970', 'held', { expiresAt: beginning, dueAt: beginning }],
      ['an order that was changed after its end', 'deposit', { updatedAt: new Date() }],
      ['an order whose time is none', 'failed', { updatedAt: undefined }],
    ],
    'order-uses': [
      [
        'a hold that has expired and is still held',
        'held',
        {
          progress: {
            reversed: decimal('0'),
            captured: decimal('0'),
            released: decimal('0'),
            hasExpired: true,
            changes: 1,
          },
        },
      ],
      ['a hold that has expired, and says that it was released', 'expired', { 'progress.hasExpired': false }],
      ['a hold that was released, and says that it has expired', 'released', { 'progress.hasExpired': true }],
      ['a hold that no order can use any more', 'partlyCaptured', { 'progress.changes': 0 }],
      ['a transfer that was used more often than there are orders', 'transfer', { 'progress.changes': 2 }],
    ],
    'wallet-fields': [['metadata of a wallet that no answer can show', 'unused', { metadata: '[1]' }]],
    outbox: [
      [
        'an event of an order that did not end so',
        'entry',
        () => change('webhookOutbox', 'entry', { completed: [id('failed')] }),
      ],
      ['an event of an order that does not exist', 'entry', { failed: [newId('order')] }],
      ['an event of another workspace', 'entry', { workspaceId: newId('workspace') }],
      ['an event that is dated otherwise than its id', 'entry', { createdAt: later }],
    ],
  };
const kinds = Object.entries(plants) as [BreachKind, NonNullable<(typeof plants)[BreachKind]>][];

it.each(kinds.flatMap(([kind, of]) => of.map((plant) => [...plant, kind] as const)))(
  'finds %s',
  async (_, where, plant, kind) => {
    const [name = '', sequence] = where.split('.');
    if (typeof plant === 'function') await plant();
    else await change(collectionOf(kind), name, plant);
    const at = sequence === undefined ? id(name) : flowId(id(name), Number(sequence));
    const { breaches } = await books.verify();
    expect(breaches).toContainEqual({ kind, id: at, message: expect.any(String) as string });
  },
);
