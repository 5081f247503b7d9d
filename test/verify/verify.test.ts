import { Decimal128, type Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { flowId } from '../../src/domain/ids.ts';
import type { Flow } from '../../src/domain/wallet.ts';
import { Money } from '../../src/domain/money.ts';
import { fromDecimal128 } from '../../src/storage/shared/decimal.ts';
import type { FlowDocument } from '../../src/storage/flows/flows.ts';
import { openBooks } from '../../src/storage/books.ts';
import type { BreachKind } from '../../src/verify/breach.ts';
import { bucketOf } from '../../src/verify/multiset-checksum.ts';
import { findUnmatched } from '../../src/verify/flow-checksum.ts';
import { testDatabase } from '../support/database.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';

const { client, db } = testDatabase();
interface Row extends Document {
  _id: string;
}
const wallets = db.collection<Row>('wallets');
const orders = db.collection<Row>('orders');
const flows = db.collection<FlowDocument>('flows');
const toFlow = ({
  _id,
  leg = 0,
  debitOrders = 0,
  amount,
  balanceBefore,
  balanceAfter,
  debits,
  ...document
}: FlowDocument): Flow => ({
  ...document,
  id: _id,
  leg,
  debitOrders,
  amount: fromDecimal128(amount),
  balanceBefore: fromDecimal128(balanceBefore),
  balanceAfter: fromDecimal128(balanceAfter),
  debits: new Money(debits),
});
const decimal = (text: string) => Decimal128.fromString(text);
/** For what MongoDB itself would refuse: somebody may have had its validators off. */
const unvalidated = { bypassDocumentValidation: true };

let books: PostedBooks;
/** 10 from alice to bob: alice's second flow of three, bob's second and last. */
let tenId: string;

beforeEach(async () => {
  await Promise.all([wallets, orders, flows].map((collection) => collection.deleteMany({})));
  books = await openPostedBooks(client, db);
  await books.transfer(books.external, books.alice, '100');
  await books.transfer(books.external, books.bob, '0.5');
  tenId = await books.transfer(books.alice, books.bob, '10');
  await books.transfer(books.alice, books.external, '1.25');
});

describe('sound books', () => {
  it('have no breach, and are counted and summed exactly', async () => {
    await books.transfer(books.bob, books.alice, '99');
    const { breaches, summary } = await books.verify();
    expect(breaches).toEqual([]);
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(summary).toEqual({
      ...{ asOf: moment, flowsReadUntil: moment, ordersReadUntil: moment },
      wallets: 3,
      flows: 8,
      orders: 5,
      byStatus: { SCHEDULED: 0, PENDING: 0, COMPLETED: 4, FAILED: 1, CANCELLED: 0 },
      sumsByCurrency: { EUR: '0' },
      ordersSince: 0,
      breaches: 0,
    });
  });

  it('may hold orders that wait', async () => {
    await books.record(books.alice, books.bob, '1');
    const { breaches, summary } = await books.verify();
    expect(breaches).toEqual([]);
    expect(summary.byStatus).toEqual({ SCHEDULED: 0, PENDING: 1, COMPLETED: 4, FAILED: 0, CANCELLED: 0 });
  });

  it('may be empty', async () => {
    await Promise.all([wallets, orders, flows].map((collection) => collection.deleteMany({})));
    expect((await books.verify()).summary).toMatchObject({ wallets: 0, flows: 0, orders: 0, breaches: 0 });
  });
});

/** The wallets of an order whose failure they know of, or do not, and should not. */
const failuresDiffer = (): [BreachKind, string][] => [
  ['wallet-failures', books.alice],
  ['wallet-failures', books.bob],
  ['order-totals', books.workspaceId],
];

/** Expects exactly these breaches, in any order. */
async function expectBreaches(expected: [BreachKind, string][]): Promise<void> {
  const { breaches, summary } = await books.verify();
  const found = breaches.map(({ kind, id }) => `${kind} ${id}`);
  expect(found.sort()).toEqual(expected.map(([kind, id]) => `${kind} ${id}`).sort());
  expect(summary.breaches).toBe(expected.length);
}

describe('a wallet', () => {
  it('whose balance was edited', async () => {
    await wallets.updateOne({ _id: books.bob }, { $set: { balance: decimal('11.5') } });
    await expectBreaches([
      ['wallet-balance', books.bob],
      ['currency-sum', 'EUR'],
    ]);
  });

  it('and another, edited so that the sum still holds', async () => {
    await wallets.updateOne({ _id: books.bob }, { $inc: { balance: decimal('1') } });
    await wallets.updateOne({ _id: books.alice }, { $inc: { balance: decimal('-1') } });
    await expectBreaches([
      ['wallet-balance', books.bob],
      ['wallet-balance', books.alice],
    ]);
  });

  it('whose balance is no number', async () => {
    await wallets.updateOne({ _id: books.bob }, { $unset: { balance: '' } }, unvalidated);
    await expectBreaches([
      ['wallet-balance', books.bob],
      ['currency-sum', 'EUR'],
    ]);
  });

  it('set back to an earlier flow', async () => {
    const [, flow] = await flowsOf(books.alice);
    const earlier = { balance: flow!.balanceAfter, sequence: flow!.sequence, flowHash: flow!.hash };
    await wallets.updateOne({ _id: books.alice }, { $set: earlier });
    await expectBreaches([
      ['wallet-balance', books.alice],
      ['wallet-sequence', books.alice],
      ['wallet-hash', books.alice],
      ['currency-sum', 'EUR'],
    ]);
  });

  it('whose hash was edited', async () => {
    await wallets.updateOne({ _id: books.alice }, { $set: { flowHash: 'f'.repeat(64) } });
    await expectBreaches([['wallet-hash', books.alice]]);
  });

  it('whose number of FAILED orders was edited', async () => {
    await wallets.updateOne({ _id: books.alice }, { $set: { 'orders.DEPOSIT.FAILED': 1 } });
    await books.transfer(books.bob, books.external, '99');
    await wallets.updateOne({ _id: books.bob }, { $unset: { 'orders.WITHDRAWAL.FAILED': '' } }, unvalidated);
    await expectBreaches([
      ['wallet-failures', books.alice],
      ['wallet-failures', books.bob],
    ]);
  });

  it('that says more FAILED orders than a snapshot counts', async () => {
    await books.transfer(books.bob, books.external, '99');
    await books.transfer(books.bob, books.alice, '99');
    await wallets.updateOne({ _id: books.bob }, { $set: { 'orders.TRANSFER.FAILED': 30_000 } });
    const { breaches } = await books.verify();
    expect(breaches).toEqual([
      { kind: 'wallet-failures', id: books.bob, message: 'says 30000 orders TRANSFER FAILED, there are 1' },
    ]);
  });

  it('whose debits or number of COMPLETED orders were edited', async () => {
    await wallets.updateOne({ _id: books.alice }, { $set: { debits: '10.51' } });
    await wallets.updateOne({ _id: books.bob }, { $set: { debitFlows: 1 } });
    await wallets.updateOne({ _id: books.external }, { $inc: { 'orders.DEPOSIT.COMPLETED': 1 } });
    await expectBreaches([
      ['wallet-debits', books.alice],
      ['wallet-debits', books.bob],
      ['wallet-completed', books.external],
    ]);
  });

  it('whose COMPLETED orders were moved to another type', async () => {
    const moved = { 'orders.TRANSFER.COMPLETED': -1, 'orders.WITHDRAWAL.COMPLETED': 1 };
    await wallets.updateOne({ _id: books.alice }, { $inc: moved });
    await expectBreaches([
      ['wallet-completed', books.alice],
      ['wallet-completed', books.alice],
    ]);
  });

  it('that was removed', async () => {
    await wallets.deleteOne({ _id: books.bob });
    await expectBreaches([
      ['wallet-missing', books.bob],
      ['currency-sum', 'EUR'],
      ['wallet-totals', books.workspaceId],
    ]);
  });

  it('of another workspace than its flows', async () => {
    await wallets.updateOne({ _id: books.bob }, { $set: { workspaceId: 'ws_other' } });
    const [first, second] = await flowsOf(books.bob);
    await expectBreaches([
      ['flow-workspace', first!._id],
      ['flow-workspace', second!._id],
      ['wallet-totals', books.workspaceId],
      ['wallet-totals', 'ws_other'],
    ]);
  });

  it('below zero', async () => {
    await wallets.updateOne({ _id: books.external }, { $set: { kind: 'STANDARD' } }, unvalidated);
    const [first, second, third] = await flowsOf(books.external);
    await expectBreaches([
      ['negative-balance', books.external],
      ['negative-balance', first!._id],
      ['negative-balance', second!._id],
      ['negative-balance', third!._id],
      ['wallet-totals', books.workspaceId],
    ]);
  });

  it('of another currency than its flows', async () => {
    await wallets.updateOne({ _id: books.bob }, { $set: { currency: 'USD' } });
    const [first, second] = await flowsOf(books.bob);
    await expectBreaches([
      ['flow-currency', first!._id],
      ['flow-currency', second!._id],
      ['currency-sum', 'EUR'],
      ['currency-sum', 'USD'],
      ['wallet-totals', books.workspaceId],
      ['wallet-totals', books.workspaceId],
    ]);
  });
});

describe('a flow', () => {
  it('that was removed from the middle', async () => {
    await flows.deleteOne({ _id: flowId(books.alice, 2) });
    await expectBreaches([
      ['sequence-gap', flowId(books.alice, 3)],
      ['wallet-debits', books.alice],
      ['order-flows', tenId],
    ]);
  });

  it('that was removed from the end', async () => {
    await flows.deleteOne({ _id: flowId(books.bob, 2) });
    await expectBreaches([
      ['wallet-balance', books.bob],
      ['wallet-sequence', books.bob],
      ['wallet-hash', books.bob],
      ['wallet-completed', books.bob],
      ['order-flows', tenId],
    ]);
  });

  it('whose amount was altered', async () => {
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $set: { amount: decimal('9') } });
    await expectBreaches([
      ['flow-arithmetic', flowId(books.alice, 2)],
      ['flow-debits', flowId(books.alice, 2)],
      ['flow-hash', flowId(books.alice, 2)],
      ['flow-not-as-ordered', flowId(books.alice, 2)],
    ]);
  });

  it('altered in every place but the hash', async () => {
    const changes = { amount: decimal('9'), balanceAfter: decimal('91') };
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $set: changes });
    await orders.updateOne({ _id: tenId }, { $set: { amount: decimal('9') } });
    await expectBreaches([
      ['flow-hash', flowId(books.alice, 2)],
      ['flow-debits', flowId(books.alice, 2)],
      ['flow-chain', flowId(books.alice, 3)],
      ['flow-not-as-ordered', flowId(books.bob, 2)],
      ['order-digest', tenId],
    ]);
  });

  it.each(['createdAt', 'counterpartyWalletId', 'transferId'])('whose %s was altered', async (field) => {
    const value = field === 'createdAt' ? new Date(0) : 'another';
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $set: { [field]: value } });
    const kinds = (await books.verify()).breaches.map(({ kind }) => kind);
    expect(kinds).toContain('flow-hash');
  });

  it('whose debits so far were altered, named with the one after it', async () => {
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $set: { debits: '11' } });
    await expectBreaches([
      ['flow-debits', flowId(books.alice, 2)],
      ['flow-debits', flowId(books.alice, 3)],
    ]);
  });

  it('without debits, named once', async () => {
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $unset: { debits: true } }, unvalidated);
    await expectBreaches([['flow-debits', flowId(books.alice, 2)]]);
  });

  it('altered together with its hash', async () => {
    const [, flow] = await flowsOf(books.alice);
    const altered = { ...flow!, createdAt: new Date(0) };
    const hash = hashFlow((await flowsOf(books.alice))[0]!.hash, toFlow(altered));
    await flows.updateOne({ _id: flow!._id }, { $set: { createdAt: altered.createdAt, hash } });
    await expectBreaches([
      ['flow-time', flowId(books.alice, 2)],
      ['flow-hash', flowId(books.alice, 3)],
    ]);
  });

  it('of another workspace than its wallet, or of none', async () => {
    const [first, second] = await flowsOf(books.bob);
    await flows.updateOne({ _id: first!._id }, { $set: { workspaceId: 'ws_other' } });
    await flows.updateOne({ _id: second!._id }, { $unset: { workspaceId: true } }, unvalidated);
    await expectBreaches([
      ['flow-workspace', first!._id],
      ['flow-workspace', second!._id],
    ]);
  });

  it('whose hash alone was altered, named once', async () => {
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $set: { hash: 'f'.repeat(64) } });
    await expectBreaches([['flow-hash', flowId(books.alice, 2)]]);
  });

  it('with another sequence', async () => {
    await flows.updateOne({ _id: flowId(books.alice, 2) }, { $set: { sequence: 7 } });
    await expectBreaches([
      ['flow-id', flowId(books.alice, 2)],
      ['flow-hash', flowId(books.alice, 2)],
    ]);
  });

  it('moved to leave a gap in the sequence', async () => {
    const [, , flow] = await flowsOf(books.alice);
    await flows.deleteOne({ _id: flow!._id });
    await flows.insertOne({ ...flow!, _id: flowId(books.alice, 5), sequence: 5 });
    await expectBreaches([
      ['sequence-gap', flowId(books.alice, 5)],
      ['wallet-sequence', books.alice],
      ['wallet-completed', books.alice],
    ]);
  });

  it('doubled, with wallet and chain made to fit', async () => {
    const [, last] = await flowsOf(books.bob);
    const doubled: FlowDocument = {
      ...last!,
      _id: flowId(books.bob, 3),
      sequence: 3,
      balanceBefore: decimal('10.5'),
      balanceAfter: decimal('20.5'),
    };
    const hash = hashFlow(last!.hash, toFlow(doubled));
    await flows.insertOne({ ...doubled, hash });
    await wallets.updateOne({ _id: books.bob }, { $set: { balance: decimal('20.5'), sequence: 3, flowHash: hash } });
    await wallets.updateOne({ _id: books.external }, { $inc: { balance: decimal('-10') } });
    await expectBreaches([
      ['order-flows', tenId],
      ['wallet-balance', books.external],
      ['wallet-completed', books.bob],
    ]);
  });

  it('copied under an id that is not text', async () => {
    const [flow] = await flowsOf(books.bob);
    await db.collection('flows').insertOne({ ...flow, _id: undefined as never }, unvalidated);
    const { breaches } = await books.verify();
    expect(breaches.map(({ kind }) => kind)).toEqual(['stray-id']);
  });

  it('of no order', async () => {
    await orders.deleteOne({ _id: tenId });
    await expectBreaches([
      ['flow-without-order', flowId(books.alice, 2)],
      ['flow-without-order', flowId(books.bob, 2)],
      ['order-totals', books.workspaceId],
    ]);
  });
});

