import fc from 'fast-check';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { flowId, newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { Wallet } from '../../src/domain/wallet.ts';
import { legsOf, type Order } from '../../src/orders/order.ts';
import { walletIdsOf } from '../../src/orders/types.ts';
import { createPresenter } from '../../src/orders/present.ts';
import { openFlowLists } from '../../src/reading/flows.ts';
import { openStatements, type Statements } from '../../src/reading/statements.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { isTransientFault, stepMaxMs, transactionMaxMs } from '../../src/storage/shared/transaction.ts';
import { openLedger, type Ledger } from '../posting/posting-ways.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { insertFlows } from '../storage/many-flows.ts';

const present = createPresenter(createCurrencies(new Map()));
/** Longer than any transaction is open in these tests: a worker that takes as long ends itself. */
const heldMaxMs = stepMaxMs;
const dayMs = 24 * 3_600_000;

/** Ahead of this machine's clock, which dates the orders. */
let nowMs: number;
const clock = () => new Date(nowMs);
let ledger: Ledger;
let statements: Statements;
let world: string;
beforeAll(async () => {
  nowMs = Date.now() + dayMs;
  ledger = await openLedger({ clock });
  statements = openStatements(ledger.service.db(ledger.db.databaseName));
  world = ledger.ids.world;
});
afterAll(async () => {
  await ledger.close();
  expect(ledger.complaints).toEqual([]);
});

async function readWallet(id: string): Promise<Wallet> {
  return (await ledger.collections.wallets.findByIds([id], [ledger.workspaceId])).get(id)!;
}

async function record(moves: readonly (readonly [source: string, target: string, amount: number])[]) {
  const { workspaceId } = ledger;
  const orders = moves.map(([sourceWalletId, targetWalletId, amount]) =>
    pendingOrder({ workspaceId, sourceWalletId, targetWalletId, amount: String(amount), currency: 'EUR' }),
  );
  await ledger.collections.orders.insertBatch(orders);
  return orders;
}

const failureOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );

/** What was answered of a wallet, to be held against its flows at the end. */
interface Answered {
  readonly askedAt: Date;
  readonly wallet: Wallet;
  readonly settledUntil: Date;
  /** Balance and sequence by a time up to then. */
  readonly standings: readonly (readonly [at: number, balance: string, sequence: number])[];
}

/** Asks for the balance at some times, each a number of milliseconds before now. */
async function ask(id: string, agesMs: readonly number[]): Promise<Answered> {
  const askedAt = clock();
  const wallet = await readWallet(id);
  const settledUntil = await statements.settledUntil(wallet, askedAt);
  expect(settledUntil.getTime()).toBeLessThanOrEqual(nowMs);
  expect(settledUntil.getTime()).toBeGreaterThanOrEqual(nowMs - transactionMaxMs);
  const times = [settledUntil.getTime(), ...agesMs.map((age) => settledUntil.getTime() - age)];
  const found = await statements.standingsBefore(
    wallet,
    times.map((at) => new Date(at + 1)),
  );
  const standings = found.map(({ balance, sequence }, index) => [times[index]!, balance.toFixed(), sequence] as const);
  return { wallet, askedAt, settledUntil, standings };
}

/** A transaction that is held open. */
class SlowPosting {
  readonly wallets: ReadonlySet<string>;
  readonly locks: boolean;
  readonly openUntilMs = nowMs + heldMaxMs;
  readonly #reached = Promise.withResolvers<undefined>();
  readonly #released = Promise.withResolvers<undefined>();
  readonly #done: Promise<unknown>;

  /** @param place where it is held: before the commit it has written, so that no other may write its wallets. */
  constructor(place: 'beforeWrites' | 'beforeCommit', orders: readonly Order[]) {
    this.wallets = new Set(orders.flatMap((order) => walletIdsOf({ legs: legsOf(order) })));
    this.locks = place === 'beforeCommit';
    const hold = () => {
      this.#reached.resolve(undefined);
      return this.#released.promise;
    };
    const owner = ledger.secondOwner(1, { [place]: hold });
    const post = async () => {
      await owner.post(orders);
      await owner.close();
    };
    this.#done = post();
  }

