import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const STOP_TIMEOUT_MS = 20_000;
const CLIENTS = 32;
/** Enough to keep the workers busy, below what one key may ask for. */
const PAUSE_MS = 40;

let service: ServiceProcesses;
let workspace: TestWorkspace;
let wallets: string[];

beforeAll(async () => {
  service = await startServiceProcesses({ workers: 1 });
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('1000000'), await workspace.wallet('1000000')];
});
afterAll(() => service.stop());

const textOf = async (path: string) => (await fetch(service.opsUrl + path)).text();
const scaling = async () => JSON.parse(await textOf('/scaling')) as Record<string, number>;

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

/** Creates without pause until stopped. */
function startLoad() {
  const ids: string[] = [];
  let isStopped = false;
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!isStopped) {
      ids.push(await create(index % 2));
      await delay(PAUSE_MS);
    }
  });
  const all = Promise.all(clients);
  // Thrown to who stops it.
  all.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await all;
      return ids;
    },
  };
}

describe('under load', () => {
  it('workers come and go, by SIGTERM and SIGKILL, and every accepted order is completed', async () => {
    const load = startLoad();
    await waitFor(async () => ((await scaling())['postedPerSecond'] ?? 0) > 0);
    await Promise.all([service.startWorker(), service.startWorker()]);
    await waitFor(async () => (await scaling())['workersAlive'] === 3);

    const [first, second] = service.workers;
    first?.kill('SIGKILL');
    await second?.stop(STOP_TIMEOUT_MS);
    await waitFor(async () => (await scaling())['workersAlive'] === 1, { timeoutMs: 15_000 });
    await waitFor(async () => ((await scaling())['postedPerSecond'] ?? 0) > 0);
    const ids = await load.stop();

    expect(ids.length).toBeGreaterThan(100);
    await waitFor(async () => (await scaling())['pendingOrders'] === 0, { timeoutMs: 20_000 });
    const client = new MongoClient(service.mongodbUri);
    try {
      const orders = client.db().collection<{ _id: string; status: string }>('orders');
      expect(await orders.countDocuments({ _id: { $in: ids }, status: 'COMPLETED' })).toBe(ids.length);
    } finally {
      await client.close();
    }
    expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
  }, 90_000);
});
