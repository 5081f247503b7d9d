import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { waitFor } from '../support/wait-for.ts';

/* Requests that only one of can win, at once. */

/** How often two requests meet, and how many meet once. */
const raceCount = Number(process.env['RACES'] ?? 100);
const manyCount = Number(process.env['RACERS'] ?? 200);
const racesAtOnce = 20;
const hourMs = 3_600_000;
const timeoutMs = 1_800_000;

interface OrderData {
  transferId: string;
  batchId: string | null;
  status: string;
  amount: string;
  reversedAmount: string | null;
  hold: { state: string; captured: string; released: string; remaining: string } | null;
}

interface BatchData {
  batchId: string;
  items: ({ order: OrderData } | { code: string })[];
}

let service: ServiceProcesses;
let workspace: TestWorkspace;
let alice: string;
let bob: string;
beforeAll(async () => {
  const rates = { KEY_RATE_PER_SECOND: '100000' };
  service = await startServiceProcesses({ workers: 2, env: rates });
  workspace = await createWorkspace(service);
  [alice, bob] = [await workspace.wallet('1000000'), await workspace.wallet()];
});
afterAll(() => service.stop());

const path = '/api/v1/transfer/command';
const usd = (amount: string) => ({ amount, currency: 'USD' });

/** @returns the order once it has ended; undefined if the command was refused with one of these codes. */
async function command(name: string, body: object, refusals: readonly string[] = []): Promise<OrderData | undefined> {
  const { status, envelope } = await workspace.client.request<OrderData>('POST', `${path}/${name}`, {
    body,
    headers: { Prefer: 'wait=10' },
  });
  if (status === 200) return ended(envelope!.data);
  expect(refusals).toContain(envelope!.code);
  return undefined;
}
async function find(id: string): Promise<OrderData> {
  const answer = await workspace.client.request<OrderData>('GET', `/api/v1/transfer/query/orders/${id}`);
  return answer.envelope!.data;
}
function ended(order: OrderData): Promise<OrderData> {
  return waitFor(async () => {
    const now = order.status === 'PENDING' ? await find(order.transferId) : order;
    return now.status === 'PENDING' ? undefined : now;
  });
}
async function balances(...wallets: string[]): Promise<string[][]> {
  return Promise.all(
    wallets.map(async (id) => {
      const answer = await workspace.client.request<{ balance: string; held: string }>(
        'GET',
        `/api/v1/wallets/${id}/balance`,
      );
      const { balance, held } = answer.envelope!.data;
      return [balance, held];
    }),
  );
}
const hold = async (amount: string, more: object = {}) =>
  (await command('hold', { sourceWalletId: alice, targetWalletId: bob, ...usd(amount), ...more }))!.transferId;
const isDone = (order: OrderData | undefined): boolean => order?.status === 'COMPLETED';
const countDone = (orders: readonly (OrderData | undefined)[]): number => orders.filter(isDone).length;

/** A transfer for a later time. */
const schedule = async (executeAtMs: number) =>
  (await command('create', { ...sides(), ...usd('1'), executeAt: new Date(executeAtMs).toISOString() }))!.transferId;
const sides = () => ({ sourceWalletId: alice, targetWalletId: bob });

/** The bodies of some transfers of one amount. */
const lines = (count: number) =>
  Array.from({ length: count }, () => ({ ...sides(), ...usd('1'), bizId: randomUUID() }));

async function batch(transfers: readonly object[], more: object = {}): Promise<BatchData> {
  const { status, envelope } = await workspace.client.request<BatchData>('POST', `${path}/batch`, {
    body: { transfers, ...more },
    headers: { Prefer: 'wait=10' },
  });
  expect([status, envelope!.code]).toEqual([200, '2000']);
  return envelope!.data;
}
const ordersIn = ({ items }: BatchData): OrderData[] => items.flatMap((item) => ('order' in item ? [item.order] : []));
const codesIn = ({ items }: BatchData): string[] => items.flatMap((item) => ('code' in item ? [item.code] : []));

/** How many transfers of the source are of a status, and what it has. */
async function counted(status: string): Promise<number> {
  const answer = await workspace.client.request<{ total: number }>(
    'GET',
    `/api/v1/transfer/query/orders/wallet/${alice}`,
    { query: { status } },
  );
  return answer.envelope!.data.total;
}