describe('a total', () => {
  const totals = () => ({ workspaceId: books.workspaceId, kind: 'TOTALS' });

  it('of orders that was edited', async () => {
    await wallets.updateOne({ ...totals(), orders: { $exists: true } }, { $inc: { 'orders.EUR.TRANSFER.FAILED': 1 } });
    await expectBreaches([['order-totals', books.workspaceId]]);
  });

  it('of wallets that was edited', async () => {
    const moved = { 'wallets.EUR.ACTIVE': -1, 'wallets.EUR.FROZEN': 1 };
    await wallets.updateOne({ ...totals(), wallets: { $exists: true } }, { $inc: moved });
    await expectBreaches([
      ['wallet-totals', books.workspaceId],
      ['wallet-totals', books.workspaceId],
    ]);
  });

  it('that was removed', async () => {
    await wallets.deleteMany(totals());
    // Of deposits, transfers and withdrawals.
    await expectBreaches([
      ['order-totals', books.workspaceId],
      ['order-totals', books.workspaceId],
      ['order-totals', books.workspaceId],
      ['wallet-totals', books.workspaceId],
    ]);
  });
});

describe('an order', () => {
  const flowsOfTen = (): [string, string] => [flowId(books.alice, 2), flowId(books.bob, 2)];

  it.each([
    ['FAILED', { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE', completedAt: null }],
    ['PENDING', { status: 'PENDING', completedAt: null }],
  ])('flipped from COMPLETED to %s', async (_, change) => {
    await orders.updateOne({ _id: tenId }, { $set: change });
    const [debit, credit] = flowsOfTen();
    const breaches: [BreachKind, string][] = [
      ['flow-of-open-order', debit],
      ['flow-of-open-order', credit],
      ['order-totals', books.workspaceId],
    ];
    await expectBreaches(change.status === 'FAILED' ? [...breaches, ...failuresDiffer()] : breaches);
  });

  it.each([
    ['PENDING', '1'],
    ['FAILED', '1000'],
  ])('flipped from %s to COMPLETED', async (from, amount) => {
    const sides = [books.alice, books.bob] as const;
    const id = await (from === 'FAILED' ? books.transfer(...sides, amount) : books.record(...sides, amount));
    expect(await orders.findOne({ _id: id })).toMatchObject({ status: from });
    await orders.updateOne({ _id: id }, { $set: { status: 'COMPLETED', failure: null, completedAt: new Date() } });
    const breaches: [BreachKind, string][] = [
      ['order-flows', id],
      ['order-totals', books.workspaceId],
    ];
    await expectBreaches([...breaches, ...(from === 'FAILED' ? failuresDiffer() : [])]);
  });

  it.each<[string, Document]>([
    ['COMPLETED without a time', { completedAt: null }],
    ['COMPLETED with a failure', { failure: 'BALANCE_LIMIT' }],
    ['of no known status', { status: 'DONE' }],
    ['of no known type', { type: 'GIFT' }],
    ['of a type that its wallets do not fit', { type: 'DEPOSIT' }],
  ])('%s', async (_, change) => {
    await orders.updateOne({ _id: tenId }, { $set: change }, unvalidated);
    const { breaches } = await books.verify();
    expect(breaches).toContainEqual(expect.objectContaining({ kind: 'order-fields', id: tenId }));
  });

  it('among many in doubt, named in one of several rounds', async () => {
    const oneId = await books.transfer(books.alice, books.bob, '1');
    await flows.deleteMany({ transferId: { $in: [tenId, oneId] }, direction: 'CREDIT' });
    const found: string[] = [];
    const manyOrders = 4_096 * 1_000_000;
    const buckets = [bucketOf(tenId), bucketOf(oneId)];
    const cut = { asOf: new Date(), newFrom: 'tr_', has: () => true };
    await findUnmatched(openBooks(client, db), buckets, manyOrders, cut, (kind, id, message) => {
      found.push(`${kind} ${id} ${message}`);
    });
    const message = 'is COMPLETED with 1 DEBIT and 0 CREDIT flows; there should be 1 of each';
    expect(found.sort()).toEqual([`order-flows ${tenId} ${message}`, `order-flows ${oneId} ${message}`].sort());
  });

  it('of another amount', async () => {
    await orders.updateOne({ _id: tenId }, { $set: { amount: decimal('11') } });
    const [debit, credit] = flowsOfTen();
    await expectBreaches([
      ['flow-not-as-ordered', debit],
      ['flow-not-as-ordered', credit],
      ['order-digest', tenId],
    ]);
  });
});

function flowsOf(walletId: string): Promise<FlowDocument[]> {
  return flows.find({ walletId }).sort({ _id: 1 }).toArray();
}
