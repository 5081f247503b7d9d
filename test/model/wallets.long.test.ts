import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import { createClient, type Client } from '../support/api-client.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { waitFor } from '../support/wait-for.ts';

/* Changes of wallets at once, and beside postings, through two web processes. */

/** How often two requests meet, and how many meet once. */
const raceCount = Number(process.env['RACES'] ?? 100);
const manyCount = Number(process.env['RACERS'] ?? 200);
/** How many references there are, and how often each is asked for. */
const referenceCount = 200;
const repetitions = 50;
const racesAtOnce = 20;
const inFlight = 400;
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
interface OrderData {
  transferId: string;
  status: string;
}
interface Told<Data> {
  code: string;
  isReplay: boolean;
  data: Data;
}

let service: ServiceProcesses;
let workspace: TestWorkspace;
let clients: Client[];
let turn = 0;
beforeAll(async () => {
  const rates = { KEY_RATE_PER_SECOND: '100000' };
  service = await startServiceProcesses({ workers: 2, webs: 2, env: rates });
  workspace = await createWorkspace(service);
  const ports = await Promise.all(service.webs.map(async ({ ready }) => (await ready).port ?? 0));
  clients = ports.map((port) => createClient({ ...workspace, baseUrl: `http://127.0.0.1:${port}` }));
});
afterAll(async () => {
  for (const client of clients) client.close();
  await service.stop();
});

/** By one web process after the other. @returns the answer, which has one of these codes or none of a refusal. */
async function post<Data>(path: string, body: object, refusals: readonly string[] = []): Promise<Told<Data>> {
  const client = clients[(turn += 1) % clients.length]!;
  const { envelope, headers } = await client.request<Data>('POST', `/api/v1${path}`, {
    body,
    headers: { Prefer: 'wait=10' },
  });
  const { code, data } = envelope!;
  expect(['2000', ...refusals]).toContain(code);
  return { code, isReplay: headers['idempotent-replayed'] === 'true', data };
}
const wallet = async (values: object = {}) =>
  (await post<WalletData>('/wallets', { currency: 'USD', ...values })).data.id;
const change = (id: string, verb: string, refusals: readonly string[] = []) =>
  post<WalletData>(`/wallets/${id}/${verb}`, {}, refusals);
const limit = (id: string, creditLimit: string, refusals: readonly string[] = []) =>
  post<WalletData>(`/wallets/${id}/limit`, { creditLimit }, refusals);
const read = async (id: string) =>
  (await clients[0]!.request<WalletData>('GET', `/api/v1/wallets/${id}`)).envelope!.data;

/** @returns how the order ended; undefined if it was refused at once, because a wallet is not ACTIVE. */
async function order(name: string, body: object): Promise<OrderData['status'] | undefined> {
  const values = { currency: 'USD', ...body };
  const { code, data } = await post<OrderData>(`/transfer/command/${name}`, values, ['WA4221']);
  if (code !== '2000') return undefined;
  return waitFor(async () => {
    if (data.status !== 'PENDING') return data.status;
    const path = `/api/v1/transfer/query/orders/${data.transferId}`;
    const { status } = (await clients[0]!.request<OrderData>('GET', path)).envelope!.data;
    return status === 'PENDING' ? undefined : status;
  });
}

async function atOnce<T>(count: number, most: number, one: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await one(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, count) }, worker));
  return results;
}
async function repeat(race: () => Promise<void>): Promise<void> {
  await atOnce(raceCount, racesAtOnce, race);
}