/** So many transfers of 1 are made by some races, and no others. */
async function expectMade(count: number, races: () => Promise<unknown>): Promise<void> {
  const before = { completed: await counted('COMPLETED'), balance: await balances(bob) };
  await races();
  const cents = (found: readonly (readonly string[])[]): number => Math.round(Number(found[0]![0]) * 100);
  await waitFor(async () => (await counted('PENDING')) === 0);
  expect(await counted('COMPLETED')).toBe(before.completed + count);
  expect(cents(await balances(bob)) - cents(before.balance)).toBe(count * 100);
}

async function repeat(race: (index: number) => Promise<void>, count = raceCount): Promise<void> {
  for (let first = 0; first < count; first += racesAtOnce)
    await Promise.all(Array.from({ length: Math.min(racesAtOnce, count - first) }, (_, n) => race(first + n)));
}

const idAndBatch = ({ transferId, batchId }: OrderData): (string | null)[] => [transferId, batchId];

describe(`${raceCount} times two requests`, { timeout: timeoutMs }, () => {
  it('capture and release of all of a hold: one wins', () =>
    repeat(async () => {
      const transferId = await hold('10');
      const body = { transferId, amount: '10' };
      const [captured, released] = await Promise.all([
        command('capture', body, ['TR4225']),
        command('release', body, ['TR4225']),
      ]);
      expect(countDone([captured, released])).toBe(1);
      const won = isDone(captured) ? ['CAPTURED', '10.00', '0.00'] : ['RELEASED', '0.00', '10.00'];
      const { state, ...parts } = (await find(transferId)).hold!;
      expect([state, parts.captured, parts.released]).toEqual(won);
    }));

  it('a capture and the expiry: what was accepted before it counts, and the rest is released', () =>
    repeat(async (index) => {
      const expiresAtMs = Date.now() + 1_000;
      const transferId = await hold('10', { expiresAt: new Date(expiresAtMs).toISOString() });
      await new Promise((resolve) => setTimeout(resolve, expiresAtMs - Date.now() - 20 + (index % 40)));
      const captured = await command('capture', { transferId, amount: '4', final: false }, ['TR4225']);
      if (captured !== undefined) expect(captured.status).toBe('COMPLETED');
      const { hold: end } = await waitFor(async () => {
        const order = await find(transferId);
        return order.hold!.state === 'HELD' ? undefined : order;
      });
      const won = isDone(captured) ? ['CAPTURED', '4.00', '6.00'] : ['EXPIRED', '0.00', '10.00'];
      expect([end!.state, end!.captured, end!.released]).toEqual(won);
    }));

  it('two reversals of one transfer: one wins', () =>
    repeat(async () => {
      const sides = { sourceWalletId: alice, targetWalletId: bob };
      const { transferId } = (await command('create', { ...sides, ...usd('10') }))!;
      const body = { transferId, amount: '6' };
      const reversals = await Promise.all([1, 2].map(() => command('reverse', body, ['TR4226'])));
      expect(countDone(reversals)).toBe(1);
      expect((await find(transferId)).reversedAmount).toBe('6.00');
    }));

  it('a reversal of a capture and another capture: both are done', () =>
    repeat(async () => {
      const transferId = await hold('10');
      const captured = (await command('capture', { transferId, amount: '4', final: false }))!;
      const both = await Promise.all([
        command('reverse', { transferId: captured.transferId }),
        command('capture', { transferId, amount: '6' }),
      ]);
      expect(countDone(both)).toBe(2);
      expect((await find(captured.transferId)).reversedAmount).toBe('4.00');
      expect((await find(transferId)).hold).toMatchObject({ state: 'CAPTURED', captured: '10.00' });
    }));

  it('a withdrawal and a hold on one balance: one wins', async () => {
    const wallets = await Promise.all(Array.from({ length: racesAtOnce }, () => workspace.wallet()));
    await repeat(async (index) => {
      const wallet = wallets[index % racesAtOnce]!;
      await command('deposit', { targetWalletId: wallet, ...usd('10') });
      const [withdrawn, held] = await Promise.all([
        command('withdraw', { sourceWalletId: wallet, ...usd('10') }),
        command('hold', { sourceWalletId: wallet, targetWalletId: bob, ...usd('10') }),
      ]);
      expect(countDone([withdrawn, held])).toBe(1);
      if (isDone(held)) await command('capture', { transferId: held!.transferId });
      expect(await balances(wallet)).toEqual([['0.00', '0.00']]);
    });
  });
});

