import { Decimal128, type Document } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { flowId } from '../../src/domain/ids.ts';
import { digestOrder } from '../../src/orders/digest.ts';
import { legsOf } from '../../src/orders/order.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { toFlow, toFlowDocuments } from '../../src/storage/flows/flows.ts';
import { toOrder, type OrderDocument } from '../../src/storage/orders/documents.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import type { Flow } from '../../src/domain/wallet.ts';
import { Money } from '../../src/domain/money.ts';
import type { BreachKind } from '../../src/verify/breach.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';
import { restoredAfterEach, unvalidated } from './sound-books.ts';

/**
 * Sound books of orders with legs, in which each test changes something as somebody might who knows how flows are chained and how
 * orders are digested: `verify` has to name it still.
 */
const { client, db } = testDatabase();
const collections = openCollections(db);
interface Row extends Document {
  _id: string;
}
const names = ['wallets', 'orders', 'flows'] as const;
const rows = (name: (typeof names)[number]) => db.collection<Row>(name);
const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

let books: PostedBooks;
const rememberSound = restoredAfterEach(db, names);
/** Ids, by what they are. */
const of: Record<string, string> = {};
const id = (name: string): string => of[name]!;

beforeAll(async () => {
  books = await openPostedBooks(client, db);
  const { alice, bob, workspaceId } = books;
  const wallet = async (name: string, currency: string) =>
    (await collections.wallets.create({ workspaceId, name, currency })).id;
  Object.assign(of, {
    alice,
    bob,
    workspaceId,
    carol: await wallet('carol', 'EUR'),
    dave: await wallet('dave', 'USD'),
  });
  await collections.wallets.ensureExternal(workspaceId, 'USD');
  const leg = (source: string | undefined, target: string | undefined, amount: string, currency = 'EUR') => ({
    ...(source === undefined ? {} : { sourceWalletId: source }),
    ...(target === undefined ? {} : { targetWalletId: target }),
    ...{ amount, currency },
  });
  const legs = [
    leg(undefined, alice, '100'),
    leg(alice, bob, '20'),
    leg(alice, bob, '20'),
    leg(bob, id('carol'), '6'),
    leg(undefined, id('dave'), '7', 'USD'),
    leg(id('carol'), undefined, '1'),
    leg(alice, bob, '3'),
  ];
  of['journal'] = await books.ask({ type: 'JOURNAL', legs });
  of['transfer'] = await books.transfer(alice, bob, '2');
  of['failed'] = await books.ask({ type: 'JOURNAL', legs: [legs[1]!, leg(alice, undefined, '999')] });
  of['reversal'] = await books.ask(
    { type: 'REVERSAL', legs: [{ parentLeg: 2, amount: '4' }, { parentLeg: 3, amount: '5' }, { parentLeg: 1 }] },
    of['journal'],
  );
  of['hold'] = await books.ask({ type: 'HOLD', ...leg(alice, bob, '30') });
  const captured = [{ targetWalletId: id('carol'), amount: '8' }, { amount: '2' }];
  of['capture'] = await books.ask({ type: 'CAPTURE', legs: captured, terms: { final: 'false' } }, of['hold']);
  of['back'] = await books.ask({ type: 'REVERSAL', legs: [{ parentLeg: 0, amount: '1' }] }, of['capture']);
  await rememberSound();
});

/** The flows of an order on a wallet, by their legs, as they stand in a list. */
const placeOf = (flows: readonly Flow[], order: string, leg: number): number =>
  flows.findIndex((flow) => flow.transferId === id(order) && flow.leg === leg);

