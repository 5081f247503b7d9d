import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import { createClient, type Client } from '../support/api-client.ts';
import {
  codesIn,
  commandsPath,
  expectSoundBooks,
  findOrder,
  hasEnded,
  ordersIn,
  ordersPath,
  patient,
  totalOf,
  untilOrder,
  type BatchData,
  type OrderData,
} from '../support/orders.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

/* Requests of which not all can win, many at once, through two web processes. */

/** How many meet at once, and how often those that share nothing meet. */
const racers = Number(process.env['RACERS'] ?? 200);
const races = Number(process.env['RACES'] ?? 100);
const timeoutMs = 1_800_000;
const seed = 20_260_101;

interface WalletData {
  id: string;
  status: string;
  balance: string;
  held: string;
  creditLimit: string;
  available: string;
}
interface Told<Data> {
  code: string;
  data: Data;
}

let service: ServiceProcesses;
let workspace: TestWorkspace;
let clients: Client[];
let turn = 0;
let alice: string;
let bob: string;
beforeAll(async () => {
  service = await startServiceProcesses({ workers: 2, webs: 2, env: { KEY_RATE_PER_SECOND: '100000' } });
  workspace = await createWorkspace(service);
  const ports = await Promise.all(service.webs.map(async ({ ready }) => (await ready).port ?? 0));
  clients = ports.map((port) => createClient({ ...workspace, baseUrl: `http://127.0.0.1:${port}` }));
  [alice, bob] = [await workspace.wallet('1000000'), await workspace.wallet()];
});
afterAll(async () => {
  for (const client of clients) client.close();
  await service.stop();
});

/** By one web process after the other. @returns the answer, which has one of these codes or none of a refusal. */
async function post<Data>(path: string, body: object, refusals: readonly string[] = []): Promise<Told<Data>> {
  const client = clients[(turn += 1) % clients.length]!;
  const { envelope } = await client.request<Data>('POST', path, { body, headers: patient });
  const { code, data } = envelope!;
  expect(['2000', ...refusals]).toContain(code);
  return { code, data };
}

/** @returns the order once it has ended, or is to wait for its time; undefined if it was refused with one of these codes. */
async function command(name: string, body: object, refusals: readonly string[] = []): Promise<OrderData | undefined> {
  const { code, data } = await post<OrderData>(`${commandsPath}/${name}`, body, refusals);
  if (code !== '2000') return undefined;
  return data.status === 'PENDING' ? untilOrder(workspace, data.transferId, hasEnded) : data;
}
const usd = (amount: string) => ({ amount, currency: 'USD' });
const sides = () => ({ sourceWalletId: alice, targetWalletId: bob });
const hold = async (amount: string, more: object = {}) =>
  (await command('hold', { ...sides(), ...usd(amount), ...more }))!.transferId;
const countDone = (orders: readonly (OrderData | undefined)[]): number =>
  orders.filter((order) => order?.status === 'COMPLETED').length;
const find = (id: string) => findOrder(workspace, id);

/** The bodies of some transfers of one amount. */
const lines = (count: number) =>
  Array.from({ length: count }, () => ({ ...sides(), ...usd('1'), bizId: randomUUID() }));
const batch = async (transfers: readonly object[], atomic: boolean): Promise<BatchData> =>
  (await post<BatchData>(`${commandsPath}/batch`, { transfers, atomic })).data;
const idsIn = (data: BatchData) => ordersIn(data).map(({ transferId, batchId }) => [transferId, batchId]);

const wallet = async (values: object = {}) =>
  (await post<WalletData>('/api/v1/wallets', { currency: 'USD', ...values })).data.id;
const change = (id: string, verb: string, refusals: readonly string[] = []) =>
  post<WalletData>(`/api/v1/wallets/${id}/${verb}`, {}, refusals);
const limit = (id: string, creditLimit: string, refusals: readonly string[] = []) =>
  post<WalletData>(`/api/v1/wallets/${id}/limit`, { creditLimit }, refusals);
const read = async (id: string) =>
  (await workspace.client.request<WalletData>('GET', `/api/v1/wallets/${id}`)).envelope!.data;

/** So many, no more than some at a time. */
async function many<T>(one: (index: number) => Promise<T>, count = racers, most = count): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await one(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, count) }, lane));
  return results;
}

/** So many transfers of 1 are made meanwhile, and no others. */
async function expectMade(count: number, racing: () => Promise<unknown>): Promise<void> {
  const counted = (status: string) => totalOf(workspace, `${ordersPath}/wallet/${alice}`, { status });
  const before = { completed: await counted('COMPLETED'), balance: Number((await read(bob)).balance) };
  await racing();
  await expect.poll(() => counted('PENDING'), { timeout: 60_000 }).toBe(0);
  expect(await counted('COMPLETED')).toBe(before.completed + count);
  expect(Number((await read(bob)).balance)).toBeCloseTo(before.balance + count, 5);
}

