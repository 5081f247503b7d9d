import { MongoClient } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { startEngineProcess } from '../../local/engine-process.ts';
import { uniqueDatabaseName, withDatabase } from '../support/database.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import { waitFor } from '../support/wait-for.ts';

const stopTimeoutMs = 5_000;
/** Those that follow hang as well, until the last of what goes on meanwhile. Short, so that all can be answered then. */
const hangMs = 1_500;
/** What may wait for its turn of one workspace is less. */
const listsAtOnce = 140;
const underWayMax = 128;

// Of its own, because a fail point holds for the whole server.
const engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
afterAll(() => engine.stop(stopTimeoutMs));
const { uri } = await engine.ready;
const client = new MongoClient(uri);
const service = await serviceForTests({ mongodbUri: withDatabase(uri, uniqueDatabaseName()) });
const [home, other] = await Promise.all([createWorkspace(service), createWorkspace(service)]);
const [alice, bob] = [await home.wallet('100'), await home.wallet()];
afterAll(async () => {
  await failPoint('off', {});
  await client.close();
});

const failPoint = (mode: string, data: object) =>
  client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

it('lists that hang keep no create, no key and no single read waiting; those beyond the bound are 503', async () => {
  const data = { blockConnection: true, blockTimeMS: hangMs, appName: 'signed-wallet-transfers lists' };
  await failPoint('alwaysOn', { failCommands: ['find', 'aggregate'], ...data });
  const refused: { status: number; code: string | undefined; retryAfter: string | undefined }[] = [];
  const lists = Array.from({ length: listsAtOnce }, async (_, index) => {
    const from = new Date(Date.UTC(2000, 0, 1, 0, 0, index)).toISOString();
    const query = { status: 'COMPLETED', from };
    const answer = await home.client.request('GET', '/api/v1/transfer/query/orders', { query });
    if (answer.status !== 200) {
      refused.push({
        status: answer.status,
        code: answer.envelope?.code,
        retryAfter: answer.headers['retry-after'],
      });
    }
    return answer.status;
  });
  await waitFor(() => refused.length >= listsAtOnce - underWayMax);

  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
  const done = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const created = await home.client.request('POST', '/api/v1/transfer/command/create', {
        body,
        headers: { Prefer: 'wait=10' },
      });
      const balance = await home.client.request('GET', `/api/v1/wallets/${alice}/balance`);
      return [created.status, (created.envelope?.data as { status: string }).status, balance.status];
    }),
  );
  expect(done).toEqual(done.map(() => [200, 'COMPLETED', 200]));
  // A key that was never used before is looked up as well.
  expect((await other.client.request('GET', '/api/v1/wallets/wa_unknown')).status).toBe(404);

  await failPoint('off', {});
  await Promise.all(lists);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 503, code: 'SY5031' });
    expect(Number(answer.retryAfter)).toBeGreaterThan(0);
  }
  expect((await home.client.request('GET', '/api/v1/transfer/query/orders')).status).toBe(200);
}, 90_000);
