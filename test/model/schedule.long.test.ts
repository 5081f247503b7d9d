import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

/* Very many orders whose time comes in one second, while things break. */

const orderCount = Number(process.env['SCHEDULED'] ?? 400);
const atOnce = 50;
const timeoutMs = 1_800_000;

interface OrderRow extends Document {
  _id: string;
  status: string;
  executeAt: Date;
  completedAt: Date;
}

let service: ServiceProcesses;
let mongodb: MongoClient;
let workspace: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  const rates = { KEY_RATE_PER_SECOND: '100000', KEY_RATE_BURST: '100000' };
  service = await startServiceProcesses({ workers: 2, env: rates });
  mongodb = new MongoClient(service.mongodbUri);
  [workspace, other] = [await createWorkspace(service), await createWorkspace(service)];
});
afterAll(async () => {
  await mongodb.close();
  await service.stop();
});

const orders = () => mongodb.db().collection<OrderRow>('orders');

/** Schedules transfers of 1.00 from ten wallets for times within the second behind a moment. */
async function scheduleMany(from: Date): Promise<string[]> {
  const target = await workspace.wallet();
  const sources: string[] = [];
  for (let count = 0; count < 10; count += 1) sources.push(await workspace.wallet('100000'));
  const one = async (index: number): Promise<string> => {
    const executeAt = new Date(from.getTime() + (index % 1_000)).toISOString();
    const sides = { sourceWalletId: sources[index % sources.length]!, targetWalletId: target };
    const { envelope } = await workspace.client.request<{ transferId: string; status: string }>(
      'POST',
      '/api/v1/transfer/command/create',
      { body: { ...sides, amount: '1', currency: 'USD', executeAt } },
    );
    expect(envelope!.data.status).toBe('SCHEDULED');
    return envelope!.data.transferId;
  };
  const ids: string[] = [];
  while (ids.length < orderCount)
    ids.push(...(await Promise.all(Array.from({ length: atOnce }, (_, index) => one(ids.length + index)))));
  expect(Date.now()).toBeLessThan(from.getTime());
  return ids;
}

/** How late each order was posted, in milliseconds. */
async function lateness(ids: readonly string[]): Promise<number[]> {
  const open = { workspaceId: workspace.workspaceId, status: { $in: ['SCHEDULED', 'PENDING'] } };
  // Seldom, and by an index, because it takes time from what is measured.
  await waitFor(async () => (await orders().countDocuments(open, { hint: 'unsettled_orders' })) === 0, {
    timeoutMs: 120_000,
    intervalMs: 1_000,
  });
  const flows = await mongodb
    .db()
    .collection('flows')
    .countDocuments({ transferId: { $in: [...ids] } });
  expect(flows).toBe(2 * ids.length);
  const completed = await orders()
    .find({ _id: { $in: [...ids] }, status: 'COMPLETED' })
    .toArray();
  expect(completed).toHaveLength(ids.length);
  return completed
    .map(({ executeAt, completedAt }) => completedAt.getTime() - executeAt.getTime())
    .sort((a, b) => a - b);
}

const show = (sorted: readonly number[]): string =>
  `least ${sorted[0]}, p50 ${sorted[Math.floor(sorted.length / 2)]}, p99 ${sorted[Math.floor(sorted.length * 0.99)]}, most ${sorted.at(-1)} ms late`;

/** How long scheduling them may take, and a little more. */
const ahead = (): Date => new Date(Date.now() + 10_000 + orderCount * 4);

it(
  `${orderCount} orders whose time comes at once are posted, none early, and another workspace is posted meanwhile`,
  { timeout: timeoutMs },
  async () => {
    const [alice, bob] = [await other.wallet('1000'), await other.wallet()];
    const from = ahead();
    const ids = await scheduleMany(from);
    const took: number[] = [];
    await sleep(Math.max(0, from.getTime() - Date.now() - 1_000));
    while (Date.now() < from.getTime() + 5_000) {
      const startedAt = performance.now();
      const { envelope } = await other.client.request<{ status: string }>('POST', '/api/v1/transfer/command/create', {
        body: { sourceWalletId: alice, targetWalletId: bob, amount: '0.01', currency: 'USD' },
        headers: { Prefer: 'wait=10' },
      });
      expect(envelope!.data.status).toBe('COMPLETED');
      took.push(performance.now() - startedAt);
      await sleep(50);
    }
    const late = await lateness(ids);
    expect(late[0]).toBeGreaterThanOrEqual(0);
    took.sort((a, b) => a - b);
    console.log(
      `${show(late)}; another workspace's transfers took p50 ${Math.round(took[Math.floor(took.length / 2)]!)}, most ${Math.round(took.at(-1)!)} ms`,
    );
  },
);

it(
  'what is due while Redis is emptied and a worker is killed is posted once all is back',
  { timeout: timeoutMs },
  async () => {
    const from = ahead();
    const ids = await scheduleMany(from);
    await sleep(Math.max(0, from.getTime() - Date.now()));
    const redis = new Redis(service.redisUrl);
    const [worker] = service.workers.splice(0, 1);
    worker!.kill('SIGKILL');
    for (let time = 0; time < 4; time += 1) {
      await redis.flushdb();
      await sleep(500);
    }
    redis.disconnect();
    await service.startWorker();
    const late = await lateness(ids);
    expect(late[0]).toBeGreaterThanOrEqual(0);
    console.log(show(late));
    expect((await service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
  },
);
