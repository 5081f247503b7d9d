import { Decimal128, type Document } from 'mongodb';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { flowId, newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/orders/order.ts';
import { releaseOfExpired } from '../../src/orders/release.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { toFlow } from '../../src/storage/flows/flows.ts';
import { newEntry } from '../../src/storage/webhooks/outbox.ts';
import type { BreachKind } from '../../src/verify/breach.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

/**
 * Sound books of every type and state, in which each test changes a document or two, as an error of the service or somebody with
 * MongoDB's shell might, and `verify` has to name it. What is changed is put back afterwards.
 */
const { client, db } = testDatabase();
const collections = openCollections(db);
/** MongoDB's own rules may have been off. */
const unvalidated = { bypassDocumentValidation: true };
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
let sound: Map<Name, Row[]>;
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
  const amount = (text: string) => ({ amount: new Money(text) });
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
    const order = newOrder({ type: 'TRANSFER', workspaceId, ...sides, ...amount('1'), executeAt }, longAgo);
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
  const [first, second] = [0, 1].map(() =>
    newOrder({ type: 'TRANSFER', workspaceId, ...sides, ...amount('1'), batchId }),
  );
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

  sound = new Map();
  for (const name of names) sound.set(name, await rows(name).find().toArray());
});

afterEach(async () => {
  for (const name of names) {
    await rows(name).deleteMany({});
    await rows(name).insertMany(sound.get(name) ?? [], unvalidated);
  }
});

const set = (collection: Name, name: string, change: Document): Promise<unknown> =>
  rows(collection).updateOne({ _id: id(name) }, { $set: change }, unvalidated);
const unset = (collection: Name, name: string, field: string): Promise<unknown> =>
  rows(collection).updateOne({ _id: id(name) }, { $unset: { [field]: true } }, unvalidated);
const order = (name: string, change: Document) => set('orders', name, change);
const wallet = (name: string, change: Document) => set('wallets', name, change);

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

