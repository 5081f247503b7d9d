import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

/* Very many holds that expire at one moment, while things break. */

const holdCount = Number(process.env['HOLDS'] ?? 400);
const atOnce = 50;
const timeoutMs = 1_800_000;

interface HoldRow extends Document {
  _id: string;
  expiresAt: Date;
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

const orders = () => mongodb.db().collection<HoldRow>('orders');

/** Makes holds of 1.00 that all expire at a moment, each on one of ten wallets. */
async function makeHolds(expiresAt: Date): Promise<string[]> {
  const target = await workspace.wallet();
  const sources: string[] = [];
  for (let count = 0; count < 10; count += 1) sources.push(await workspace.wallet('100000'));
  const one = async (index: number): Promise<string> => {
    const { envelope } = await workspace.client.request<{ transferId: string }>(
      'POST',
      '/api/v1/transfer/command/hold',
      {
        body: {
          ...{ sourceWalletId: sources[index % sources.length]!, targetWalletId: target, amount: '1', currency: 'USD' },
          expiresAt: expiresAt.toISOString(),
        },
      },
    );
    return envelope!.data.transferId;
  };
  const ids: string[] = [];
  while (ids.length < holdCount)
    ids.push(...(await Promise.all(Array.from({ length: atOnce }, (_, index) => one(ids.length + index)))));
  await waitFor(async () => (await orders().countDocuments({ _id: { $in: ids }, status: 'PENDING' })) === 0, {
    timeoutMs: 60_000,
  });
  return ids;
}

/** How late each hold was released, in milliseconds; none before its time. */
async function lateness(ids: readonly string[]): Promise<number[]> {
  const releases = () =>
    orders()
      .find({ parentId: { $in: [...ids] }, status: 'COMPLETED' })
      .toArray();
  await waitFor(async () => (await releases()).length >= ids.length, { timeoutMs: 120_000 });
  const holds = new Map(
    (
      await orders()
        .find({ _id: { $in: [...ids] } })
        .toArray()
    ).map((hold) => [hold._id, hold]),
  );
  const found = await releases();
  // Each hold was released once.
  expect(new Set(found.map(({ parentId }) => parentId as string)).size).toBe(found.length);
  return found
    .map(
      ({ parentId, completedAt }) =>
        (completedAt as Date).getTime() - holds.get(parentId as string)!.expiresAt.getTime(),
    )
    .sort((a, b) => a - b);
}

const show = (sorted: readonly number[]): string =>
  `least ${sorted[0]}, p50 ${sorted[Math.floor(sorted.length / 2)]}, p99 ${sorted[Math.floor(sorted.length * 0.99)]}, most ${sorted.at(-1)} ms late`;

it(
  `${holdCount} holds that expire at once are released, none early, and another workspace is posted meanwhile`,
  { timeout: timeoutMs },
  async () => {
    const [alice, bob] = [await other.wallet('1000'), await other.wallet()];
    const expiresAt = new Date(Date.now() + 15_000 + holdCount * 2);
    const ids = await makeHolds(expiresAt);
    const took: number[] = [];
    await sleep(Math.max(0, expiresAt.getTime() - Date.now() - 1_000));
    const until = expiresAt.getTime() + 5_000;
    while (Date.now() < until) {
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
  'what expires while Redis is emptied and a worker is killed is released once all is back',
  { timeout: timeoutMs },
  async () => {
    const expiresAt = new Date(Date.now() + 15_000 + holdCount * 2);
    const ids = await makeHolds(expiresAt);
    await sleep(Math.max(0, expiresAt.getTime() - Date.now()));
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