describe(`${raceCount} times two requests`, { timeout: timeoutMs }, () => {
  it('a freeze and a transfer: both are answered, and the transfer is done or not', () =>
    repeat(async () => {
      const [source, target] = [await wallet(), await wallet()];
      await order('deposit', { targetWalletId: source, amount: '10' });
      const [, status] = await Promise.all([
        change(source, 'freeze'),
        order('create', { sourceWalletId: source, targetWalletId: target, amount: '10' }),
      ]);
      const balance = status === 'COMPLETED' ? '0.00' : '10.00';
      expect(await read(source)).toMatchObject({ status: 'FROZEN', balance });
    }));

  it('a close and a deposit: one wins', () =>
    repeat(async () => {
      const id = await wallet();
      const [closed, status] = await Promise.all([
        change(id, 'close', ['WA4222']),
        order('deposit', { targetWalletId: id, amount: '10' }),
      ]);
      expect(closed.code === '2000').toBe(status !== 'COMPLETED');
      const end =
        status === 'COMPLETED' ? { status: 'ACTIVE', balance: '10.00' } : { status: 'CLOSED', balance: '0.00' };
      expect(await read(id)).toMatchObject(end);
    }));

  it.each(['create', 'hold'])('a limit and a %s on credit: one wins', (command) =>
    repeat(async () => {
      const [source, target] = [await wallet({ creditLimit: '10' }), await wallet()];
      const [limited, status] = await Promise.all([
        limit(source, '9.99', ['WA4223']),
        order(command, { sourceWalletId: source, targetWalletId: target, amount: '10' }),
      ]);
      expect(limited.code === '2000').toBe(status === 'FAILED');
      const end = limited.code === '2000' ? ['9.99', '9.99'] : ['10.00', '0.00'];
      const { creditLimit, available } = await read(source);
      expect([creditLimit, available]).toEqual(end);
    }),
  );

  it('a close and a freeze, or a limit: it is closed, and the other one came before or is refused', () =>
    repeat(async () => {
      const id = await wallet();
      const [closed, frozen, limited] = await Promise.all([
        change(id, 'close'),
        change(id, 'freeze', ['WA4092']),
        limit(id, '5', ['WA4092']),
      ]);
      expect(closed.data.status).toBe('CLOSED');
      if (frozen.code === '2000') expect(frozen.data.status).toBe('FROZEN');
      const creditLimit = limited.code === '2000' ? '5.00' : '0.00';
      expect(await read(id)).toMatchObject({ status: 'CLOSED', creditLimit });
    }));
});

describe(`${manyCount} requests at once`, { timeout: timeoutMs }, () => {
  it('freeze, unfreeze and limit a few wallets that are posted meanwhile: none has less than nothing available', async () => {
    const random = createRandom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const ids = await Promise.all(Array.from({ length: 6 }, () => wallet({ creditLimit: '50' })));
    await atOnce(manyCount, manyCount, async (index) => {
      const [id, other] = [ids[index % ids.length]!, ids[(index + 1 + below(ids.length - 1)) % ids.length]!];
      const sides = { sourceWalletId: id, targetWalletId: other };
      const acts = [
        () => order('create', { ...sides, amount: '20' }),
        () => order('hold', { ...sides, amount: '5' }),
        () => order('create', { ...sides, amount: '7' }),
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
    const ids = await Promise.all(Array.from({ length: 20 }, () => wallet()));
    await atOnce(manyCount, manyCount, async (index) => {
      const id = ids[Math.floor(index / 2) % ids.length]!;
      if (index % 2 === 0) await change(id, 'close', ['WA4222']);
      else await order('deposit', { targetWalletId: id, amount: '1' });
    });
    for (const { status, balance } of await Promise.all(ids.map(read)))
      expect(status === 'CLOSED').toBe(Number(balance) === 0);
  });

  it('freeze one wallet each, all of them', async () => {
    const ids = await atOnce(manyCount, inFlight, () => wallet({ currency: 'CHF' }));
    await atOnce(manyCount, manyCount, (index) => change(ids[index]!, 'freeze'));
    const query = { currency: 'CHF', status: 'FROZEN' };
    const frozen = await clients[0]!.request<{ total: number }>('GET', '/api/v1/wallets', { query });
    expect(frozen.envelope!.data.total).toBe(manyCount);
  });
});

it(
  `${referenceCount} references, each asked for ${repetitions} times at once, are a wallet each`,
  { timeout: timeoutMs },
  async () => {
    const count = referenceCount * repetitions;
    const startedAt = performance.now();
    const answers = await atOnce(count, inFlight, (index) =>
      post<WalletData>('/wallets', { currency: 'EUR', reference: `load-${index % referenceCount}` }),
    );
    console.log(`${count} creates of ${referenceCount} references: ${Math.round(performance.now() - startedAt)} ms`);
    const ids = answers.map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(referenceCount);
    for (let index = 0; index < referenceCount; index += 1)
      expect(new Set(ids.filter((_, at) => at % referenceCount === index)).size).toBe(1);
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(referenceCount);
    const listed = await clients[0]!.request<{ total: number }>('GET', '/api/v1/wallets', {
      query: { currency: 'EUR' },
    });
    expect(listed.envelope!.data.total).toBe(referenceCount);
  },
);

it('leaves sound books', { timeout: timeoutMs }, async () => {
  expect((await service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
});