  async reached(): Promise<void> {
    // One whose orders are refused at once has nothing to write.
    await Promise.race([this.#reached.promise, this.#done]);
  }

  async finish(): Promise<void> {
    this.#released.resolve(undefined);
    await this.#done;
  }
}

interface StoredFlow {
  sequence: number;
  direction: string;
  amount: { toString(): string };
  createdAt: Date;
}

/** The flows of a wallet as they are stored in the end. */
function storedFlows(walletId: string): Promise<StoredFlow[]> {
  return ledger.db.collection('flows').find({ walletId }).sort({ _id: 1 }).toArray() as unknown as Promise<
    StoredFlow[]
  >;
}

function sumOf(flows: readonly StoredFlow[], direction: string): Money {
  return flows
    .filter((flow) => flow.direction === direction)
    .reduce((sum, { amount }) => sum.plus(amount.toString()), new Money(0));
}

const walletCount = 4;
const move = fc
  .record({
    source: fc.nat(walletCount - 1),
    by: fc.integer({ min: 1, max: walletCount - 1 }),
    amount: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ source, by, amount }) => [source, (source + by) % walletCount, amount] as const);
const step = fc.oneof(
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 1, 7, 900, 20_000, heldMaxMs, 100_000) }),
  fc.record({ do: fc.constant('post' as const), moves: fc.array(move, { minLength: 1, maxLength: 5 }) }),
  fc.record({
    do: fc.constant('post slowly' as const),
    place: fc.constantFrom('beforeWrites' as const, 'beforeCommit' as const),
    moves: fc.array(move, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ do: fc.constant('finish' as const) }),
  fc.record({
    do: fc.constant('ask' as const),
    agesMs: fc.array(fc.constantFrom(0, 1, 2, 500, 20_000, 90_000), { maxLength: 3 }),
  }),
);

