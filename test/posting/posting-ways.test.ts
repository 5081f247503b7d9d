import fc from 'fast-check';
import { Decimal128, MongoNetworkError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { derivedId, flowId } from '../../src/domain/ids.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { findWaiting } from '../support/test-poster.ts';
import { openLedger, walletNames, type Ledger, type Transfer } from './posting-ways.ts';

const funding: Transfer[] = [
  ['world', 'alice', '100'],
  ['world', 'bob', '50'],
];

describe('a posted group', () => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await openLedger();
  });
  afterEach(async () => {
    await ledger.close();
    expect(ledger.complaints).toEqual([]);
  });

  const balances = async () => (await ledger.books()).wallets.map(([, balance]) => balance);

  it('is written with one command a collection, and is right', async () => {
    const orders = await ledger.record([
      ...funding,
      ['alice', 'bob', '30'],
      ['carol', 'bob', '81'],
      ['bob', 'carol', '80'],
    ]);
    const before = ledger.sent.length;
    expect(await ledger.post(orders)).toEqual(['completed', 'completed', 'completed', 'failed', 'completed']);
    expect(ledger.sent.slice(before)).toEqual(['find', 'update', 'update', 'insert', 'commitTransaction']);
    expect((await ledger.books()).wallets).toEqual([
      ['world', '-150', 2],
      ['alice', '70', 2],
      ['bob', '0', 3],
      ['carol', '80', 1],
    ]);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('dates an order no earlier than it was created, and nothing else by the order of a clock that is ahead', async () => {
    const made = await ledger.record([funding[0]!, ['carol', 'bob', '1'], funding[1]!, ['carol', 'bob', '2']]);
    const createdAt = new Date(Date.now() + 24 * 3_600_000);
    const ahead = made.slice(0, 2).map((order) => {
      const id = derivedId('order', order.id, createdAt);
      return { ...order, id, bizId: id, createdAt, updatedAt: createdAt };
    });
    const orders = ledger.db.collection<{ _id: string }>('orders');
    await orders.deleteMany({ _id: { $in: made.slice(0, 2).map(({ id }) => id) } });
    await openOrders(ledger.db).insertBatch(ahead);
    expect(await ledger.post([...ahead, ...made.slice(2)])).toEqual(['completed', 'failed', 'completed', 'failed']);
    const stored = await orders.find().toArray();
    const storedAs = (id: string) => stored.find(({ _id }) => _id === id);
    expect(ahead.map(({ id }) => storedAs(id))).toMatchObject([
      { createdAt, updatedAt: createdAt, completedAt: createdAt },
      { createdAt, updatedAt: createdAt, completedAt: null },
    ]);
    const tomorrow = new Date(Date.now() + 3_600_000);
    const rest = await orders.countDocuments({ _id: { $in: made.map(({ id }) => id) }, updatedAt: { $gt: tomorrow } });
    expect(rest).toBe(0);
    expect(await ledger.db.collection('flows').countDocuments({ createdAt: { $gt: tomorrow } })).toBe(0);
    const dated = { $or: [{ lastFlowAt: { $gt: tomorrow } }, { updatedAt: { $gt: tomorrow } }] };
    expect(await ledger.db.collection('wallets').countDocuments(dated)).toBe(0);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('skips what was posted before, and posts the rest', async () => {
    const orders = await ledger.record([...funding, ['alice', 'carol', '1']]);
    await ledger.post(orders.slice(0, 2));
    expect(await ledger.post(orders)).toEqual([undefined, undefined, 'completed']);
    expect(await ledger.post(orders)).toEqual([undefined, undefined, undefined]);
    expect(await balances()).toEqual(['-150', '99', '50', '1']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is folded again, in the order in which its orders came, where a wallet is written between its reads and writes', async () => {
    const [later, earlier, first] = await ledger.record([
      ['alice', 'carol', '100'],
      ['alice', 'bob', '100'],
      funding[0]!,
    ]);
    ledger.meddle(() => ledger.db.collection('wallets').updateOne({ name: 'alice' }, { $inc: { version: 1 } }));
    expect(await ledger.post([first!, earlier!, later!])).toEqual(['completed', 'completed', 'failed']);
    expect(ledger.attempts()).toBe(2);
    expect(await balances()).toEqual(['-100', '0', '100', '0']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is folded again where another transaction holds one of its orders, and skips it if it was posted', async () => {
    const orders = await ledger.record(funding);
    const other = ledger.client.startSession();
    ledger.meddle(async () => {
      other.startTransaction();
      const settled = { $set: { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE' } };
      const order = { bizId: orders[0]?.bizId };
      await ledger.db.collection('orders').updateOne(order, settled, { session: other });
      ledger.meddle(() => other.commitTransaction());
    });
    expect(await ledger.post(orders)).toEqual([undefined, 'completed']);
    expect(await balances()).toEqual(['-50', '0', '50', '0']);
    await other.endSession();
  });

  it.each([
    ['a conflict', { errorCode: 112 }],
    ['a node that steps down', { errorCode: 189 }],
    ['a connection that breaks', { closeConnection: true }],
  ])('is run again after %s', async (_fault, data) => {
    const orders = await ledger.record(funding);
    await ledger.failNext('update', data);
    expect(await ledger.post(orders)).toEqual(['completed', 'completed']);
    expect(ledger.attempts()).toBe(2);
    expect(await ledger.breaches()).toEqual([]);
  });

  it.each([
    ['with the error of a replica set that is slow', { writeConcernError: { code: 64, errmsg: 'timed out' } }],
    ['with that of a primary that steps down', { writeConcernError: { code: 189, errmsg: 'stepped down' } }],
  ])('is posted once where its commit is applied and answered %s', async (_, data) => {
    const orders = await ledger.record(funding);
    await ledger.failNext('commitTransaction', data, 2);
    expect(await ledger.post(orders)).toEqual(['completed', 'completed']);
    expect(ledger.attempts()).toBe(1);
    expect(await ledger.post(orders)).toEqual([undefined, undefined]);
    expect(await balances()).toEqual(['-150', '100', '50', '0']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is posted once where its commit is applied and the answer is lost', async () => {
    const orders = await ledger.record(funding);
    const commit = ledger.session.commitTransaction.bind(ledger.session);
    vi.spyOn(ledger.session, 'commitTransaction').mockImplementationOnce(async () => {
      await commit();
      const lost = new MongoNetworkError('connection closed');
      lost.addErrorLabel('UnknownTransactionCommitResult');
      throw lost;
    });
    expect(await ledger.post(orders)).toEqual(['completed', 'completed']);
    expect(ledger.attempts()).toBe(1);
    expect(ledger.sent.filter((name) => name === 'commitTransaction')).toHaveLength(2);
    expect(await balances()).toEqual(['-150', '100', '50', '0']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('of which a second owner posts the same at the same time is posted once', async () => {
    const orders = await ledger.record([...funding, ['alice', 'carol', '1'], ['carol', 'bob', '81']]);
    const second = ledger.secondOwner();
    const outcomes = await Promise.all([ledger.post(orders), second.post(orders)]);
    await second.close();
    for (const [index, { id }] of orders.entries()) {
      const ends = outcomes.map((each) => each[index]).filter((end) => end !== undefined);
      expect(ends, id).toEqual([index === 3 ? 'failed' : 'completed']);
    }
    expect(await balances()).toEqual(['-150', '99', '50', '1']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('keeps no wallet locked where the driver gives up on a commit that was lost on its way', async () => {
    const orders = await ledger.record(funding);
    // The driver labels the error of a lost commit so that it is tried again, unless it has just lost sight of the server.
    const commit = ledger.session.commitTransaction.bind(ledger.session);
    vi.spyOn(ledger.session, 'commitTransaction').mockImplementationOnce(async () => {
      await expect(commit()).rejects.toThrow(MongoNetworkError);
      throw new MongoNetworkError('connection closed');
    });
    await ledger.failNext('commitTransaction', { closeConnection: true }, 2);
    await expect(ledger.post(orders)).rejects.toThrow('connection closed');
    const writing = ledger.db
      .collection('wallets')
      .updateMany({ balance: { $exists: true } }, { $set: { name: 'seen' } }, { maxTimeMS: 2_000 });
    expect((await writing).matchedCount).toBe(4);
    expect(await ledger.post(orders)).toEqual(['completed', 'completed']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('goes through but for the order whose flow is there already', async () => {
    const orders = await ledger.record([...funding, ['world', 'carol', '7']]);
    const flows = ledger.db.collection<{ _id: string }>('flows');
    const _id = flowId(ledger.ids.bob, 1);
    await flows.insertOne({ _id }, { bypassDocumentValidation: true });
    const [first, poison, last] = await ledger.post(orders);
    expect([first, last]).toEqual(['completed', 'completed']);
    expect(poison).toMatchObject({ code: 11000, message: expect.stringContaining('E11000 duplicate key') as string });
    expect(await balances()).toEqual(['-107', '100', '0', '7']);
    await flows.deleteOne({ _id });
    expect(await ledger.post(orders)).toEqual([undefined, 'completed', undefined]);
    expect(await ledger.breaches()).toEqual([]);
  });

  it.each(['orders', 'wallets', 'flows'])('goes through but for the order that a rule for %s refuses', async (name) => {
    const orders = await ledger.record([...funding, ['world', 'carol', '7']]);
    const { carol } = ledger.ids;
    const rule = { orders: 'targetWalletId', wallets: '_id', flows: 'walletId' }[name] ?? '';
    const isOld = { $or: [{ [rule]: { $ne: carol } }, { status: 'PENDING' }] };
    await ledger.db.command({ collMod: name, validator: isOld });
    const [first, second, poison] = await ledger.post(orders);
    expect([first, second]).toEqual(['completed', 'completed']);
    const refused = { orders: orders[2]?.id, wallets: carol, flows: flowId(carol, 1) }[name] ?? '';
    expect(poison).toMatchObject({ code: 121 });
    expect((poison as Error).message).toBe(`Document failed validation (${name} ${refused})`);
    expect(await balances()).toEqual(['-150', '100', '50', '0']);
  });

  /** Posts a group, and tells in how many transactions. */
  async function postCounted(orders: Awaited<ReturnType<Ledger['record']>>) {
    const before = ledger.transactions();
    const outcomes = await ledger.post(orders);
    return { outcomes, transactions: ledger.transactions() - before };
  }
  const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  const toCarol: Transfer = ['world', 'carol', '7'];

  it('takes one transaction, however many of its orders have not the currency of their wallets', async () => {
    const orders = await ledger.record([
      ...many<Transfer>(255, ['world', 'bob', '1', 'USD']),
      ['world', 'alice', '100'],
    ]);
    const { outcomes, transactions } = await postCounted(orders);
    expect(transactions).toBe(1);
    expect(outcomes.at(-1)).toBe('completed');
    expect(outcomes.slice(0, -1).every((outcome) => outcome instanceof Error)).toBe(true);
    const again = orders.slice(0, -1);
    for (const attempt of [2, 3]) {
      expect(await postCounted(again), String(attempt)).toMatchObject({ transactions: 1 });
    }
    expect(await ledger.post(again)).toEqual(many(255, 'setAside'));
    expect(await balances()).toEqual(['-100', '100', '0', '0']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('takes a transaction for each order that MongoDB refuses to change, and two more', async () => {
    const orders = await ledger.record([...funding, toCarol, ...many(60, funding[0]!), toCarol, toCarol]);
    const isOld = { $or: [{ targetWalletId: { $ne: ledger.ids.carol } }, { status: 'PENDING' }] };
    await ledger.db.command({ collMod: 'orders', validator: isOld });
    const { outcomes, transactions } = await postCounted(orders);
    expect(transactions).toBe(3 + 2);
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toHaveLength(3);
    expect(await balances()).toEqual(['-6150', '6100', '50', '0']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it.each([
    ['wallet that MongoDB refuses to change', { collMod: 'wallets', validator: { name: { $ne: 'carol' } } }],
    ['wallet whose next number is taken', undefined],
  ])('takes one transaction more for all orders of a %s', async (_, rule) => {
    const orders = await ledger.record([...funding, ...many(20, toCarol), ['bob', 'alice', '1']]);
    if (rule !== undefined) await ledger.db.command(rule);
    const taken = { _id: flowId(ledger.ids.carol, 1) };
    const flows = ledger.db.collection<{ _id: string }>('flows');
    if (rule === undefined) await flows.insertOne(taken, { bypassDocumentValidation: true });
    const { outcomes, transactions } = await postCounted(orders);
    expect(transactions).toBe(2);
    expect(outcomes.filter((outcome) => outcome === 'completed')).toHaveLength(3);
    expect(await balances()).toEqual(['-150', '101', '49', '0']);
  });

  it.each<[string, object | undefined, object | undefined]>([
    ['whose wallet cannot be read', undefined, { balance: 'much' }],
    ['whose amount is no number', { amount: 'much' }, undefined],
    ['whose amount is without end', { amount: Decimal128.fromString('Infinity') }, undefined],
    ['whose amount is less than nothing', { amount: Decimal128.fromString('-1') }, undefined],
  ])('goes through but for an order %s', async (_, ofOrder, ofWallet) => {
    const orders = await ledger.record([...funding, toCarol, ['bob', 'alice', '1']]);
    const alter = async (name: string, _id: unknown, $set: object) =>
      ledger.db.collection(name).updateOne({ _id: _id as never }, { $set }, { bypassDocumentValidation: true });
    if (ofOrder !== undefined) await alter('orders', orders[2]!.id, ofOrder);
    if (ofWallet !== undefined) await alter('wallets', ledger.ids.carol, ofWallet);
    const ids = orders.map(({ id }) => id);
    const read = await findWaiting(ledger.collections, ledger.workspaceId, ids);
    const [first, second, poison, last] = await ledger.post(read);
    expect([first, second, last]).toEqual(['completed', 'completed', 'completed']);
    expect(poison).toBeInstanceOf(Error);
  });

  it('blames no order that was posted before for what would refuse it now', async () => {
    const orders = await ledger.record([...funding, ['world', 'carol', '7']]);
    await ledger.post(orders.slice(0, 1));
    await ledger.db.command({ collMod: 'flows', validator: { amount: { $ne: Decimal128.fromString('100') } } });
    expect(await ledger.post(orders)).toEqual([undefined, 'completed', 'completed']);
    expect(await ledger.breaches()).toEqual([]);
  });
});

/** One group: new orders, how many of the last ones come once more, whether somebody is in the way, and who posts it. */
const group = fc.record({
  transfers: fc.array(
    fc
      .tuple(fc.constantFrom(...walletNames), fc.constantFrom(...walletNames), fc.integer({ min: 1, max: 60 }))
      .filter(([source, target]) => source !== target)
      .map(([source, target, amount]): Transfer => [source, target, String(amount)]),
    { minLength: 1, maxLength: 6 },
  ),
  doubled: fc.nat({ max: 3 }),
  meddled: fc.option(fc.constantFrom(...walletNames)),
  by: fc.constantFrom('the owner', 'another', 'both at once'),
});

describe('any history of groups', () => {
  it('leaves sound books, and no order open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 8 }), async (groups) => {
        const ledger = await openLedger();
        // Each remembers the wallets as it left them, whatever the other has done to them since.
        const another = ledger.secondOwner();
        try {
          let last: Awaited<ReturnType<Ledger['record']>> = [];
          for (const { transfers, doubled, meddled, by } of groups) {
            const orders = await ledger.record(transfers);
            if (meddled !== null) {
              const wallet = { workspaceId: orders[0]?.workspaceId, _id: ledger.ids[meddled] as never };
              ledger.meddle(() => ledger.db.collection('wallets').updateOne(wallet, { $inc: { version: 1 } }));
            }
            const posted = [...last.slice(-doubled), ...orders];
            await Promise.all([by !== 'another' && ledger.post(posted), by !== 'the owner' && another.post(posted)]);
            last = orders;
          }
          expect(await ledger.breaches()).toEqual([]);
          expect((await ledger.books()).orders.flat()).not.toContain('PENDING');
        } finally {
          await another.close();
          await ledger.close();
        }
      }),
      { numRuns: 12 },
    );
  });
});
