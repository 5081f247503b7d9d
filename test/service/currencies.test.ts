import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { startServiceProcess } from '../../local/service-process.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { runAdminJson } from '../support/admin.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
const postedMaxMs = 60_000;
const startedMaxMs = 60_000;
const masterKeys = `1:${Buffer.alloc(32, 9).toString('base64')}`;

let service: RunningService;
let workspace: TestWorkspace;
let mongodb: MongoClient;
let collections: Collections;

beforeAll(async () => {
  service = await startService({ workers: 0, env: { MASTER_KEYS: masterKeys, CURRENCIES: 'BTC:8' } });
  workspace = await createWorkspace(service);
  mongodb = new MongoClient(service.mongodbUri);
  collections = openCollections(mongodb.db());
});
afterAll(async () => {
  await mongodb.close();
  await service.stop();
});

interface OrderBody {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: string;
  readonly currency: string;
  readonly bizId?: string;
}

const create = (body: OrderBody) =>
  workspace.client.request<{ transferId: string; status: string; amount: string }>(
    'POST',
    '/api/v1/transfer/command/create',
    { body },
  );
const untilPosted = (id: string) =>
  waitFor(
    async () => {
      const { envelope } = await workspace.client.request<{ status: string }>(
        'GET',
        `/api/v1/transfer/query/orders/${id}`,
      );
      return envelope?.data.status === 'COMPLETED';
    },
    { timeoutMs: postedMaxMs },
  );

/** Starts a process with other decimals; it never becomes ready. */
async function startWrong(name: 'web' | 'worker', CURRENCIES: string) {
  const [port, opsPort] = [await freePort(), await freePort()];
  const lines: string[] = [];
  const child = await startServiceProcess({
    name,
    entry: name === 'web' ? 'src/main.ts' : 'workers/main.ts',
    env: {
      ...process.env,
      ...{ MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl, MASTER_KEYS: masterKeys, CURRENCIES },
      ...{ HOST: '127.0.0.1', PORT: String(port), OPS_PORT: String(opsPort) },
    },
    onLine: (line) => lines.push(line),
  });
  child.ready.catch(() => undefined);
  const wrongSetting = await waitFor(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
      expect(answer.status).toBe(503);
      const said = ((await answer.json()) as { wrongSetting?: string }).wrongSetting;
      return said?.includes('not compared') === false ? said : undefined;
    },
    { timeoutMs: startedMaxMs },
  );
  return { child, port, opsPort, lines, wrongSetting };
}

it('a web process that gives a currency other decimals is not ready, says which, and opens no API', async () => {
  const { child, port, opsPort, lines, wrongSetting } = await startWrong('web', 'BTC:4,GEM:2');
  try {
    expect(wrongSetting).toContain('CURRENCIES gives BTC 4 decimals, but this database has it with 8');
    expect(lines.some((line) => line.includes('CURRENCIES gives BTC 4 decimals'))).toBe(true);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).toContain('transfers_setting_right{setting="CURRENCIES"} 0');
    expect((await collections.currencyRecord.all()).has('GEM')).toBe(false);
  } finally {
    expect((await child.stop(stopTimeoutMs)).code).toBe(0);
  }
  const right = await (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(right).toContain('transfers_setting_right{setting="CURRENCIES"} 1');
});

it('such a worker takes no partitions and posts nothing; one that leaves the currency out posts all', async () => {
  const external = await collections.wallets.ensureExternal(workspace.workspaceId, 'BTC');
  const target = await workspace.wallet('0', 'BTC');
  const { child, wrongSetting } = await startWrong('worker', 'BTC:10');
  try {
    expect(wrongSetting).toContain('admin currencies set --currency BTC --decimals 10');
    const funded = service.admin<{ transferId: string }>(
      'wallet',
      'fund',
      '--no-wait',
      '--wallet',
      target,
      '--amount',
      '3.12345678',
    );
    const { transferId } = await funded;
    const worker = await service.startWorker({ CURRENCIES: 'USDT:6' });
    await untilPosted(transferId);
    const posted = await mongodb
      .db()
      .collection('orders')
      .findOne({ postedBy: { $exists: true } });
    expect((posted as { postedBy: { worker: string } } | null)?.postedBy.worker).toContain(worker.ownId);
    expect(await mongodb.db().collection('posters').countDocuments({ kind: 'worker' })).toBe(1);
  } finally {
    expect((await child.stop(stopTimeoutMs)).code).toBe(0);
  }
  expect(external.currency).toBe('BTC');
});

/** As a web process of the service knows them. */
async function currenciesOf({ client }: TestWorkspace): Promise<{ code: string; decimals: number }[]> {
  const { envelope } = await client.request<{ currencies: { code: string; decimals: number }[] }>('GET', '/api/v1/key');
  return envelope?.data.currencies ?? [];
}

it('a rolling update that adds a currency does not wait for the processes that lack it: they learn it', async () => {
  const added = await service.startWeb({ CURRENCIES: 'BTC:8,GEM:3' });
  const body = { sourceWalletId: '', targetWalletId: '', amount: '0.125', currency: 'GEM' };
  const source = await workspace.wallet('5.5', 'GEM');
  const target = await workspace.wallet('0', 'GEM');
  await waitFor(async () => (await currenciesOf(workspace)).some(({ code }) => code === 'GEM'));
  // By the older web process, whose settings do not name it, and posted by a worker that was not told either.
  const { status, envelope } = await create({ ...body, sourceWalletId: source, targetWalletId: target });
  expect([status, envelope?.data.amount]).toEqual([200, '0.125']);
  await untilPosted(envelope?.data.transferId ?? '');
  const list = await workspace.client.request<{ total: number }>('GET', '/api/v1/wallets', { query: 'currency=GEM' });
  expect([list.status, list.envelope?.data.total]).toEqual([200, 2]);
  // A later list that drops it drops nothing: not for the processes that run, nor for those that start.
  expect((await added.stop(stopTimeoutMs)).code).toBe(0);
  service.webs.pop();
  await service.startWeb({ CURRENCIES: 'USDT:6' });
  expect(await currenciesOf(workspace)).toContainEqual({ code: 'GEM', decimals: 3 });
});

it('the command line takes what the database has, whatever its own setting says, and stores nothing against it', async () => {
  const env = { ...process.env, MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl, MASTER_KEYS: masterKeys };
  const list = ['wallet', 'list', '--workspace', workspace.workspaceId];
  const wallets = (await runAdminJson(list, { ...env, CURRENCIES: 'BTC:2' })) as {
    balance: string;
    currency: string;
  }[];
  expect(wallets.find(({ currency, balance }) => currency === 'BTC' && !balance.startsWith('-'))?.balance).toBe(
    '3.12345678',
  );
  const make = ['wallet', 'create', '--workspace', workspace.workspaceId, '--currency', 'BTC'];
  await expect(runAdminJson(make, { ...env, CURRENCIES: 'BTC:2' })).rejects.toThrow('CURRENCIES gives BTC 2 decimals');
});