describe('whatever is posted, and however slowly it is committed,', () => {
  it('what was final stays, is the sum of the flows, and adjoining statements join', async () => {
    let late = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (steps) => {
        const made = ['a', 'b', 'c'].map((name) =>
          ledger.collections.wallets.create({ workspaceId: ledger.workspaceId, name, currency: 'EUR' }),
        );
        const ids = [world, ...(await Promise.all(made)).map(({ id }) => id)];
        const named = (moves: readonly (readonly [number, number, number])[]) =>
          moves.map(([source, target, amount]) => [ids[source]!, ids[target]!, amount] as const);
        const answers: Answered[] = [];
        let slow: SlowPosting | undefined;
        const finish = async () => {
          const before = slow;
          slow = undefined;
          await before?.finish();
        };
        for (const each of [...steps, { do: 'finish' } as const]) {
          if (each.do === 'wait') {
            if (slow !== undefined && nowMs + each.ms > slow.openUntilMs) {
              nowMs = slow.openUntilMs;
              for (const id of ids) answers.push(await ask(id, []));
              await finish();
            }
            nowMs += each.ms;
          } else if (each.do === 'post') {
            const locked = slow?.locks === true ? slow.wallets : new Set<string>();
            const free = named(each.moves).filter(([source, target]) => !locked.has(source) && !locked.has(target));
            if (free.length > 0) await ledger.post(await record(free));
          } else if (each.do === 'post slowly') {
            await finish();
            slow = new SlowPosting(each.place, await record(named(each.moves)));
            await slow.reached();
          } else if (each.do === 'finish') {
            await finish();
          } else {
            for (const id of ids) answers.push(await ask(id, each.agesMs));
          }
        }
        for (const { wallet, askedAt, settledUntil, standings } of answers) {
          const flows = await storedFlows(wallet.id);
          const laterShown = flows.filter(({ sequence }) => sequence > wallet.sequence);
          late += laterShown.filter(({ createdAt }) => createdAt <= askedAt).length;
          expect(laterShown.filter(({ createdAt }) => createdAt <= settledUntil)).toEqual([]);
          for (const [at, balance, sequence] of standings) {
            const until = flows.filter(({ createdAt }) => createdAt.getTime() <= at);
            expect([sequence, balance]).toEqual([
              until.length,
              sumOf(until, 'CREDIT').minus(sumOf(until, 'DEBIT')).toFixed(),
            ]);
          }
        }
        // Which of them does not matter: they are drawn alike.
        await expectJoined(ids[1]!);
      }),
      { numRuns: 60 },
    );
    // It was put to the test: what was not there when the answer was given came later, dated before it.
    expect(late).toBeGreaterThan(0);
    expect(await ledger.breaches()).toEqual([]);
  });

  /** Statements of adjoining ranges: each millisecond of a flow is a border, and so is the one after. */
  async function expectJoined(id: string): Promise<void> {
    const [wallet, flows] = [await readWallet(id), await storedFlows(id)];
    const borders = [
      0,
      ...new Set(flows.flatMap(({ createdAt }) => [createdAt.getTime(), createdAt.getTime() + 1])),
      nowMs + dayMs,
    ];
    const ranges = borders.slice(1).map((to, index) => ({ from: new Date(borders[index]!), to: new Date(to) }));
    const told = [];
    for (const { from, to } of ranges) {
      const [opening, closing] = await statements.standingsBefore(wallet, [from, to] as const);
      const entries = await statements.entries(wallet, { first: opening.sequence + 1, last: closing.sequence });
      const inRange = flows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
      const figures = present.statement({ wallet, from, to, opening, closing, settledUntil: to });
      expect(entries.map(({ sequence }) => sequence)).toEqual(inRange.map(({ sequence }) => sequence));
      expect(figures).toMatchObject({
        ...{
          count: inRange.length,
          debits: sumOf(inRange, 'DEBIT').toFixed(2),
          credits: sumOf(inRange, 'CREDIT').toFixed(2),
        },
      });
      told.push(figures);
    }
    for (const [index, { openingBalance }] of told.entries()) {
      expect(openingBalance).toBe(told[index - 1]?.closingBalance ?? '0.00');
    }
    expect(told.at(-1)?.closingBalance).toBe(wallet.balance.toFixed(2));
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(wallet.sequence);
  }
});

describe('what a majority has not yet', () => {
  it('is not final, however long ago it was dated', async () => {
    const { id } = await ledger.collections.wallets.create({
      workspaceId: ledger.workspaceId,
      name: 'lag',
      currency: 'EUR',
    });
    // As a majority still has it while its secondaries lag; the primary goes on.
    const behind = await readWallet(id);
    nowMs += 600_000;
    const postedAt = nowMs;
    await ledger.post(await record([[world, id, 5]]));
    nowMs += 3_600_000;
    expect((await statements.settledUntil(behind, clock())).getTime()).toBe(postedAt - 1);
    expect((await statements.settledUntil(await readWallet(id), clock())).getTime()).toBe(nowMs - transactionMaxMs);
  });

  it('is not later than now, though a flow is dated ahead', async () => {
    const { id } = await ledger.collections.wallets.create({
      workspaceId: ledger.workspaceId,
      name: 'ahead',
      currency: 'EUR',
    });
    await ledger.post(await record([[world, id, 5]]));
    const wallet = await readWallet(id);
    const now = new Date(wallet.lastFlowAt.getTime() - 900);
    expect(await statements.settledUntil(wallet, now)).toEqual(now);
  });
});

