import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { runAdminJson } from '../support/admin.ts';
import { startRefused } from '../support/refused.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
const postedMaxMs = 60_000;
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

it('a web process that gives a currency other decimals ends, says which, and records nothing', async () => {
  const { said } = await startRefused(service, 'web', { CURRENCIES: 'BTC:4,GEM:2' });
  expect(said).toContain('CURRENCIES gives BTC 4 decimals, but this database has it with 8');
  expect((await collections.currencyRecord.all()).has('GEM')).toBe(false);
});

it('such a worker ends too; one that leaves the currency out posts all', async () => {
  const target = await workspace.wallet('0', 'BTC');
  const { said } = await startRefused(service, 'worker', { CURRENCIES: 'BTC:10' });
  expect(said).toContain('admin currencies set --currency BTC --decimals 10');
  const fund = ['wallet', 'fund', '--no-wait', '--wallet', target, '--amount', '3.12345678'];
  const { transferId } = await service.admin<{ transferId: string }>(...fund);
  await service.startWorker({ CURRENCIES: 'USDT:6' });
  await untilPosted(transferId);
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