describe(`${manyCount} requests at once`, { timeout: timeoutMs }, () => {
  const many = (one: (index: number) => Promise<OrderData | undefined>) =>
    Promise.all(Array.from({ length: manyCount }, (_, index) => one(index)));

  it('capture and release no more than is held', async () => {
    const transferId = await hold('50');
    const ends = await many((index) =>
      command(
        index % 2 === 0 ? 'capture' : 'release',
        { transferId, amount: '1', ...(index % 2 === 0 && { final: false }) },
        ['TR4225', 'TR4226'],
      ),
    );
    expect(countDone(ends)).toBe(50);
    const captured = countDone(ends.filter((_, index) => index % 2 === 0));
    expect((await find(transferId)).hold).toMatchObject({
      captured: `${captured}.00`,
      released: `${50 - captured}.00`,
    });
  });

  it('captures end before or by the expiry', async () => {
    const transferId = await hold('100000', { expiresAt: new Date(Date.now() + 2_000).toISOString() });
    const ends = await many(async (index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 3_000) / manyCount));
      return command('capture', { transferId, amount: '1', final: false }, ['TR4225']);
    });
    const { hold: end } = await waitFor(async () => {
      const order = await find(transferId);
      return order.hold!.state === 'HELD' ? undefined : order;
    });
    const accepted = ends.filter((order) => order !== undefined);
    expect(countDone(ends)).toBe(accepted.length);
    expect(end).toMatchObject({ captured: `${accepted.length}.00`, released: `${100_000 - accepted.length}.00` });
  });

  it('reverse no more than was moved', async () => {
    const { transferId } = (await command('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('50') }))!;
    const ends = await many(() => command('reverse', { transferId, amount: '1' }, ['TR4226']));
    expect(countDone(ends)).toBe(50);
    expect((await find(transferId)).reversedAmount).toBe('50.00');
  });

  it('reverse a capture while others capture', async () => {
    const transferId = await hold(String(manyCount));
    const captured = (await command('capture', { transferId, amount: '10', final: false }))!;
    const ends = await many((index) =>
      index % 2 === 0
        ? command('reverse', { transferId: captured.transferId, amount: '1' }, ['TR4226'])
        : command('capture', { transferId, amount: '1', final: false }),
    );
    expect(countDone(ends.filter((_, index) => index % 2 === 0))).toBe(10);
    expect(countDone(ends.filter((_, index) => index % 2 === 1))).toBe(manyCount / 2);
    expect((await find(transferId)).hold).toMatchObject({ captured: `${manyCount / 2 + 10}.00` });
  });

  it('withdraw and hold no more than there is', async () => {
    const wallet = await workspace.wallet('50');
    const ends = await many((index) =>
      index % 2 === 0
        ? command('withdraw', { sourceWalletId: wallet, ...usd('1') })
        : command('hold', { sourceWalletId: wallet, targetWalletId: bob, ...usd('1') }),
    );
    const held = countDone(ends.filter((_, index) => index % 2 === 1));
    expect(countDone(ends)).toBe(50);
    expect(await balances(wallet)).toEqual([[`${held}.00`, `${held}.00`]]);
  });
});

describe(`${raceCount} times a transfer that is scheduled`, { timeout: timeoutMs }, () => {
  it('and cancelled as its time comes: one wins', async () => {
    let [posted, cancelled] = [0, 0];
    const cancelledBefore = await counted('CANCELLED');
    const before = await balances(bob);
    await repeat(async (index) => {
      const executeAtMs = Date.now() + 1_000;
      const transferId = await schedule(executeAtMs);
      // What is due is started twice a second.
      await sleep(executeAtMs - Date.now() - 20 + ((index * 37) % 600));
      const order = await command('cancel', { transferId }, ['TR4092']);
      expect(order?.status ?? 'CANCELLED').toBe('CANCELLED');
      const { status } = await waitFor(async () => {
        const now = await find(transferId);
        return now.status === 'SCHEDULED' || now.status === 'PENDING' ? undefined : now;
      });
      expect(status).toBe(order === undefined ? 'COMPLETED' : 'CANCELLED');
      if (order === undefined) posted += 1;
      else cancelled += 1;
    });
    console.log(`${posted} were posted, ${cancelled} cancelled`);
    expect(await counted('CANCELLED')).toBe(cancelledBefore + cancelled);
    expect(Number((await balances(bob))[0]![0]) - Number(before[0]![0])).toBeCloseTo(posted, 5);
  });

  it('and cancelled twice at once: it is cancelled once', async () => {
    const before = await counted('CANCELLED');
    await repeat(async () => {
      const transferId = await schedule(Date.now() + hourMs);
      const both = await Promise.all([1, 2].map(() => command('cancel', { transferId })));
      expect(both.map((order) => order!.status)).toEqual(['CANCELLED', 'CANCELLED']);
    });
    expect(await counted('CANCELLED')).toBe(before + raceCount);
    expect(await counted('SCHEDULED')).toBe(0);
  });
});

