import { expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import type { Clock } from '../../src/clock.ts';
import { usualCurrencies } from '../../src/domain/currency.ts';
import { usesOf, type Limit as OwnLimit, type LimitWindow } from '../../src/domain/limits.ts';
import { Money } from '../../src/domain/money.ts';
import type { NewAlert } from '../../src/domain/wallet-change.ts';
import { dateOn } from '../../src/domain/wallet.ts';
import { newOrder, type CreateOrderInput, type Order } from '../../src/orders/order.ts';
import { typeOf } from '../../src/orders/types.ts';
import { overLimits } from '../../src/orders/withdrawal.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { OutboxEntry } from '../../src/storage/webhooks/outbox.ts';
import { verify } from '../../src/verify/verify.ts';
import { testDatabase } from '../support/database.ts';
import { createTestPostGroup, findWaiting } from '../support/test-poster.ts';
import { LimitModel, type Alert, type Asked, type Budget, type Limit, type Told, type Window } from './limit-model.ts';

/* Random orders of twelve wallets with random limits, posted by a clock that the test moves, and held against a model. */

const currency = 'USD';
const groupMax = 40;
const walletsCount = 12;
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'];
const rolling: readonly (readonly [string, number])[] = [
  ['PT1M', minuteMs],
  ['PT24H', dayMs],
  ['P7D', 7 * dayMs],
  ['P31D', 31 * dayMs],
  ['PT1H30M', 1.5 * hourMs],
];
const budgetedKeys = ['ak_1', 'ak_2', 'ak_3'];

const text = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const cents = (money: Money): bigint => BigInt(money.times(100).toFixed());

/** @param count how many orders. */
export function testLimits(count: number, seed: number): void {
  const { client, db } = testDatabase();
  // Far ahead, so that MongoDB removes no event for its age.
  let now = new Date('2089-03-01T00:00:00Z');
  const clock: Clock = () => new Date(now);
  const clockOf = () => clock;
  const collections = openCollections(db, clock);

  it(`${count} orders end as a model says that sums flows, seed ${seed}`, { timeout: 7_200_000 }, async () => {
    await ensureSchema(db);
    const { id: workspaceId } = await collections.workspaces.create('test');
    const sessions = openPostingSessions(client, 1);
    const subscribers = new Map([
      [workspaceId, [{ endpointId: 'wh_1', events: ['wallet.alert'] as const, isEnabled: true }]],
    ]);
    const postGroup = createTestPostGroup(collections, createPostedWrites(db, 'test'), {
      ...{ clock, dateIn: () => Promise.resolve(clock()), subscribersOf: () => Promise.resolve(subscribers) },
      currencies: { current: usualCurrencies, readAgain: () => Promise.resolve() },
    });
    // As the API changes them: by the same clock.
    const { openWalletChanges } = await import('../../src/storage/wallets/change.ts');
    const change = openWalletChanges(db, clockOf);
    await db.collection('webhookEndpoints').insertOne({
      ...{
        _id: 'wh_1' as never,
        workspaceId,
        slot: 0,
        url: 'http://127.0.0.1:9/',
        events: ['wallet.alert'],
        status: 'ENABLED',
      },
      ...{ secrets: [], createdAt: now, updatedAt: now, nextCheckAt: new Date(8e15), lookedAt: now },
    });
    const random = createRandom(seed);
    const below = (end: number): number => Math.floor(random() * end);
    const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
    const model = new LimitModel();
    await collections.wallets.ensureExternal(workspaceId, currency);
    const wallets: string[] = [];
    for (let place = 0; place < walletsCount; place += 1) {
      const { id } = await collections.wallets.create({ workspaceId, name: '', currency });
      wallets.push(id);
      model.add(id);
    }
    const orders = new Map<string, Order>();
    const holds: string[] = [];
    const moved: string[] = [];
    const tally = { posted: 0, refused: 0, overBudget: 0 };

    const drawWindow = (): readonly [Window, LimitWindow] => {
      const draw = random();
      if (draw < 0.15) return ['order', 'order'];
      if (draw < 0.6) {
        const [duration, rollingMs] = pick(rolling);
        return [{ rollingMs }, { rolling: duration }];
      }
      const window = { calendar: pick(['day', 'week', 'month'] as const), timeZone: pick(zones) };
      return [window, window];
    };

    async function changeLimits(): Promise<void> {
      const id = pick(wallets);
      const drawn = Array.from({ length: below(4) }, (_, place): readonly [Limit, OwnLimit] => {
        const [window, own] = drawWindow();
        const amount = BigInt(below(own === 'order' ? 30_000 : 3_000_000));
        const hasCount = own !== 'order' && random() < 0.5;
        const countMax = below(300);
        const ofCount = hasCount ? { count: countMax } : {};
        const hasAmount = !hasCount || random() < 0.5;
        return [
          { name: `limit-${place}`, ...(hasAmount ? { amount } : {}), ...ofCount, window },
          {
            name: `limit-${place}`,
            ...(hasAmount ? { amount: new Money(text(amount)) } : {}),
            ...ofCount,
            window: own,
          },
        ];
      });
      await change({ workspaceId, id, change: { limits: drawn.map(([, own]) => own) } });
      model.setLimits(
        id,
        drawn.map(([limit]) => limit),
        now.getTime(),
      );
    }

    async function changeAlerts(): Promise<void> {
      const id = pick(wallets);
      const windowed = model.wallet(id).limits.filter(({ window }) => window !== 'order');
      const drawn = Array.from({ length: below(4) }, (_, place): readonly [Alert, NewAlert] => {
        const name = `alert-${place}`;
        // Near what there is, so that it is crossed again and again.
        const amount = model.wallet(id).balance - model.held(id) + BigInt(below(40_000) - 20_000);
        if (amount < 0n)
          return [
            { name, above: 0n },
            { name, availableAbove: new Money(0) },
          ];
        const kind = random();
        if (kind < 0.3)
          return [
            { name, below: amount },
            { name, availableBelow: new Money(text(amount)) },
          ];
        if (kind < 0.5 || windowed.length === 0)
          return [
            { name, above: amount },
            { name, availableAbove: new Money(text(amount)) },
          ];
        const { name: limit } = pick(windowed);
        const of = BigInt(1 + below(10_000));
        const share = new Money(String(of)).div(10_000).toFixed();
        return [
          { name, share: { limit, of } },
          { name, limitUsed: { limit, share } },
        ];
      });
      const { outcome, entry } = (await change({ workspaceId, id, change: { alerts: drawn.map(([, own]) => own) } }))!;
      const toldBefore = model.told.length;
      expect(['changed', 'unchanged']).toContain(outcome);
      model.setAlerts(
        id,
        drawn.map(([alert]) => alert),
        now.getTime(),
      );
      expect(entry?.alerts?.length ?? 0).toBe(model.told.length - toldBefore);
    }

    async function changeBudget(): Promise<void> {
      const apiKey = pick(budgetedKeys);
      const name = pick(['a', 'b']);
      const draw = random();
      const window =
        draw < 0.3 ? ('total' as const) : { calendar: pick(['day', 'week'] as const), timeZone: pick(zones) };
      const amount = BigInt(below(2_000_000));
      const ofCount = random() < 0.4 ? { count: below(100) } : {};
      await collections.keyBudgets.set(
        { apiKey, workspaceId },
        { name, currency, amount: new Money(text(amount)), ...ofCount, window },
        clock(),
      );
      const before = model.keys.get(apiKey) ?? [];
      const same = before.find(
        ({ budget }) => budget.name === name && JSON.stringify(budget.window) === JSON.stringify(window),
      );
      const budget: Budget = { name, amount, ...ofCount, window };
      model.keys.set(apiKey, [
        ...before.filter((each) => each.budget.name !== name),
        { budget, takes: same?.takes ?? [] },
      ]);
    }

    /** An order, as it is recorded and as the model has it. */
    function drawOrder(): readonly [Order, Asked] {
      const [source, other] = [pick(wallets), pick(wallets)];
      const target = source === other ? wallets[(wallets.indexOf(source) + 1) % walletsCount]! : other;
      const amount = BigInt(1 + below(20_000));
      const key = pick([...budgetedKeys, 'ak_free', undefined]);
      const draw = random();
      const make = (
        input: CreateOrderInput,
        asked: Omit<Asked, 'id' | 'key'>,
        of?: string,
      ): readonly [Order, Asked] => {
        const parent = of === undefined ? undefined : orders.get(of);
        const type = typeOf(input);
        const values = type.values(input, { workspaceId, now, parent: parent && { ...parent, status: 'COMPLETED' } });
        const order = newOrder({ ...values, ...(key === undefined ? {} : { apiKey: key }) }, now);
        orders.set(order.id, order);
        return [order, { ...asked, id: order.id, key, of }];
      };
      const money = { amount: text(amount), currency };
      const sides = { sourceWalletId: source, targetWalletId: target };
      if (draw < 0.08 && holds.length > 0) {
        const of = pick(holds);
        const { sourceWalletId: held, targetWalletId: to } = orders.get(of)!;
        const legs = [{ source: held, target: to, amount }];
        if (draw < 0.03)
          return make({ type: 'RELEASE', amount: text(amount), parent: of }, { type: 'RELEASE', legs }, of);
        const isFinal = random() < 0.6;
        const terms = isFinal ? {} : { terms: { final: 'false' } };
        const input = { type: 'CAPTURE', amount: text(amount), parent: of, ...terms };
        return make(input, { type: 'CAPTURE', legs, isFinal }, of);
      }
      if (draw < 0.11 && moved.length > 0) {
        const of = pick(moved);
        const { sourceWalletId: from, targetWalletId: to } = orders.get(of)!;
        const input = { type: 'REVERSAL', amount: text(amount), parent: of };
        return make(input, { type: 'REVERSAL', legs: [{ source: to, target: from, amount }] }, of);
      }
      if (draw < 0.2)
        return make({ type: 'HOLD', ...sides, ...money }, { type: 'HOLD', legs: [{ source, target, amount }] });
      if (draw < 0.25) {
        const isOverLimits = random() < 0.3;
        const input = {
          type: 'WITHDRAWAL',
          sourceWalletId: source,
          ...money,
          ...(isOverLimits ? { terms: overLimits } : {}),
        };
        return make(input, { type: 'WITHDRAWAL', legs: [{ source, amount }], isOverLimits });
      }
      if (draw < 0.33)
        return make(
          { type: 'DEPOSIT', targetWalletId: target, ...money },
          { type: 'DEPOSIT', legs: [{ target, amount }] },
        );
      if (draw < 0.43) {
        const legs = Array.from({ length: 2 + below(3) }, (_, leg) => {
          const sent = BigInt(1 + below(6_000));
          const [from, to] = leg % 2 === 0 ? [source, target] : [pick([source, target]), undefined];
          return { source: from, target: to, amount: sent };
        });
        const asked = legs.map((leg) => ({
          sourceWalletId: leg.source,
          ...(leg.target === undefined ? {} : { targetWalletId: leg.target }),
          ...{ amount: text(leg.amount), currency },
        }));
        return make({ type: 'JOURNAL', legs: asked }, { type: 'JOURNAL', legs });
      }
      return make({ type: 'TRANSFER', ...sides, ...money }, { type: 'TRANSFER', legs: [{ source, target, amount }] });
    }

    async function post(drawn: readonly (readonly [Order, Asked])[]): Promise<void> {
      await collections.orders.insertBatch(drawn.map(([order]) => order));
      const waiting = await findWaiting(
        collections,
        workspaceId,
        drawn.map(([{ id }]) => id),
      );
      await sessions.all[0]!.run((session) => postGroup(waiting, { session, slot: 0 }));
      const ends = model.post(
        drawn.map(([, asked]) => asked),
        now.getTime(),
      );
      const stored = await collections.orders.findMany(drawn.map(([{ id }]) => ({ workspaceId, idOrBizId: id })));
      for (const order of stored) {
        const { failure, leg, limit } = ends.get(order!.id)!;
        const hasLegs = order!.legs !== undefined;
        expect([order!.id, order!.failure, hasLegs ? order!.failureLeg : undefined]).toEqual([
          ...[order!.id, failure, hasLegs ? leg : undefined],
        ]);
        const { failureLimit } = order!;
        expect(failureLimit && [failureLimit.name, cents(failureLimit.used), failureLimit.usedCount]).toEqual(limit);
        if (failure === 'LIMIT_EXCEEDED') tally.refused += 1;
        else if (failure === 'KEY_BUDGET_EXCEEDED') tally.overBudget += 1;
        else if (failure === null) tally.posted += 1;
        if (failure !== null) orders.delete(order!.id);
        else if (order!.type === 'HOLD') holds.push(order!.id);
        else if (order!.type === 'TRANSFER') moved.push(order!.id);
      }
      for (const list of [holds, moved])
        for (const id of list.splice(0, Math.max(0, list.length - 100))) if (list === moved) orders.delete(id);
    }

    async function expectUses(): Promise<void> {
      const read = [...(await collections.wallets.findByIds(wallets, [workspaceId])).values()];
      const { before } = await collections.readBeforeWindows(read, now);
      for (const wallet of read) {
        const at = dateOn(wallet, now);
        const uses = usesOf(wallet, before.get(wallet.id)!, at).map(({ used, usedCount }) => [cents(used), usedCount]);
        const { limits, balance, holds: open } = model.wallet(wallet.id);
        expect(uses).toEqual(limits.map((limit) => model.used(wallet.id, limit, at.getTime())));
        expect([cents(wallet.balance), cents(wallet.held), wallet.openHolds]).toEqual([
          balance,
          model.held(wallet.id),
          open.size,
        ]);
      }
    }

    await post(
      wallets.map((target) => {
        const input = { type: 'DEPOSIT', targetWalletId: target, amount: '20000', currency };
        const values = typeOf(input).values(input, { workspaceId, now, parent: undefined });
        const order = newOrder(values, now);
        return [order, { id: order.id, type: 'DEPOSIT', legs: [{ target, amount: 2_000_000n }] }];
      }),
    );
    for (let asked = 0, group = 0; asked < count; group += 1) {
      const step = random();
      now = new Date(
        now.getTime() +
          Math.floor(random() * (step < 0.4 ? 10 : step < 0.7 ? 40_000 : step < 0.97 ? hourMs : 3 * dayMs)),
      );
      if (random() < 0.1) await changeLimits();
      if (random() < 0.05) await changeAlerts();
      if (random() < 0.03) await changeBudget();
      const drawn = Array.from({ length: 1 + below(groupMax) }, drawOrder);
      await post(drawn);
      asked += drawn.length;
      if (group % 25 === 0) await expectUses();
    }
    await expectUses();

    const entries = await db.collection<OutboxEntry>('webhookOutbox').find({ workspaceId }).sort({ _id: 1 }).toArray();
    const told = entries.flatMap(({ alerts = [] }) =>
      alerts.map(({ walletId, name, state, number }): Told => [walletId, name, state === 'raised', number]),
    );
    for (const id of wallets)
      expect(told.filter(([wallet]) => wallet === id)).toEqual(model.told.filter(([wallet]) => wallet === id));
    const breaches: unknown[] = [];
    await verify(openBooks(client, db), (breach) => breaches.push(breach));
    expect(breaches).toEqual([]);
    expect(tally.refused).toBeGreaterThan(count / 200);
    console.log(JSON.stringify({ ...tally, told: told.length, until: now.toISOString(), seed }));
  });
}