it.each<[string, () => Promise<unknown>, BreachKind, string]>([
  ['a hold that is never due', () => unset('orders', 'held', 'dueAt'), 'order-due', 'held'],
  ['a hold that is not due any more', () => order('partlyCaptured', { dueAt: null }), 'order-due', 'partlyCaptured'],
  ['a hold that is due later than it expires', () => order('held', { dueAt: later }), 'order-due', 'held'],
  ['a hold that is due before all time', () => order('held', { dueAt: beginning }), 'order-due', 'held'],
  ['a hold that was released and is still due', () => order('released', { dueAt: later }), 'order-due', 'released'],
  [
    'a hold whose expiry’s order is gone',
    () => rows('orders').deleteOne({ _id: id('pendingExpiry') }),
    'order-due',
    'expiring',
  ],
  [
    'a hold whose expiry’s order FAILED',
    () => order('pendingExpiry', { status: 'FAILED', failure: 'HOLD_CLOSED' }),
    'order-due',
    'expiring',
  ],
  ['a SCHEDULED order that is never due', () => unset('orders', 'scheduled', 'dueAt'), 'order-due', 'scheduled'],
  [
    'a SCHEDULED order that is due at another time',
    () => order('scheduled', { dueAt: longAgo }),
    'order-due',
    'scheduled',
  ],
  [
    'a SCHEDULED order that is to be posted at another time',
    () => order('scheduled', { executeAt: new Date(later.getTime() - 1) }),
    'order-due',
    'scheduled',
  ],
  [
    'a transfer that is due, as if it were a hold',
    () => order('transfer', { dueAt: longAgo }),
    'order-due',
    'transfer',
  ],
  [
    'a waiting transfer that will be due once it is posted',
    () => order('pending', { dueAt: later }),
    'order-due',
    'pending',
  ],
  ['an order that was started and is due again', () => order('executed', { dueAt: longAgo }), 'order-due', 'executed'],
  [
    'a hold that expires at another time than was asked for',
    () => order('expiring', { expiresAt: later, dueAt: later }),
    'order-fields',
    'expiring',
  ],

  ['a wallet’s last flow, dated later', () => wallet('alice', { lastFlowAt: later }), 'wallet-times', 'alice'],
  ['a wallet’s last flow, dated earlier', () => wallet('bob', { lastFlowAt: longAgo }), 'wallet-times', 'bob'],
  ['a last flow of a wallet without any', () => wallet('unused', { lastFlowAt: later }), 'wallet-times', 'unused'],
  ['a wallet that was made later', () => wallet('alice', { createdAt: later }), 'wallet-times', 'alice'],
  [
    'a wallet that was made at another time than its id says',
    () => wallet('unused', { createdAt: longAgo, lastFlowAt: longAgo }),
    'wallet-times',
    'unused',
  ],
  [
    'an EXTERNAL wallet that was made after its first flow',
    () => wallet('external', { createdAt: later }),
    'flow-time',
    'external.1',
  ],
  [
    'an EXTERNAL wallet that was made before its workspace',
    () => wallet('external', { createdAt: beginning }),
    'wallet-times',
    'external',
  ],
  [
    'a wallet that was changed before its last flow',
    () => wallet('alice', { updatedAt: beginning }),
    'wallet-times',
    'alice',
  ],

  [
    'a flow that is dated before the one before it, hashed anew',
    () => rehashed('alice', 2, { createdAt: longAgo }),
    'flow-time',
    'alice.2',
  ],
  [
    'a first flow that is dated before its wallet was made, hashed anew',
    () => rehashed('bob', 1, { createdAt: longAgo }),
    'flow-time',
    'bob.1',
  ],
  [
    'a flow that is dated after its posting, hashed anew',
    () => rehashed('alice', 2, { createdAt: later }),
    'flow-time',
    'alice.2',
  ],

  ['a CLOSED wallet with money', closeWithMoney, 'wallet-closed', 'bob'],
  ['a CLOSED wallet that holds something', () => wallet('closed', { held: decimal('1') }), 'wallet-closed', 'closed'],

  [
    'a wallet that counts a hold too many',
    () => wallet('alice', { 'orders.HOLD.COMPLETED': 6 }),
    'wallet-completed',
    'alice',
  ],
  ['a wallet that counts no holds', () => unset('wallets', 'bob', 'orders.HOLD.COMPLETED'), 'wallet-completed', 'bob'],
  [
    'a wallet that counts releases of nobody',
    () => wallet('unused', { 'orders.RELEASE.COMPLETED': 1 }),
    'wallet-completed',
    'unused',
  ],
  [
    'a wallet that counts half a release',
    () => wallet('bob', { 'orders.RELEASE.COMPLETED': 1.5 }),
    'wallet-completed',
    'bob',
  ],

  [
    'an order that is not listed for its target',
    () => order('transfer', { wallets: [books.alice] }),
    'order-fields',
    'transfer',
  ],
  [
    'a waiting order that is listed for another wallet',
    () => order('pending', { wallets: [books.alice, id('unused')] }),
    'order-fields',
    'pending',
  ],
  ['an order that is listed for none', () => unset('orders', 'failed', 'wallets'), 'order-fields', 'failed'],
  ['a hold for another wallet', () => order('held', { targetWalletId: id('unused') }), 'order-fields', 'held'],
  [
    'a hold for another wallet, listed for that',
    () => order('held', { targetWalletId: id('unused'), wallets: [books.alice, id('unused')] }),
    ...(['wallet-completed', 'unused'] as const),
  ],
  [
    'a release on another wallet than its hold',
    () => order('release', { sourceWalletId: id('unused'), wallets: [id('unused'), books.bob] }),
    'order-names',
    'release',
  ],
  [
    'a FAILED order of another currency than its wallets',
    () => order('failed', { currency: 'USD' }),
    'order-names',
    'failed',
  ],
  [
    'a hold of another workspace than its wallets',
    () => order('failedHold', { workspaceId: newId('workspace') }),
    'order-names',
    'failedHold',
  ],
  [
    'a waiting capture for another wallet than its hold',
    () => order('pendingCapture', { targetWalletId: id('unused'), wallets: [books.alice, id('unused')] }),
    'order-names',
    'pendingCapture',
  ],
  ['a FAILED order of a wallet that does not exist', failedNowhere, 'order-names', 'failed'],

  ['a FAILED order of another amount', () => order('failed', { amount: decimal('499') }), 'order-digest', 'failed'],
  ['a waiting order of another amount', () => order('pending', { amount: decimal('2') }), 'order-digest', 'pending'],
  [
    'a CANCELLED order of another amount',
    () => order('cancelled', { amount: decimal('2') }),
    'order-digest',
    'cancelled',
  ],
  [
    'an order with another bizId, which could be made again',
    () => order('deposit', { bizId: 'another' }),
    'order-digest',
    'deposit',
  ],

  ['an order that was created in 1970', () => order('transfer', { createdAt: beginning }), 'order-times', 'transfer'],
  [
    'a waiting order that was created in 1970',
    () => order('pending', { createdAt: beginning, updatedAt: beginning }),
    'order-times',
    'pending',
  ],
  [
    'an order that was completed in 1970',
    () => order('transfer', { completedAt: beginning }),
    'order-times',
    'transfer',
  ],
  ['an order that was changed in 1970', () => order('failed', { updatedAt: beginning }), 'order-times', 'failed'],
  [
    'an order that is to be posted in 1970',
    () => order('scheduled', { executeAt: beginning, dueAt: beginning }),
    'order-times',
    'scheduled',
  ],
  [
    'a hold that expired in 1970',
    () => order('held', { expiresAt: beginning, dueAt: beginning }),
    'order-times',
    'held',
  ],
  [
    'an order that was changed after its end',
    () => order('deposit', { updatedAt: new Date() }),
    'order-times',
    'deposit',
  ],
  [
    'an order that was completed later than its flows',
    () => order('transfer', { completedAt: new Date(), updatedAt: new Date() }),
    'flow-time',
    'alice.2',
  ],
  ['an order whose time is none', () => unset('orders', 'failed', 'updatedAt'), 'order-times', 'failed'],

  [
    'a hold that has expired and is still held',
    () =>
      order('held', {
        progress: {
          reversed: decimal('0'),
          captured: decimal('0'),
          released: decimal('0'),
          hasExpired: true,
          changes: 1,
        },
      }),
    'order-uses',
    'held',
  ],
  [
    'a hold that has expired, and says that it was released',
    () => order('expired', { 'progress.hasExpired': false }),
    'order-uses',
    'expired',
  ],
  [
    'a hold that was released, and says that it has expired',
    () => order('released', { 'progress.hasExpired': true }),
    'order-uses',
    'released',
  ],
  [
    'a hold that no order can use any more',
    () => order('partlyCaptured', { 'progress.changes': 0 }),
    'order-uses',
    'partlyCaptured',
  ],
  [
    'a transfer that was used more often than there are orders',
    () => order('transfer', { 'progress.changes': 2 }),
    'order-uses',
    'transfer',
  ],

  ['a bizId that begins as an id', () => order('failed', { bizId: newId('order') }), 'order-fields', 'failed'],
  ['a failure that no answer can show', () => order('failed', { failure: 'BAD_LUCK' }), 'order-fields', 'failed'],
  ['metadata that no answer can show', () => order('transfer', { metadata: '{' }), 'order-fields', 'transfer'],
  [
    'metadata of a wallet that no answer can show',
    () => wallet('unused', { metadata: '[1]' }),
    'wallet-fields',
    'unused',
  ],
  [
    'an order of an atomic batch that is waiting by itself',
    () => order('second', { status: 'PENDING' }),
    'order-fields',
    'second',
  ],
  [
    'an order that waits for a batch, and is of none',
    () => order('pending', { status: 'PENDING_IN_BATCH' }),
    'order-fields',
    'pending',
  ],

  [
    'an event of an order that did not end so',
    () => set('webhookOutbox', 'entry', { completed: [id('failed')] }),
    'outbox',
    'entry',
  ],
  [
    'an event of an order that does not exist',
    () => set('webhookOutbox', 'entry', { failed: [newId('order')] }),
    'outbox',
    'entry',
  ],
  [
    'an event of another workspace',
    () => set('webhookOutbox', 'entry', { workspaceId: newId('workspace') }),
    'outbox',
    'entry',
  ],
  ['an event that is not kept', () => set('webhookOutbox', 'entry', { createdAt: beginning }), 'outbox', 'entry'],
])('finds %s', async (_, plant, kind, where) => {
  await plant();
  const [name = '', sequence] = where.split('.');
  const at = sequence === undefined ? id(name) : flowId(id(name), Number(sequence));
  const { breaches } = await books.verify();
  expect(breaches).toContainEqual({ kind, id: at, message: expect.any(String) as string });
});