describe(`${raceCount} times two batches`, { timeout: timeoutMs }, () => {
  it('that are the same: each line is recorded once', () =>
    expectMade(raceCount * 5, () =>
      repeat(async () => {
        const transfers = lines(5);
        const [first, second] = (await Promise.all([batch(transfers), batch(transfers)])).map(ordersIn);
        expect(first!.map(idAndBatch)).toEqual(second!.map(idAndBatch));
        expect(first).toHaveLength(5);
      }),
    ));

  it('that are the same, and atomic: both are answered with the orders of one', () =>
    expectMade(raceCount * 5, () =>
      repeat(async () => {
        const transfers = lines(5);
        const both = await Promise.all([1, 2].map(() => batch(transfers, { atomic: true })));
        const [first, second] = both.map(ordersIn);
        expect(first!.map(idAndBatch)).toEqual(second!.map(idAndBatch));
        expect(first!.map(({ batchId }) => batchId)).toEqual(transfers.map(() => both[0]!.batchId));
        expect(both[1]!.batchId).toBe(both[0]!.batchId);
      }),
    ));

  it('that are atomic, and share a line: one is recorded', () =>
    expectMade(raceCount * 3, () =>
      repeat(async () => {
        const [shared] = lines(1);
        const both = await Promise.all([1, 2].map(() => batch([...lines(2), shared!], { atomic: true })));
        expect(both.map(codesIn).toSorted((a, b) => a.length - b.length)).toEqual([[], ['TR4229', 'TR4229', 'TR4091']]);
      }),
    ));

  it('of which one is atomic: what the other has recorded of it refuses it', () =>
    repeat(async () => {
      const transfers = lines(3);
      const [plain, atomic] = await Promise.all([batch(transfers), batch(transfers, { atomic: true })]);
      expect(ordersIn(plain)).toHaveLength(3);
      const recorded = ordersIn(atomic);
      if (recorded.length > 0) expect(ordersIn(plain).map(idAndBatch)).toEqual(recorded.map(idAndBatch));
      else expect(codesIn(atomic)).toContain('TR4091');
    }));
});

describe(`${manyCount} of one at once`, { timeout: timeoutMs }, () => {
  const many = <T>(one: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: manyCount }, (_, index) => one(index)));

  it('cancel scheduled transfers as their time comes: of each all are done, or none', async () => {
    const executeAtMs = Date.now() + 3_000;
    const ids = await Promise.all(Array.from({ length: racesAtOnce }, () => schedule(executeAtMs)));
    const cancels = await many(async (index) => {
      const place = index % racesAtOnce;
      // One after the other has more time to be posted.
      await sleep(executeAtMs - Date.now() - 10 + place * 10 + ((index * 7) % 5));
      const order = await command('cancel', { transferId: ids[place]! }, ['TR4092']);
      return order?.status;
    });
    for (const [index, transferId] of ids.entries()) {
      const own = new Set(cancels.filter((_, at) => at % racesAtOnce === index));
      expect(own.size).toBe(1);
      const end = await waitFor(async () => {
        const { status } = await find(transferId);
        return status === 'SCHEDULED' || status === 'PENDING' ? undefined : status;
      });
      expect([...own][0] ?? 'COMPLETED').toBe(end);
    }
  });

  it('cancel one transfer', async () => {
    const before = await counted('CANCELLED');
    const transferId = await schedule(Date.now() + hourMs);
    const ends = await many(() => command('cancel', { transferId }));
    expect(new Set(ends.map((order) => order!.status))).toEqual(new Set(['CANCELLED']));
    expect(await counted('CANCELLED')).toBe(before + 1);
  });

  it.each([false, true])('are one batch, atomic: %s', (atomic) =>
    expectMade(10, async () => {
      const transfers = lines(10);
      const answers = await many(() => batch(transfers, { atomic }));
      expect(new Set(answers.flatMap(codesIn))).toEqual(new Set());
      const [first, ...others] = answers.map((answer) => ordersIn(answer).map(idAndBatch));
      expect(first).toHaveLength(10);
      for (const other of others) expect(other).toEqual(first);
    }),
  );
});

it('leaves sound books', { timeout: timeoutMs }, async () => {
  expect((await service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
});