/** Changes the list of a wallet's flows, and makes all anew that follows from it: numbers, balances, hashes, the wallet. */
async function rebuilt(name: string, change: (flows: Flow[]) => Flow[]): Promise<void> {
  const walletId = id(name);
  const stored = (await rows('flows').find({ walletId }).sort({ _id: 1 }).toArray()) as never[];
  await rows('flows').deleteMany({ walletId });
  let [balance, debits, flowHash, debitFlows] = [new Money(0), new Money(0), '', 0];
  const flows = change(stored.map(toFlow)).map((each, index) => {
    const isDebit = each.direction === 'DEBIT';
    const balanceBefore = balance;
    balance = isDebit ? balance.minus(each.amount) : balance.plus(each.amount);
    if (isDebit) [debits, debitFlows] = [debits.plus(each.amount), debitFlows + 1];
    const sequence = index + 1;
    const flow = { ...each, id: flowId(walletId, sequence), sequence, balanceBefore, balanceAfter: balance, debits };
    flowHash = hashFlow(flowHash, flow);
    return { ...flow, hash: flowHash };
  });
  await db.collection('flows').insertMany(toFlowDocuments(flows) as never[], unvalidated);
  const set = {
    balance: toDecimal128(balance),
    sequence: flows.length,
    debits: debits.toFixed(),
    debitFlows,
    flowHash,
  };
  await rows('wallets').updateOne({ _id: walletId }, { $set: set }, unvalidated);
}

/** Exchanges fields of two flows of a wallet, each by the place in its order's legs. */
const exchanged = (fields: readonly (keyof Flow)[]) => () =>
  rebuilt('alice', (flows) => {
    const [one, other] = [placeOf(flows, 'journal', 2), placeOf(flows, 'journal', 6)];
    const taken = (from: Flow) => Object.fromEntries(fields.map((field) => [field, from[field]]));
    return flows
      .with(one, { ...flows[one]!, ...taken(flows[other]!) })
      .with(other, { ...flows[other]!, ...taken(flows[one]!) });
  });

/** Changes an order as it is stored, with the digest that it then has. */
async function altered(name: string, change: (order: Row) => Row): Promise<void> {
  const row = change((await rows('orders').findOne({ _id: id(name) }))!);
  const order = toOrder(row as unknown as OrderDocument);
  const digest = digestOrder({ ...order, legs: legsOf(order) });
  await rows('orders').replaceOne({ _id: id(name) }, { ...row, digest }, unvalidated);
}
const legsIn = (row: Row) => row['legs'] as Document[];
const withLeg = (name: string, leg: number, change: Document) => () =>
  altered(name, (row) => ({ ...row, legs: legsIn(row).with(leg, { ...legsIn(row)[leg], ...change }) }));

const order = (name: string, change: Document) => () =>
  rows('orders').updateOne({ _id: id(name) }, change, unvalidated);
const totals = (change: Record<string, number>) => () =>
  rows('wallets').updateOne({ kind: 'TOTALS', 'orders.EUR.JOURNAL': { $exists: true } }, { $inc: change });

it('sound books of orders with legs have no breach', async () => {
  const { breaches, summary } = await books.verify();
  expect(breaches).toEqual([]);
  expect([summary.byStatus, summary.flows]).toEqual([expect.objectContaining({ COMPLETED: 6, FAILED: 1 }), 28]);
});

