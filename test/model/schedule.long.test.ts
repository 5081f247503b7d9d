import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import {
  breakForTwoSeconds,
  expectBetween,
  makeMany,
  openDueScene,
  postMeanwhile,
  showLateness,
  timeoutMs,
  type Done,
  type DueScene,
} from './due-at-once.ts';

/* Very many orders whose time comes in one second, while things break. */

const orderCount = Number(process.env['SCHEDULED'] ?? 400);

let scene: DueScene;
beforeAll(async () => {
  scene = await openDueScene();
});
afterAll(() => scene.close());

/** Schedules transfers for times within the second behind a moment. */
async function scheduleMany(from: Date): Promise<string[]> {
  const ids = await makeMany(scene.workspace, orderCount, async (sides, index) => {
    const executeAt = new Date(from.getTime() + (index % 1_000)).toISOString();
    const { envelope } = await scene.workspace.client.request<{ transferId: string; status: string }>(
      'POST',
      '/api/v1/transfer/command/create',
      { body: { ...sides, executeAt } },
    );
    expect(envelope!.data.status).toBe('SCHEDULED');
    return envelope!.data.transferId;
  });
  expect(Date.now()).toBeLessThan(from.getTime());
  return ids;
}

/** Waits until all were posted, each once. */
async function posted(ids: readonly string[]): Promise<Done[]> {
  const { orders, flows, workspace } = scene;
  const open = { workspaceId: workspace.workspaceId, status: { $in: ['SCHEDULED', 'PENDING'] } };
  // Seldom, and by an index, because it takes time from what is measured.
  await waitFor(async () => (await orders.countDocuments(open, { hint: 'unsettled_orders' })) === 0, {
    timeoutMs: 120_000,
    intervalMs: 1_000,
  });
  expect(await flows.countDocuments({ transferId: { $in: [...ids] } })).toBe(2 * ids.length);
  const completed = await orders.find({ _id: { $in: [...ids] }, status: 'COMPLETED' }).toArray();
  expect(completed).toHaveLength(ids.length);
  return completed.map((order) => ({ dueAt: order['executeAt'] as Date, doneAt: order['completedAt'] as Date }));
}

/** How long scheduling them may take, and a little more. */
const ahead = (): Date => new Date(Date.now() + 10_000 + orderCount * 4);

it(
  `${orderCount} orders whose time comes at once are posted, none early, and another workspace is posted meanwhile`,
  { timeout: timeoutMs },
  async () => {
    const from = ahead();
    const ids = await scheduleMany(from);
    const { ends, shown } = await postMeanwhile(scene.other, from);
    const done = await posted(ids);
    console.log(`${showLateness(done)}; ${shown}`);
    expectBetween(ends, done);
  },
);

it(
  'what is due while Redis is emptied and a worker is killed is posted once all is back',
  { timeout: timeoutMs },
  async () => {
    const from = ahead();
    const ids = await scheduleMany(from);
    await sleep(Math.max(0, from.getTime() - Date.now()));
    await breakForTwoSeconds(scene.service);
    console.log(showLateness(await posted(ids)));
    expect((await scene.service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
  },
);
