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

/* Very many holds that expire at one moment, while things break. */

const holdCount = Number(process.env['HOLDS'] ?? 400);

let scene: DueScene;
beforeAll(async () => {
  scene = await openDueScene();
});
afterAll(() => scene.close());

/** Makes holds that all expire at a moment. */
async function makeHolds(expiresAt: Date): Promise<string[]> {
  const ids = await makeMany(scene.workspace, holdCount, async (sides) => {
    const { envelope } = await scene.workspace.client.request<{ transferId: string }>(
      'POST',
      '/api/v1/transfer/command/hold',
      { body: { ...sides, expiresAt: expiresAt.toISOString() } },
    );
    return envelope!.data.transferId;
  });
  await waitFor(async () => (await scene.orders.countDocuments({ _id: { $in: ids }, status: 'PENDING' })) === 0, {
    timeoutMs: 60_000,
  });
  return ids;
}

/** Waits until all were released, each once. */
async function released(ids: readonly string[], dueAt: Date): Promise<Done[]> {
  const releases = () => scene.orders.find({ parentId: { $in: [...ids] }, status: 'COMPLETED' }).toArray();
  await waitFor(async () => (await releases()).length >= ids.length, { timeoutMs: 120_000 });
  const found = await releases();
  expect(new Set(found.map(({ parentId }) => parentId as string)).size).toBe(found.length);
  return found.map(({ completedAt }) => ({ dueAt, doneAt: completedAt as Date }));
}

/** How long making them may take, and a little more. */
const ahead = (): Date => new Date(Date.now() + 15_000 + holdCount * 2);

it(
  `${holdCount} holds that expire at once are released, none early, and another workspace is posted meanwhile`,
  { timeout: timeoutMs },
  async () => {
    const expiresAt = ahead();
    const ids = await makeHolds(expiresAt);
    const { ends, shown } = await postMeanwhile(scene.other, expiresAt);
    const done = await released(ids, expiresAt);
    console.log(`${showLateness(done)}; ${shown}`);
    expectBetween(ends, done);
  },
);

it(
  'what expires while Redis is emptied and a worker is killed is released once all is back',
  { timeout: timeoutMs },
  async () => {
    const expiresAt = ahead();
    const ids = await makeHolds(expiresAt);
    await sleep(Math.max(0, expiresAt.getTime() - Date.now()));
    await breakForTwoSeconds(scene.service);
    console.log(showLateness(await released(ids, expiresAt)));
    expect((await scene.service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
  },
);