/** What is planted, and what `verify` says: which kind of breach, of what. */
const plants: readonly (readonly [string, () => Promise<unknown>, BreachKind, string])[] = [
  [
    "a leg's flow taken away",
    () => rebuilt('alice', (flows) => flows.toSpliced(placeOf(flows, 'journal', 2), 1)),
    'order-flows',
    'journal',
  ],
  [
    "the flows of one of two like legs taken away, and the other's doubled",
    async () => {
      for (const name of ['alice', 'bob'])
        await rebuilt(name, (flows) => flows.map((flow) => (flow.leg === 2 ? { ...flow, leg: 1 } : flow)));
    },
    'order-flows',
    'journal',
  ],
  [
    "a leg's flow doubled",
    () => rebuilt('bob', (flows) => [...flows, flows[placeOf(flows, 'journal', 1)]!]),
    'order-flows',
    'journal',
  ],
  ["a leg's flow exchanged with another leg's", exchanged(['leg']), 'flow-not-as-ordered', 'alice 3'],
  ["a leg's amount on another leg's flow", exchanged(['amount']), 'flow-not-as-ordered', 'alice 4'],
  ['flows of an order in another order', exchanged(['leg', 'amount']), 'flow-not-as-ordered', 'alice 3'],
  [
    'flows of like legs in another order',
    () => rebuilt('bob', (flows) => flows.with(0, flows[1]!).with(1, flows[0]!)),
    'flow-not-as-ordered',
    'bob 1',
  ],
  [
    'flows of another order between those of one',
    () =>
      rebuilt('alice', (flows) => {
        const at = placeOf(flows, 'transfer', 0);
        return flows.toSpliced(at, 1).toSpliced(at - 1, 0, flows[at]!);
      }),
    'wallet-completed',
    'alice',
  ],
  [
    'a cent more reversed of a leg',
    order('journal', { $set: { 'progress.reversedLegs.1': decimal('20.01') } }),
    'order-uses',
    'journal',
  ],
  [
    'a cent of what was reversed on another leg',
    order('journal', {
      $set: { 'progress.reversedLegs.2': decimal('3.99'), 'progress.reversedLegs.6': decimal('0.01') },
    }),
    'order-uses',
    'journal',
  ],
  [
    'a cent more captured by legs',
    order('hold', { $set: { 'progress.captured': decimal('10.01') } }),
    'order-uses',
    'hold',
  ],
  [
    'a journal that is not counted in one of its currencies',
    totals({ 'orders.USD.JOURNAL.COMPLETED': -1 }),
    'order-totals',
    'workspaceId',
  ],
  [
    'a journal that counts twice in the sum of all',
    totals({ 'orders.-.JOURNAL.COMPLETED': 1 }),
    'order-totals',
    'workspaceId',
  ],
  ['a journal without one of its legs', order('journal', { $pop: { legs: 1 } }), 'order-digest', 'journal'],
  [
    'a journal without one of its legs, digested anew',
    () => altered('journal', (row) => ({ ...row, legs: legsIn(row).slice(0, -1) })),
    'order-flows',
    'journal',
  ],
  [
    'a journal of the same legs in another order, digested anew',
    () => altered('journal', (row) => ({ ...row, legs: legsIn(row).toReversed() })),
    'flow-not-as-ordered',
    'alice 1',
  ],
  [
    'a journal that is not listed for one of its currencies',
    order('journal', { $set: { currency: ['EUR'] } }),
    'order-fields',
    'journal',
  ],
  [
    'a journal that is not listed for one of its wallets',
    order('journal', { $pop: { wallets: 1 } }),
    'order-fields',
    'journal',
  ],
  ['a journal without legs', order('failed', { $set: { legs: [] } }), 'order-fields', 'failed'],
  ['a failure of a leg that is not there', order('failed', { $set: { failureLeg: 2 } }), 'order-fields', 'failed'],
  [
    'a capture of another amount than its legs',
    order('capture', { $set: { amount: decimal('10.01') } }),
    'order-fields',
    'capture',
  ],
  ['a reversal of a like leg, digested anew', withLeg('reversal', 1, { parentLeg: 1 }), 'order-uses', 'journal'],
  [
    'a reversal of a leg of other wallets, digested anew',
    withLeg('reversal', 1, { parentLeg: 3 }),
    'order-names',
    'reversal',
  ],
  [
    'a reversal of a leg that is not there, digested anew',
    withLeg('reversal', 1, { parentLeg: 7 }),
    'order-names',
    'reversal',
  ],
  ['a reversal of another leg', order('reversal', { $set: { 'legs.1.parentLeg': 1 } }), 'order-digest', 'reversal'],
];

it.each(plants)('finds %s', async (_, plant, kind, where) => {
  await plant();
  const [name = '', sequence] = where.split(' ');
  const at = sequence === undefined ? id(name) : flowId(id(name), Number(sequence));
  const { breaches } = await books.verify();
  expect(breaches).toContainEqual({ kind, id: at, message: expect.any(String) as string });
});
