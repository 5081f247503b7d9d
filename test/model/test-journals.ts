import { Decimal128 } from 'mongodb';
import { expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import { togetherOf } from '../../src/accepting/batch.ts';
import { systemClock } from '../../src/clock.ts';
import { usualCurrencies } from '../../src/domain/currency.ts';
import { flowId, newId } from '../../src/domain/ids.ts';
import { scopes as allScopes } from '../../src/domain/scopes.ts';
import { createCommandBodies } from '../../src/http/transfers/command-body.ts';
import { newOrder, type Order as StoredOrder, type OrderValues } from '../../src/orders/order.ts';
import { typeOf } from '../../src/orders/types.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { Breach } from '../../src/verify/breach.ts';
import { verify } from '../../src/verify/verify.ts';
import { testDatabase } from '../support/database.ts';
import { createTestPostGroup, findWaiting } from '../support/test-poster.ts';
import { decimals, Drawer, legsMax } from './draw-legs.ts';
import { LegModel, type Asked, type Leg, type Order } from './legs.ts';

/* Random journals, and what refers to them, recorded and posted as the service does, a group after the other. */

const usualWallets = 4;
/** One wallet of each currency has nearly as much as a wallet can have, in its last decimals. */
const riches = 10n ** 34n - 10n ** 24n;
/** Only later orders are referred to: of the earlier ones nothing is left. */
const usableMax = 60;
const scopes = new Set(allScopes);
const reads = createCommandBodies(usualCurrencies);
const rowsPerPage = 5_000;

/** A document as the driver gives it, of which nothing is believed. */
type Row = Readonly<Record<string, unknown>> & { readonly _id: string };

/** @param count how many journals are asked for. */
export function testJournals(count: number, seed: number): void {
  const { client, db } = testDatabase();
  const collections = openCollections(db);
  const raw = (name: string) => db.collection<Row>(name);

  it(
    `${count} random journals leave what an independent model says, seed ${seed}`,
    { timeout: 7_200_000 },
    async () => {
      await ensureSchema(db);
      const { id: workspaceId } = await collections.workspaces.create('test');
      const sessions = openPostingSessions(client, 1);
      const known = { current: usualCurrencies, readAgain: () => Promise.resolve() };
      const postGroup = createTestPostGroup(collections, createPostedWrites(db, 'test'), { currencies: known });
      const model = new LegModel();
      const wallets = await makeWallets(collections, workspaceId, model);
      const random = createRandom(seed);
      const drawer = new Drawer(random, model, wallets);
      const usable: string[] = [];

      async function post(units: readonly (readonly string[])[]): Promise<void> {
        const firsts = units.map(([first = '']) => first);
        const orders = await findWaiting(collections, workspaceId, firsts);
        await sessions.all[0]!.run((session) => postGroup(orders, { session, slot: 0 }));
        model.post(units);
        await expectAsModelled(units.flat());
        const ended = units.flat().filter((id) => model.order(id).status === 'COMPLETED');
        usable.push(...ended.filter((id) => !['RELEASE', 'REVERSAL'].includes(model.order(id).type)));
        usable.splice(0, usable.length - usableMax);
      }

      async function expectAsModelled(ids: readonly string[]): Promise<void> {
        const changed = [...new Set(ids.flatMap((id) => [id, model.order(id).of ?? id]))];
        const flowIds = model.flows.map(({ wallet, sequence }) => flowId(wallet, sequence));
        const [orders, flows, standing] = await Promise.all([
          raw('orders')
            .find({ workspaceId, _id: { $in: changed } })
            .toArray(),
          raw('flows')
            .find({ workspaceId, _id: { $in: flowIds } })
            .toArray(),
          raw('wallets')
            .find({ workspaceId, kind: { $ne: 'TOTALS' } })
            .toArray(),
        ]);
        const byId = new Map([...orders, ...flows, ...standing].map((row) => [row._id, row]));
        for (const id of changed) expect(shownOrder(byId.get(id)!)).toEqual(expectedOrder(model.order(id)));
        for (const [index, flow] of model.flows.entries()) {
          const { currency, before, after, order, leg, counterparty, direction, amount } = flow;
          expect(shownFlow(byId.get(flowIds[index]!)!)).toEqual(
            [direction, amount, currency, before, after, order, leg, counterparty].map(String),
          );
        }
        for (const [id, { currency, balance, held, sequence }] of model.wallets) {
          const row = byId.get(id)!;
          expect([unitsIn(row['balance'], currency), unitsIn(row['held'] ?? '0', currency), row['sequence']]).toEqual([
            balance,
            held,
            sequence,
          ]);
        }
      }

      /** What a line asks for, as it is recorded; undefined if it is refused, as the model says too. */
      async function valuesOf(
        asked: Asked,
      ): Promise<{ readonly values: OrderValues; readonly order: Order } | undefined> {
        const accepted = model.accept(asked);
        const { input, refusal } = reads.readTyped(bodyOf(asked, model), { workspaceId, scopes });
        expect(refusal).toBeUndefined();
        const type = typeOf(input);
        const parent = 'of' in asked ? await collections.orders.find(workspaceId, asked.of) : undefined;
        if (parent !== undefined) {
          expect([type.parent!.refusesType(typeOf(parent)), type.parent!.refusesForm?.(parent, input)]).toEqual([
            undefined,
            undefined,
          ]);
          const refused = type.parent!.refusesUse(parent, input, new Date());
          expect(refused?.reason).toBe(typeof accepted === 'string' ? accepted : undefined);
        }
        if (typeof accepted === 'string') return undefined;
        return { values: type.values(input, { workspaceId, parent, now: new Date() }), order: accepted };
      }

      await post(await recordRiches());
      async function recordRiches(): Promise<string[][]> {
        const made = Object.entries(wallets).map(([currency, [source = '', target = '']]) => {
          const leg = { source, target, amount: riches, currency };
          const sides = { sourceWalletId: source, targetWalletId: target, amount: textOf(riches, currency), currency };
          const order = newOrder({ type: 'DEPOSIT', workspaceId, ...sides });
          model.orders.set(order.id, model.accept({ type: 'DEPOSIT', leg }) as Order);
          return order;
        });
        await collections.orders.insertBatch(made);
        return made.map(({ id }) => [id]);
      }

      let journals = 0;
      let flows = model.flows.length;
      while (journals < count) {
        const units: string[][] = [];
        const alone: StoredOrder[] = [];
        let legs = 0;
        while (legs < legsMax && journals < count) {
          const lines = await drawUnit(random() < 0.12 ? 2 + Math.floor(random() * 4) : 1);
          if (lines.length === 0) continue;
          const asked = lines.map(({ values }) => values);
          const made = lines.length === 1 ? [newOrder(asked[0]!)] : togetherOf(asked, newId('batch'), systemClock());
          for (const [line, { id }] of made.entries()) model.orders.set(id, lines[line]!.order);
          if (made.length > 1) await collections.orders.insertTogether(made);
          else alone.push(...made);
          units.push(made.map(({ id }) => id));
          legs += lines.reduce((sum, { order }) => sum + order.legs.length, 0);
          journals += lines.filter(({ order }) => order.type === 'JOURNAL').length;
        }
        if (alone.length > 0) await collections.orders.insertBatch(alone);
        await post(units);
        flows += model.flows.length;
        // Nobody refers to them any more.
        forget(model, usable);
      }
      async function drawUnit(size: number) {
        const lines: NonNullable<Awaited<ReturnType<typeof valuesOf>>>[] = [];
        for (let line = 0, legs = 0; line < size && legs < legsMax; line += 1) {
          const drawn = await valuesOf(drawer.draw(usable));
          legs += drawn?.order.legs.length ?? 0;
          if (drawn !== undefined && (legs <= legsMax || lines.length === 0)) lines.push(drawn);
        }
        return lines;
      }

      expect(await raw('flows').countDocuments({ workspaceId })).toBe(flows);
      const breaches: Breach[] = [];
      const { orders } = await verify(openBooks(client, db, rowsPerPage), (breach) => breaches.push(breach));
      expect(breaches).toEqual([]);
      console.log(`${journals} journals among ${orders} orders, ${flows} flows, seed ${seed}`);
    },
  );
}

type Collections = ReturnType<typeof openCollections>;

async function makeWallets({ wallets }: Collections, workspaceId: string, model: LegModel) {
  const all: Record<string, string[]> = {};
  for (const currency of Object.keys(decimals)) {
    const add = (id: string, kind: 'OUTSIDE' | 'USUAL' | 'FROZEN') => {
      model.wallets.set(id, { currency, balance: 0n, held: 0n, sequence: 0, kind });
      (all[currency] ??= []).push(id);
    };
    add((await wallets.ensureExternal(workspaceId, currency)).id, 'OUTSIDE');
    for (let place = 0; place <= usualWallets; place += 1)
      add(
        (await wallets.create({ workspaceId, name: currency, currency })).id,
        place < usualWallets ? 'USUAL' : 'FROZEN',
      );
    const frozen = all[currency]!.at(-1)!;
    await wallets.change({ workspaceId, id: frozen, change: { status: 'FROZEN' } });
  }
  return all;
}

function forget({ orders }: LegModel, usable: readonly string[]): void {
  const kept = new Set(usable);
  for (const id of orders.keys()) if (!kept.has(id)) orders.delete(id);
}

/** What a client sends. */
function bodyOf(asked: Asked, model: LegModel): object {
  const { type } = asked;
  const side = (field: string, id: string) => (model.wallet(id).kind === 'OUTSIDE' ? {} : { [field]: id });
  const leg = ({ source, target, amount, currency }: Leg) => ({
    ...side('sourceWalletId', source),
    ...side('targetWalletId', target),
    ...{ amount: textOf(amount, currency), currency },
  });
  if (type === 'JOURNAL') return { type, legs: asked.legs.map(leg) };
  if ('leg' in asked) return { type, ...leg(asked.leg) };
  const parent = model.order(asked.of);
  const amountIn = (amount: bigint | undefined, place = 0) =>
    amount === undefined ? {} : { amount: textOf(amount, parent.legs[place]!.currency) };
  const common = { type, transferId: asked.of, ...(type === 'CAPTURE' && !asked.isFinal ? { final: false } : {}) };
  if (!('legs' in asked)) return { ...common, ...amountIn('amount' in asked ? asked.amount : undefined) };
  if (asked.type === 'REVERSAL')
    return { ...common, legs: asked.legs.map((each) => ({ leg: each.leg, ...amountIn(each.amount, each.leg) })) };
  const legs = asked.legs.map(({ target, amount }) => ({
    ...(target === undefined ? {} : { targetWalletId: target }),
    ...amountIn(amount),
  }));
  return { ...common, legs };
}

function textOf(units: bigint, currency: string): string {
  const places = decimals[currency]!;
  const text = String(units).padStart(places + 1, '0');
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** @throws where it is no decimal of the currency. */
function unitsIn(value: unknown, currency: string): bigint {
  const text = value instanceof Decimal128 ? value.toString() : String(value);
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(text)!;
  const shift = decimals[currency]! + Number(exponent) - fraction.length;
  const all = BigInt(whole + fraction);
  if (shift < 0 && all % 10n ** BigInt(-shift) !== 0n) throw new Error(`${text} has more decimals than ${currency}`);
  const units = shift < 0 ? all / 10n ** BigInt(-shift) : all * 10n ** BigInt(shift);
  return sign === '-' ? -units : units;
}

/** An order of the model as it is stored. */
function expectedOrder({
  type,
  status,
  failure,
  failureLeg,
  hasLegs,
  legs,
  reversed,
  captured,
  released,
}: Order): object {
  const progress =
    type === 'HOLD' ? [captured, released] : reversed.some((each) => each > 0n) ? reversed : reversed.map(() => 0n);
  return {
    ...{ type, status, failure, failureLeg, hasLegs, progress },
    legs: legs.map((leg) => [leg.source, leg.target, leg.amount, leg.currency, leg.parentLeg]),
  };
}

function shownOrder({ type, status, failure, failureLeg, progress = {}, ...row }: Row): object {
  const rows = (row['legs'] as Row[] | undefined) ?? [row];
  const legs = rows.map((leg) => {
    const currency = String(leg['currency']);
    return [leg['sourceWalletId'], leg['targetWalletId'], unitsIn(leg['amount'], currency), currency, leg['parentLeg']];
  });
  const used = (value: unknown, place = 0): bigint => unitsIn(value ?? '0', String(legs[place]![3]));
  const parts = progress as Row;
  const reversedLegs = (parts['reversedLegs'] as unknown[] | undefined) ?? legs.map(() => parts['reversed']);
  return {
    ...{ type, status, failure, failureLeg, hasLegs: row['legs'] !== undefined },
    progress: type === 'HOLD' ? [used(parts['captured']), used(parts['released'])] : reversedLegs.map(used),
    legs,
  };
}

function shownFlow({ currency, ...row }: Row): string[] {
  const units = (field: string): bigint => unitsIn(row[field], String(currency));
  return [
    ...[row['direction'], units('amount'), currency, units('balanceBefore'), units('balanceAfter')],
    ...[row['transferId'], row['leg'] ?? 0, row['counterpartyWalletId']],
  ].map(String);
}
