import { expect, it } from 'vitest';
import { commandIn, countingOptions, isOfRequest } from '../../bench/servers/command-count.ts';
import { processesForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

interface OrderAnswer {
  readonly transferId: string;
  readonly status: string;
}
interface ListAnswer {
  readonly items: readonly unknown[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';
const size = 2;
const transfers = 5;
const quietMs = 100;

let orderId = '';

const service = await processesForTests({ env: { NODE_OPTIONS: countingOptions } });
const home = await createWorkspace(service);
const [alice, bob] = [await home.wallet('100'), await home.wallet()];
await home.wallet();
for (let count = 0; count < transfers; count += 1) orderId = (await transfer()).transferId;
await untilNoneWaits();

/** Until no order waits: then a list needs no snapshot. */
async function untilNoneWaits(): Promise<void> {
  const newest = () => read(`${ordersPath}/wallet/${alice}`, { size: 1 });
  await waitFor(async () => !(await commandsOf(newest)).includes('commitTransaction'));
}

/** Nobody waits for its end. */
async function create(): Promise<void> {
  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
  expect((await home.client.request('POST', createPath, { body })).status).toBe(200);
}

async function transfer(): Promise<OrderAnswer> {
  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
  const answer = await home.client.request<OrderAnswer>('POST', createPath, { body, headers: { Prefer: 'wait=10' } });
  expect(answer.envelope?.data.status).toBe('COMPLETED');
  return answer.envelope!.data;
}

async function read<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const answer = await home.client.request<T>('GET', path, { query });
  expect([answer.status, answer.envelope?.message]).toEqual([200, 'SUCCESS']);
  return answer.envelope!.data;
}

/** The commands that the web process and the worker sent for a request, and how many there are. */
async function commandsOf(request: () => Promise<unknown>): Promise<string[]> {
  const from = service.logs.length;
  await request();
  let seen = -1;
  // What they say arrives after the answer.
  await waitFor(async () => {
    seen = service.logs.length;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    return service.logs.slice(seen).every((line) => !isTold(line));
  });
  return service.logs
    .slice(from)
    .filter(isTold)
    .map((line) => {
      const { name, collection } = commandIn(line)!;
      return `${name} ${collection}`.trim();
    });
}

function isTold(line: string): boolean {
  const command = commandIn(line);
  return command !== undefined && isOfRequest(command);
}

it.each<[string, () => string, string[]]>([
  ['an order', () => `${ordersPath}/${orderId}`, ['find orders']],
  ['whether an order is completed', () => `${ordersPath}/${orderId}/completed`, ['find orders']],
  ['a wallet', () => `/api/v1/wallets/${alice}`, ['find wallets']],
  ['a balance', () => `/api/v1/wallets/${alice}/balance`, ['find wallets']],
])('%s takes one command', async (_, path, commands) => {
  expect(await commandsOf(() => read(path()))).toEqual(commands);
});

it('the past of a wallet is searched for once if it has few flows, and not at all where the wallet answers', async () => {
  const path = `/api/v1/wallets/${alice}`;
  const flows = await read<{ items: { createdAt: string }[] }>(`${path}/flows`, { size: 2 });
  const [to = '', from = ''] = flows.items.map(({ createdAt }) => createdAt);
  // The last flow is younger than a commit may take, so nobody needs to ask for a later one.
  const ofBalance = ['find wallets', 'find flows'];
  expect(await commandsOf(() => read(`${path}/balance`, { at: from }))).toEqual(ofBalance);
  const ofStatement = [...ofBalance, 'find flows', 'find orders'];
  expect(await commandsOf(() => read(`${path}/statement`, { from, to }))).toEqual(ofStatement);
  const ofEmpty = await commandsOf(() =>
    read(`${path}/statement`, { from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' }),
  );
  expect(ofEmpty).toEqual(['find wallets']);
});

/** Each list with the commands of its first page, its total included, and of a page by cursor. */
const lists: [string, () => string, Record<string, string>, string[], string[]][] = [
  [
    'orders of a wallet',
    () => `${ordersPath}/wallet/${alice}`,
    {},
    ['find orders', 'find orders', 'find wallets'],
    ['find orders'],
  ],
  [
    'COMPLETED orders of a wallet',
    () => `${ordersPath}/wallet/${alice}`,
    { status: 'COMPLETED' },
    ['find wallets', 'find orders', 'find orders'],
    ['find orders', 'find orders'],
  ],
  ['orders', () => ordersPath, {}, ['find orders', 'find orders', 'find wallets'], ['find orders']],
  [
    'flows of a wallet',
    () => `/api/v1/wallets/${alice}/flows`,
    {},
    ['find wallets', 'find flows'],
    ['find wallets', 'find flows'],
  ],
  ['wallets', () => '/api/v1/wallets', {}, ['find wallets', 'find wallets'], ['find wallets']],
];

it.each(lists)(
  'the list of %s takes two commands for its first page, three if of orders, and by cursor one, or two of flows and of filtered orders',
  async (...row) => {
    const [, path, filters, ofFirst, ofNext] = row;
    let first: ListAnswer | undefined;
    expect(await commandsOf(async () => (first = await read(path(), { size, ...filters })))).toEqual(ofFirst);
    expect(first?.items).toHaveLength(size);
    let next: ListAnswer | undefined;
    const cursor = first?.nextCursor ?? '';
    expect(await commandsOf(async () => (next = await read(path(), { cursor })))).toEqual(ofNext);
    expect(next?.total).toBe(first?.total);
    // One that fits a page is counted by reading it.
    if (path().includes('/wallet/')) return;
    const whole = await commandsOf(() => read(path(), { size: 100, ...filters }));
    expect(whole).toEqual(path().endsWith('/flows') ? ofFirst : ofNext);
  },
);

it('a create takes two commands, its posting five, because its worker remembers the wallets', async () => {
  expect((await commandsOf(create)).toSorted()).toEqual(
    [
      ...['aggregate wallets', 'insert orders'],
      ...['find orders', 'update orders', 'update wallets', 'insert flows', 'commitTransaction'],
    ].toSorted(),
  );
});

it('where an order of a wallet waits, its list takes a snapshot of the counts and of what waits', async () => {
  await untilNoneWaits();
  for (const worker of service.workers) worker.kill('SIGSTOP');
  try {
    await create();
    let page: ListAnswer | undefined;
    const path = `${ordersPath}/wallet/${alice}`;
    const counts = ['aggregate orders', 'aggregate orders'];
    const snapshot = ['find wallets', 'find orders', 'find orders', ...counts, 'commitTransaction'];
    expect(await commandsOf(async () => (page = await read(path, { size })))).toEqual(['find orders', ...snapshot]);
    expect(page?.total).toBe(1 + transfers + 2);
  } finally {
    for (const worker of service.workers) worker.kill('SIGCONT');
  }
});
