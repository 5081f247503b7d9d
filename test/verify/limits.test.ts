import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { flowId, newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/orders/order.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { alertsIn, newEntry } from '../../src/storage/webhooks/outbox.ts';
import type { BreachKind } from '../../src/verify/breach.ts';
import { verify } from '../../src/verify/verify.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';
import { restoredAfterEach, unvalidated } from './sound-books.ts';

/** Sound books with limits, budgets and alerts, in which each test changes something that `verify` has to name. */
const { client, db } = testDatabase();
const collections = openCollections(db);
interface Row extends Document {
  _id: string;
}
const rows = (name: string) => db.collection<Row>(name);
const apiKey = 'ak_test_01M7YFW3B8BGWR3QVGQYYT7PD9';
const subscriber = { endpointId: newId('webhook'), events: ['wallet.alert' as const], isEnabled: true };

let books: PostedBooks;
let entryId: string;
const rememberSound = restoredAfterEach(db, ['wallets', 'orders', 'flows', 'keyBudgets', 'webhookOutbox']);

const change = (wanted: Parameters<typeof collections.wallets.change>[0]['change']) =>
  collections.wallets.change({ workspaceId: books.workspaceId, id: books.alice, change: wanted });
const takeByKey = async (amount: string, currency = 'EUR'): Promise<string> => {
  const sides = { sourceWalletId: books.alice, targetWalletId: books.bob, currency };
  const order = newOrder({ workspaceId: books.workspaceId, type: 'TRANSFER', ...sides, amount, apiKey });
  await collections.orders.insertBatch([order]);
  await books.post([order.id]);
  return order.id;
};
const money = (amount: string) => new Money(amount);
const hold = (amount: string) =>
  books.ask({ type: 'HOLD', sourceWalletId: books.alice, targetWalletId: books.bob, currency: 'EUR', amount });

/** Alice's flows: 1 comes in; 2 before any limit; 3 and 4 within them; 5 is a capture, which no limit judges; 6 and 7 by the key. */
beforeAll(async () => {
  books = await openPostedBooks(client, db);
  const { alice, bob, external, workspaceId } = books;
  await books.transfer(external, alice, '1000');
  await books.transfer(alice, bob, '300');
  const day = { calendar: 'day' as const, timeZone: 'Europe/Berlin' };
  const limits = [
    { name: 'each', amount: money('60'), window: 'order' as const },
    { name: 'hourly', amount: money('460'), count: 9, window: { rolling: 'PT1H' } },
    { name: 'daily', amount: money('460'), window: day },
  ];
  await change({ limits });
  await books.transfer(alice, bob, '50');
  await books.transfer(alice, bob, '20');
  const held = await hold('30');
  await books.ask({ type: 'CAPTURE', amount: '10', terms: { final: 'false' } }, held);
  await change({
    alerts: [
      { name: 'low', availableBelow: money('700') },
      { name: 'high', availableAbove: money('5000') },
      { name: 'most', limitUsed: { limit: 'daily', share: '0.9' } },
    ],
  });
  const budget = { currency: 'EUR', amount: money('30') };
  await takeByKey('1');
  await collections.keyBudgets.set({ apiKey, workspaceId }, { ...budget, name: 'all', window: 'total' }, new Date());
  await collections.keyBudgets.set({ apiKey, workspaceId }, { ...budget, name: 'day', window: day }, new Date());
  await takeByKey('2');
  expect((await rows('orders').findOne({ _id: await takeByKey('29') }))?.['failure']).toBe('KEY_BUDGET_EXCEEDED');
  expect((await rows('orders').findOne({ _id: await hold('60.01') }))?.['failure']).toBe('LIMIT_EXCEEDED');
  const of = { workspaceId, walletId: alice, currency: 'EUR', sequence: 1, limit: null, at: new Date() };
  const stood = { available: money('1'), balance: money('1'), held: money('0') };
  const event = { ...of, ...stood, name: 'low', state: 'raised' as const, number: 1 };
  const entry = newEntry(workspaceId, { completed: [], failed: [], ...alertsIn([event]) }, [subscriber], new Date());
  entryId = entry!._id;
  await rows('webhookOutbox').insertOne(entry as unknown as Row);
  await rememberSound();
});

it('sound books with limits, budgets and alerts have no breach', async () => {
  expect((await books.verify()).breaches).toEqual([]);
  const alice = await rows('wallets').findOne({ _id: books.alice });
  expect(alice).toMatchObject({ debitOrders: 6, openHolds: 1, alertEvents: 1, sequence: 7 });
  expect(alice!['alerts']).toMatchObject([{ state: 'raised' }, { state: 'cleared' }, { state: 'cleared' }]);
  expect(alice!['limits']).toMatchObject([{ since: 2 }, { since: 2 }, { since: 2 }]);
});

it('a limit that is set again as it was keeps since when it is judged', async () => {
  const { limits } = (await rows('wallets').findOne({ _id: books.alice })) as unknown as { limits: { name: string }[] };
  const [each, hourly] = limits as unknown as [{ amount: string; window: 'order' }, { window: { rolling: string } }];
  await change({
    limits: [
      { name: 'hourly', amount: money('460.00'), count: 9, window: hourly.window },
      { name: 'each', amount: money(each.amount).plus(1), window: each.window },
    ],
  });
  expect(await rows('wallets').findOne({ _id: books.alice })).toMatchObject({
    limits: [
      { name: 'hourly', since: 2 },
      { name: 'each', since: 7 },
    ],
  });
});

it('flows from before wallets could have limits do not say how many orders their debits are of', async () => {
  await rows('flows').updateMany({ walletId: books.external }, { $unset: { debitOrders: '' } });
  await rows('wallets').updateOne({ _id: books.external }, { $unset: { debitOrders: '' } });
  expect((await books.verify()).breaches).toEqual([]);
});

const wallet = (values: Document) => rows('wallets').updateOne({ _id: books.alice }, { $set: values }, unvalidated);
const flow = (sequence: number, update: Document) =>
  rows('flows').updateOne({ _id: flowId(books.alice, sequence) }, update, unvalidated);
const keyBudget = (values: Document) => rows('keyBudgets').updateOne({ _id: apiKey }, { $set: values }, unvalidated);
const event = (values: Document) => rows('webhookOutbox').updateOne({ _id: entryId }, { $set: values });
const moreEvents = async (...more: readonly Document[]) => {
  const [first] = (await rows('webhookOutbox').findOne({ _id: entryId }))!['alerts'] as [Document];
  await event({ alerts: [first, ...more.map((each) => ({ ...first, ...each }))] });
};

/** What is changed, what verify then says, and of what; of a flow its number. */
const plants: readonly (readonly [string, () => Promise<unknown>, BreachKind, () => string])[] = [
  ['a wallet’s number of orders with a debit', () => wallet({ debitOrders: 7 }), 'wallet-debits', () => books.alice],
  ['a wallet’s number of open holds', () => wallet({ openHolds: 2 }), 'wallet-held', () => books.alice],
  ['no open hold of what is held', () => wallet({ openHolds: 0 }), 'wallet-held', () => books.alice],
  [
    'a flow that counts its order twice',
    () => flow(4, { $inc: { debitOrders: 1 } }),
    'flow-debits',
    () => flowId(books.alice, 4),
  ],
  [
    'a flow that counts no order behind one that does',
    () => flow(4, { $unset: { debitOrders: '' } }),
    'flow-debits',
    () => flowId(books.alice, 4),
  ],
  [
    'a first debit that counts none',
    () => flow(2, { $set: { debitOrders: 0 } }),
    'flow-debits',
    () => flowId(books.alice, 2),
  ],
  [
    'an order above what each may take',
    () => wallet({ 'limits.0.amount': '49.99' }),
    'limit-passed',
    () => flowId(books.alice, 3),
  ],
  [
    'a rolling limit that was passed by a cent',
    () => wallet({ 'limits.1.amount': '382.99' }),
    'limit-passed',
    () => flowId(books.alice, 7),
  ],
  [
    'a limit that was passed by an order',
    () => wallet({ 'limits.1.count': 5 }),
    'limit-passed',
    () => flowId(books.alice, 7),
  ],
  [
    'a calendar limit that was passed by a cent',
    () => wallet({ 'limits.2.amount': '380.99', alerts: [] }),
    'limit-passed',
    () => flowId(books.alice, 6),
  ],
  [
    'a time zone that nobody knows',
    () => wallet({ 'limits.2.window.timeZone': 'No/Where' }),
    'wallet-fields',
    () => books.alice,
  ],
  ['an alert that is not raised', () => wallet({ 'alerts.0.state': 'cleared' }), 'wallet-alerts', () => books.alice],
  ['an alert that is not cleared', () => wallet({ 'alerts.1.state': 'raised' }), 'wallet-alerts', () => books.alice],
  [
    'an alert of a limit that is not cleared',
    () => wallet({ 'alerts.2.state': 'raised' }),
    'wallet-alerts',
    () => books.alice,
  ],
  [
    'an alert of a limit that is not raised',
    () => wallet({ 'alerts.2.limitUsed.share': '0.8' }),
    'wallet-alerts',
    () => books.alice,
  ],
  ['a budget of which too little is used', () => keyBudget({ 'budgets.0.used': '1.99' }), 'key-budgets', () => apiKey],
  ['a budget that too many have used', () => keyBudget({ 'budgets.1.usedCount': 2 }), 'key-budgets', () => apiKey],
  [
    'a budget that was set earlier',
    () => keyBudget({ 'budgets.1.since': 1, 'budgets.1.used': '0' }),
    'key-budgets',
    () => apiKey,
  ],
  [
    'an order that counts towards no budget',
    () => rows('orders').updateMany({ budgets: { $exists: true } }, { $unset: { budgets: '' } }),
    'key-budgets',
    () => apiKey,
  ],
  ['an alert event that its wallet has not counted', () => wallet({ alertEvents: 0 }), 'outbox', () => entryId],
  ['an alert event of another workspace', () => event({ workspaceId: newId('workspace') }), 'outbox', () => entryId],
  ['two alert events of one number', () => moreEvents({ number: 1, state: 'cleared' }), 'outbox', () => entryId],
  [
    'an alert that is cleared twice',
    async () => {
      await wallet({ alertEvents: 3 });
      await moreEvents({ number: 2, state: 'cleared' }, { number: 3, state: 'cleared' });
    },
    'outbox',
    () => entryId,
  ],
  ['an alert that is cleared first', () => event({ 'alerts.0.state': 'cleared' }), 'outbox', () => entryId],
];

it.each(plants)('finds %s', async (_, plant, kind, where) => {
  await plant();
  const { breaches } = await books.verify();
  const message = expect.any(String) as string;
  expect(breaches).toContainEqual({ kind, id: where(), message });
  expect(new Set(breaches.map((breach) => breach.kind))).toEqual(new Set([kind]));
});

it('what a limit let pass before it was set, and what captures or goes over it, is no breach', async () => {
  await wallet({ 'limits.0.amount': '9', 'limits.0.since': 4, 'limits.1.since': 4, 'limits.2.since': 4 });
  await rows('orders').updateMany({ type: 'TRANSFER' }, { $set: { terms: { overLimits: 'true' } } });
  expect((await books.verify()).breaches).toEqual([]);
});

describe('while orders are posted', () => {
  it('no breach is invented', async () => {
    await wallet({ limits: [{ name: 'few', amount: '383', since: 2, window: { rolling: 'PT1H' } }], alerts: [] });
    const read = openBooks(client, db, 3);
    let rounds = 0;
    const work = async (): Promise<void> => {
      rounds += 1;
      await takeByKey('0.5');
      await hold('0.25');
      await change({ limits: [{ name: 'few', amount: money('390').plus(rounds), window: { rolling: 'PT1H' } }] });
      if (rounds % 3 === 0) {
        const budget = { name: 'all', currency: 'EUR', amount: money('900'), count: rounds, window: 'total' as const };
        const { workspaceId } = books;
        await collections.keyBudgets.set({ apiKey, workspaceId }, budget, new Date());
        await collections.keyBudgets.remove({ apiKey, workspaceId }, 'day');
        await collections.keyBudgets.set({ apiKey, workspaceId }, { ...budget, name: 'day' }, new Date());
      }
    };
    const meanwhile = <T>(pages: () => AsyncGenerator<T[], void>) =>
      async function* (): AsyncGenerator<T[], void, undefined> {
        for await (const page of pages()) {
          yield page;
          if (rounds < 12) await work();
        }
      };
    const breaches: unknown[] = [];
    const all = {
      ...read,
      wallets: meanwhile(read.wallets),
      flows: meanwhile(read.flows),
      orders: meanwhile(read.orders),
    };
    await verify(all, (breach) => breaches.push(breach));
    expect(breaches).toEqual([]);
    expect(rounds).toBe(12);
    expect((await books.verify()).breaches).toEqual([]);
  });
});