describe(`${racers} commands at once`, { timeout: timeoutMs }, () => {
  it('capture and release no more than is held', async () => {
    const transferId = await hold('50');
    const ends = await many((index) =>
      index % 2 === 0
        ? command('capture', { transferId, amount: '1', final: false }, ['TR4225', 'TR4226'])
        : command('release', { transferId, amount: '1' }, ['TR4225', 'TR4226']),
    );
    expect(countDone(ends)).toBe(50);
    const captured = countDone(ends.filter((_, index) => index % 2 === 0));
    expect((await find(transferId)).hold).toMatchObject({
      captured: `${captured}.00`,
      released: `${50 - captured}.00`,
    });
  });

  it('capture all of a hold, or release it: one wins', async () => {
    const transferId = await hold('10');
    const ends = await many((index) =>
      command(index % 2 === 0 ? 'capture' : 'release', { transferId, amount: '10' }, ['TR4225']),
    );
    expect(countDone(ends)).toBe(1);
    const isCaptured = ends.findIndex((order) => order?.status === 'COMPLETED') % 2 === 0;
    expect((await find(transferId)).hold).toMatchObject(
      isCaptured ? { state: 'CAPTURED', captured: '10.00' } : { state: 'RELEASED', released: '10.00' },
    );
  });

  it('capture before or by the expiry: what was accepted counts, and the rest is released', async () => {
    const transferId = await hold('100000', { expiresAt: new Date(Date.now() + 2_000).toISOString() });
    const ends = await many(async (index) => {
      await sleep((index * 3_000) / racers);
      return command('capture', { transferId, amount: '1', final: false }, ['TR4225']);
    });
    const { hold: end } = await untilOrder(workspace, transferId, (order) => order.hold!.state !== 'HELD');
    const accepted = ends.filter((order) => order !== undefined);
    expect(countDone(ends)).toBe(accepted.length);
    expect(end).toMatchObject({ captured: `${accepted.length}.00`, released: `${100_000 - accepted.length}.00` });
  });

  it('reverse no more than was moved', async () => {
    const { transferId } = (await command('create', { ...sides(), ...usd('50') }))!;
    const ends = await many(() => command('reverse', { transferId, amount: '1' }, ['TR4226']));
    expect(countDone(ends)).toBe(50);
    expect((await find(transferId)).reversedAmount).toBe('50.00');
  });

  it('reverse a capture while others capture', async () => {
    const transferId = await hold(String(racers));
    const captured = (await command('capture', { transferId, amount: '10', final: false }))!;
    const ends = await many((index) =>
      index % 2 === 0
        ? command('reverse', { transferId: captured.transferId, amount: '1' }, ['TR4226'])
        : command('capture', { transferId, amount: '1', final: false }),
    );
    expect(countDone(ends.filter((_, index) => index % 2 === 0))).toBe(10);
    expect(countDone(ends.filter((_, index) => index % 2 === 1))).toBe(racers / 2);
    expect((await find(transferId)).hold).toMatchObject({ captured: `${racers / 2 + 10}.00` });
  });

  it('withdraw and hold no more than there is', async () => {
    const source = await workspace.wallet('50');
    const ends = await many((index) =>
      index % 2 === 0
        ? command('withdraw', { sourceWalletId: source, ...usd('1') })
        : command('hold', { sourceWalletId: source, targetWalletId: bob, ...usd('1') }),
    );
    const held = `${countDone(ends.filter((_, index) => index % 2 === 1))}.00`;
    expect(countDone(ends)).toBe(50);
    expect(await read(source)).toMatchObject({ balance: held, held });
  });
});

describe('batches at once', { timeout: timeoutMs }, () => {
  it('that are atomic, and share a line: one is recorded', () =>
    expectMade(races * 3, () =>
      many(
        async () => {
          const [shared] = lines(1);
          const both = await Promise.all([1, 2].map(() => batch([...lines(2), shared!], true)));
          const refused = ['TR4229', 'TR4229', 'TR4091'];
          expect(both.map(codesIn).toSorted((a, b) => a.length - b.length)).toEqual([[], refused]);
        },
        races,
        20,
      ),
    ));

  it('of which one is atomic: what the other has recorded of it refuses it', () =>
    many(
      async () => {
        const transfers = lines(3);
        const [plain, atomic] = await Promise.all([batch(transfers, false), batch(transfers, true)]);
        expect(ordersIn(plain)).toHaveLength(3);
        if (ordersIn(atomic).length > 0) expect(idsIn(plain)).toEqual(idsIn(atomic));
        else expect(codesIn(atomic)).toContain('TR4091');
      },
      races,
      20,
    ));
});

describe(`${racers} changes of wallets at once`, { timeout: timeoutMs }, () => {
  it('freeze, unfreeze and limit a few wallets that are posted meanwhile: none has less than nothing available', async () => {
    const random = createRandom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const ids = await many(() => wallet({ creditLimit: '50' }), 6);
    await many(async (index) => {
      const [id, other] = [ids[index % ids.length]!, ids[(index + 1 + below(ids.length - 1)) % ids.length]!];
      const between = { sourceWalletId: id, targetWalletId: other };
      const acts = [
        () => command('create', { ...between, ...usd('20') }, ['WA4221']),
        () => command('hold', { ...between, ...usd('5') }, ['WA4221']),
        () => command('create', { ...between, ...usd('7') }, ['WA4221']),
        () => change(id, 'freeze'),
        () => change(id, 'unfreeze'),
        () => limit(id, String(below(60)), ['WA4223']),
        () => limit(id, String(below(60)), ['WA4223']),
      ];
      await acts[below(acts.length)]!();
    });
    for (const { available, balance, creditLimit } of await Promise.all(ids.map(read))) {
      expect(Number(available)).toBeGreaterThanOrEqual(0);
      expect(Number(balance) + Number(creditLimit)).toBeGreaterThanOrEqual(0);
    }
  });

  it('close wallets that are paid meanwhile: each is empty, or is not closed', async () => {
    const ids = await many(() => wallet(), 20);
    await many(async (index) => {
      const id = ids[Math.floor(index / 2) % ids.length]!;
      if (index % 2 === 0) await change(id, 'close', ['WA4222']);
      else await command('deposit', { targetWalletId: id, ...usd('1') }, ['WA4221']);
    });
    for (const { status, balance } of await Promise.all(ids.map(read)))
      expect(status === 'CLOSED').toBe(Number(balance) === 0);
  });
});

it('leaves sound books', { timeout: timeoutMs }, () => expectSoundBooks(service));
