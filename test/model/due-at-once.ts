import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient, type Document } from 'mongodb';
import { expect } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

/* What is common to tests of very many orders about which something is due at once. */

export const timeoutMs = 1_800_000;
const atOnce = 50;
const sourceCount = 10;

interface OrderRow extends Document {
  _id: string;
}

/** The wallets of an order of 1.00. */
export interface Sides {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: string;
  readonly currency: string;
}

export type DueScene = Awaited<ReturnType<typeof openDueScene>>;

/** A service of two workers, a workspace where much is due, and another one. */
export async function openDueScene() {
  const rates = { KEY_RATE_PER_SECOND: '100000' };
  const service = await startServiceProcesses({ workers: 2, env: rates });
  const mongodb = new MongoClient(service.mongodbUri);
  const [workspace, other] = [await createWorkspace(service), await createWorkspace(service)];
  return {
    ...{ service, workspace, other },
    orders: mongodb.db().collection<OrderRow>('orders'),
    flows: mongodb.db().collection('flows'),
    async close(): Promise<void> {
      await mongodb.close();
      await service.stop();
    },
  };
}

/** Makes orders from ten wallets to one. @param make makes the one of an index. @returns their ids. */
export async function makeMany(
  workspace: TestWorkspace,
  count: number,
  make: (sides: Sides, index: number) => Promise<string>,
): Promise<string[]> {
  const targetWalletId = await workspace.wallet();
  const sources: string[] = [];
  while (sources.length < sourceCount) sources.push(await workspace.wallet('100000'));
  const one = (index: number): Promise<string> => {
    const sourceWalletId = sources[index % sources.length]!;
    return make({ sourceWalletId, targetWalletId, amount: '1', currency: 'USD' }, index);
  };
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: atOnce }, (_, index) => one(ids.length + index)))));
  return ids;
}

/** Posts transfers of another workspace from shortly before a moment until some time behind it. */
export async function postMeanwhile(other: TestWorkspace, from: Date) {
  const [alice, bob] = [await other.wallet('1000'), await other.wallet()];
  const ends: number[] = [];
  const took: number[] = [];
  await sleep(Math.max(0, from.getTime() - Date.now() - 1_000));
  while (Date.now() < from.getTime() + 5_000) {
    const startedAt = performance.now();
    const { envelope } = await other.client.request<{ status: string; completedAt: string }>(
      'POST',
      '/api/v1/transfer/command/create',
      {
        body: { sourceWalletId: alice, targetWalletId: bob, amount: '0.01', currency: 'USD' },
        headers: { Prefer: 'wait=10' },
      },
    );
    expect(envelope!.data.status).toBe('COMPLETED');
    ends.push(Date.parse(envelope!.data.completedAt));
    took.push(performance.now() - startedAt);
    await sleep(50);
  }
  took.sort((a, b) => a - b);
  return {
    /** When each was completed. */
    ends,
    shown: `another workspace's transfers took p50 ${Math.round(took[Math.floor(took.length / 2)]!)}, most ${Math.round(took.at(-1)!)} ms`,
  };
}

/** Empties Redis for two seconds, and replaces a worker by another. */
export async function breakForTwoSeconds(service: ServiceProcesses): Promise<void> {
  const redis = new Redis(service.redisUrl);
  const [worker] = service.workers.splice(0, 1);
  worker!.kill('SIGKILL');
  for (let time = 0; time < 4; time += 1) {
    await redis.flushdb();
    await sleep(500);
  }
  redis.disconnect();
  await service.startWorker();
}

/** An order of which something was due, and when that was done. */
export interface Done {
  readonly dueAt: Date;
  readonly doneAt: Date;
}

/** Asserts that nothing was done early. @returns how late it was. */
export function showLateness(done: readonly Done[]): string {
  const late = done.map(({ dueAt, doneAt }) => doneAt.getTime() - dueAt.getTime()).sort((a, b) => a - b);
  expect(late[0]).toBeGreaterThanOrEqual(0);
  const share = (part: number): number | undefined => late[Math.floor(late.length * part)];
  return `least ${late[0]}, p50 ${share(0.5)}, p99 ${share(0.99)}, most ${late.at(-1)} ms late`;
}

/** Asserts that some of these ended after what is due began to be done, and before all of it was. */
export function expectBetween(ends: readonly number[], done: readonly Done[]): void {
  const from = Math.min(...done.map(({ dueAt }) => dueAt.getTime()));
  const until = Math.max(...done.map(({ doneAt }) => doneAt.getTime()));
  expect(ends.filter((at) => at >= from && at <= until)).not.toEqual([]);
}