describe('the search for a time', () => {
  const { db } = testDatabase();
  const workspaceId = newId('workspace');
  const flows = db.collection<Document & { _id: string }>('flows');
  beforeEach(() => flows.deleteMany({}));

  it('finds the last flow before any times, in any wallet; and so do the lists', async () => {
    const [ofStatements, lists] = [openStatements(db), openFlowLists(db)];
    const gaps = fc.array(fc.constantFrom(0, 0, 0, 1, 5), { minLength: 0, maxLength: 3_000 });
    await fc.assert(
      fc.asyncProperty(
        gaps,
        fc.array(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { minLength: 1, maxLength: 6 }),
        async (steps, places) => {
          const id = newId('wallet');
          let at = 1_000;
          const times = steps.map((gap) => (at += gap));
          const documents = times.map((time, index) => ({
            ...{
              _id: flowId(id, index + 1),
              workspaceId,
              walletId: id,
              sequence: index + 1,
              createdAt: new Date(time),
            },
            ...{ balanceAfter: toDecimal128(new Money(index + 1)), debits: String(2 * index) },
          }));
          if (documents.length > 0) await flows.insertMany(documents, { ordered: false });
          const sequence = times.length;
          const lastFlowAt = new Date(times.at(-1) ?? 1_000);
          const wallet = {
            workspaceId,
            id,
            sequence,
            balance: new Money(sequence),
            debits: new Money(Math.max(0, 2 * (sequence - 1))),
            lastFlowAt,
            createdAt: new Date(1_000),
          } as Wallet;
          const asked = places.map((place) => new Date(1_000 + Math.round(place * (at - 1_000)) + (place > 1 ? 1 : 0)));
          const found = await ofStatements.standingsBefore(wallet, asked);
          for (const [index, time] of asked.entries()) {
            // A wallet of that very time has no flow before it.
            const expected = times.filter((each) => each < time.getTime()).length;
            const standing = found[index]!;
            expect([standing.sequence, Number(standing.balance)]).toEqual([expected, expected]);
            expect(Number(standing.debits)).toBe(Math.max(0, 2 * (expected - 1)));
            expect(await lists.count({ wallet, to: time })).toBe(expected);
            expect(await lists.count({ wallet: { workspaceId, id, sequence }, from: time })).toBe(sequence - expected);
          }
          await flows.deleteMany({ walletId: id });
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is to be repeated where flows are not to be seen', async () => {
    const wallet = {
      workspaceId,
      id: newId('wallet'),
      sequence: 3,
      lastFlowAt: new Date(9),
      createdAt: new Date(1),
    } as Wallet;
    const error = await failureOf(openStatements(db).standingsBefore(wallet, [new Date(5)]));
    expect([isTransientFault(error), String(error)]).toEqual([
      true,
      expect.stringContaining(`wallet ${wallet.id} lacks flows from 1 to 3`),
    ]);
  });
});

describe('a page of which another shard has not all yet', () => {
  const { uri, db } = testDatabase();
  const workspaceId = newId('workspace');

  it.each([
    ['flow 3', 'flows', '_id', (id: string) => flowId(id, 3), 'flows from 3 to 7'],
    ['flow 5', 'flows', '_id', (id: string) => flowId(id, 5), 'flows from 3 to 7'],
    ['flow 7', 'flows', '_id', (id: string) => flowId(id, 7), 'flows from 3 to 7'],
    ['the order of flow 4', 'orders', 'bizId', (id: string) => `many-${id}-4`, 'its order'],
  ])('is to be repeated, and never shown, without %s', async (_, name, field, valueOf, what) => {
    const { walletId: id } = await insertFlows(uri, workspaceId, 10);
    const read = () => openStatements(db).entries({ workspaceId, id }, { first: 3, last: 7 });
    expect(await read()).toHaveLength(5);
    expect((await db.collection(name).deleteOne({ [field]: valueOf(id) })).deletedCount).toBe(1);
    const error = await failureOf(read());
    expect([isTransientFault(error), String(error)]).toEqual([
      true,
      expect.stringMatching(new RegExp(`wallet ${id} lacks ${what}`)),
    ]);
  });
});
