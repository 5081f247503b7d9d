import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsPath, expectSoundBooks, patient, type OrderData } from '../support/orders.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { breakForTwoSeconds } from './break-things.ts';

/* Very many orders about which something is due at once, while things break. */

const orderCount = Number(process.env['DUE_AT_ONCE'] ?? 400);
const timeoutMs = 1_800_000;
const atOnce = 50;
const sourceCount = 10;
/** How long making them may take, and a little more. */
const aheadMs = 15_000 + orderCount * 4;

interface OrderRow extends Document {
  _id: string;
}

/** An order of which something was due, and when that was done. */
interface Done {
  readonly dueAt: Date;
  readonly doneAt: Date;
}

interface Kind {
  readonly command: string;
  /** When what is due of the one of an index is due, and the field that says so. */
  readonly due: (from: Date, index: number) => Record<string, string>;
  /** Waits until it was done of all, of each once. */
  readonly done: (ids: readonly string[], from: Date) => Promise<Done[]>;
}

let service: ServiceProcesses;
let mongodb: MongoClient;
let workspace: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  service = await startServiceProcesses({ workers: 2, env: { KEY_RATE_PER_SECOND: '100000' } });
  mongodb = new MongoClient(service.mongodbUri);
  [workspace, other] = [await createWorkspace(service), await createWorkspace(service)];
});
afterAll(async () => {
  await mongodb.close();
  await service.stop();
});
const orders = () => mongodb.db().collection<OrderRow>('orders');

const kinds: Record<string, Kind> = {
  'transfers whose time comes within one second': {
    command: 'create',
    due: (from, index) => ({ executeAt: new Date(from.getTime() + (index % 1_000)).toISOString() }),
    async done(ids) {
      const open = { workspaceId: workspace.workspaceId, status: { $in: ['SCHEDULED', 'PENDING'] } };
      // Seldom, and by an index, because it takes time from what is measured.
      await waitFor(async () => (await orders().countDocuments(open, { hint: 'unsettled_orders' })) === 0, {
        timeoutMs: 120_000,
        intervalMs: 1_000,
      });
      const flows = mongodb.db().collection('flows');
      expect(await flows.countDocuments({ transferId: { $in: [...ids] } })).toBe(2 * ids.length);
      const posted = await orders()
        .find({ _id: { $in: [...ids] }, status: 'COMPLETED' })
        .toArray();
      expect(posted).toHaveLength(ids.length);
      return posted.map(({ executeAt, completedAt }) => ({ dueAt: executeAt as Date, doneAt: completedAt as Date }));
    },
  },
  'holds that expire at one moment': {
    command: 'hold',
    due: (from) => ({ expiresAt: from.toISOString() }),
    async done(ids, dueAt) {
      const releases = () =>
        orders()
          .find({ parentId: { $in: [...ids] }, status: 'COMPLETED' })
          .toArray();
      await waitFor(async () => (await releases()).length >= ids.length, { timeoutMs: 120_000 });
      const found = await releases();
      expect(new Set(found.map(({ parentId }) => parentId as string)).size).toBe(found.length);
      return found.map(({ completedAt }) => ({ dueAt, doneAt: completedAt as Date }));
    },
  },
};

/** Makes orders from ten wallets to one, all before anything of them is due. @returns their ids. */
async function make({ command, due }: Kind, from: Date): Promise<string[]> {
  const targetWalletId = await workspace.wallet();
  const sources: string[] = [];
  while (sources.length < sourceCount) sources.push(await workspace.wallet('100000'));
  const one = async (index: number): Promise<string> => {
    const sides = { sourceWalletId: sources[index % sources.length], targetWalletId };
    const body = { ...sides, amount: '1', currency: 'USD', ...due(from, index) };
    const { envelope } = await workspace.client.request<OrderData>('POST', `${commandsPath}/${command}`, { body });
    return envelope!.data.transferId;
  };
  const ids: string[] = [];
  while (ids.length < orderCount)
    ids.push(...(await Promise.all(Array.from({ length: atOnce }, (_, index) => one(ids.length + index)))));
  await waitFor(async () => (await orders().countDocuments({ _id: { $in: ids }, status: 'PENDING' })) === 0, {
    timeoutMs: 60_000,
  });
  expect(Date.now()).toBeLessThan(from.getTime());
  return ids;
}

/** Posts transfers of another workspace from shortly before a moment until some time behind it. @returns when each ended. */
async function postMeanwhile(from: Date): Promise<number[]> {
  const [alice, bob] = [await other.wallet('1000'), await other.wallet()];
  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '0.01', currency: 'USD' };
  const ends: number[] = [];
  await sleep(Math.max(0, from.getTime() - Date.now() - 1_000));
  while (Date.now() < from.getTime() + 5_000) {
    const options = { body, headers: patient };
    const { envelope } = await other.client.request<OrderData>('POST', `${commandsPath}/create`, options);
    expect(envelope!.data.status).toBe('COMPLETED');
    ends.push(Date.parse(envelope!.data.completedAt ?? ''));
    await sleep(50);
  }
  return ends;
}

/** Asserts that nothing was done early. Prints how late it was. */
function expectNoneEarly(done: readonly Done[]): void {
  const late = done.map(({ dueAt, doneAt }) => doneAt.getTime() - dueAt.getTime()).sort((a, b) => a - b);
  expect(late[0]).toBeGreaterThanOrEqual(0);
  console.log(`least ${late[0]}, p50 ${late[Math.floor(late.length / 2)]}, most ${late.at(-1)} ms late`);
}

describe.each(Object.entries(kinds))(`${orderCount} %s`, { timeout: timeoutMs }, (_, kind) => {
  it('are done, none early, and another workspace is posted meanwhile', async () => {
    const from = new Date(Date.now() + aheadMs);
    const ids = await make(kind, from);
    const ends = await postMeanwhile(from);
    const done = await kind.done(ids, from);
    expectNoneEarly(done);
    const until = Math.max(...done.map(({ doneAt }) => doneAt.getTime()));
    expect(ends.filter((at) => at >= from.getTime() && at <= until)).not.toEqual([]);
  });

  it('are done once all is back where Redis is emptied and a worker killed as they are due', async () => {
    const from = new Date(Date.now() + aheadMs);
    const ids = await make(kind, from);
    await sleep(Math.max(0, from.getTime() - Date.now()));
    await breakForTwoSeconds(service);
    expectNoneEarly(await kind.done(ids, from));
    await expectSoundBooks(service);
  });
});
