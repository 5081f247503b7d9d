import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

let service: RunningService;
let workspace: TestWorkspace;
let wallets: string[];

beforeAll(async () => {
  service = await startService({ workers: 1 });
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('1000000'), await workspace.wallet('1000000')];
});
afterAll(() => service.stop());

const textOf = async (path: string) => (await fetch(service.opsUrl + path)).text();

async function create(source = 0): Promise<string> {
  const [sourceWalletId, targetWalletId] = [wallets[source], wallets[1 - source]];
  const { status, envelope } = await workspace.client.request<{ transferId: string }>(
    'POST',
    '/api/v1/transfer/command/create',
    { body: { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' } },
  );
  if (status !== 200) throw new Error(`status ${status}`);
  return envelope?.data.transferId ?? '';
}

describe('an order that cannot be posted', () => {
  it('is set aside, counted, and shown with its reason; its neighbours go through', async () => {
    const client = new MongoClient(service.mongodbUri);
    const odd = await workspace.wallet('10', 'EUR');
    try {
      const orders = client.db().collection<{ _id: string; status: string; request?: unknown }>('orders');
      // As if a fault had got in: the API itself refuses a target of another currency. Old enough for the sweeper.
      const { request: _, ...sound } = (await orders.findOne({ _id: await create() })) ?? { _id: '', status: '' };
      const stuckId = leastIdAt('order', new Date(Date.now() - 10_000));
      const pending = { status: 'PENDING', failure: null, completedAt: null };
      const faulty = { ...sound, ...pending, _id: stuckId, bizId: stuckId, targetWalletId: odd };
      await orders.insertOne(faulty);
      await waitFor(async () => (await textOf('/metrics')).includes('transfers_stuck_orders 1\n'), {
        timeoutMs: 25_000,
      });
      const html = await textOf('/orders?status=SET_ASIDE');
      expect(html).toContain(`/order?id=${stuckId}`);
      expect(html).toContain('its currency is not that of its wallets');
      expect(await textOf(`/order?id=${stuckId}`)).toContain('set aside: nobody tries it until it is released');
      const neighbour = await create();
      await waitFor(async () => (await orders.findOne({ _id: neighbour }))?.status === 'COMPLETED');
    } finally {
      await client.close();
    }
  }, 60_000);
});
