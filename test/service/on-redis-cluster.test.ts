import { MongoClient } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

/** So many that each master has keys of some. */
const workspaces = 12;
const path = '/api/v1/transfer/command/create';
/** A busy machine takes its time to find a master gone, and back. */
const patiently = { timeoutMs: 60_000, intervalMs: 200 };

const cluster = await startRedisCluster();
afterAll(() => cluster.stop());
const service = await serviceForTests({ redisUrl: cluster.url });
const mongo = new MongoClient(service.mongodbUri);
afterAll(() => mongo.close());

const pending = () => mongo.db().collection('orders').countDocuments({ status: 'PENDING' });

it('the orders of every workspace are completed, also after a master was away, and a worker starts without it', async () => {
  const senders = await Promise.all(
    Array.from({ length: workspaces }, async () => {
      const workspace = await createWorkspace(service);
      const [sourceWalletId, targetWalletId] = [await workspace.wallet('1000'), await workspace.wallet()];
      const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
      return async () => (await workspace.client.request('POST', path, { body })).status;
    }),
  );
  const send = () => Promise.all(senders.map((create) => create()));
  expect(new Set(await send())).toEqual(new Set([200]));
  await waitFor(async () => (await pending()) === 0, patiently);

  await cluster.masters[1]!.kill();
  // Those of keys whose nonces are there are refused; the others' go on.
  await waitFor(async () => new Set(await send()).isSupersetOf(new Set([200, 503])), patiently);
  await service.startWorker();
  await cluster.masters[1]!.start({ isEmpty: true });
  await waitFor(async () => (await send()).every((status) => status === 200), patiently);
  await waitFor(async () => (await pending()) === 0, patiently);
  expect(await service.admin('verify')).toMatchObject({ breaches: 0, byStatus: { PENDING: 0, FAILED: 0 } });
});
