import { beforeEach, expect, it } from 'vitest';
import { openPostingPause } from '../../src/storage/posting-pause.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const recorded = db.collection<{ _id: string }>('partitioning');
const postingPause = openPostingPause(db);

beforeEach(() => recorded.deleteMany({}));

it('posting is not paused until somebody pauses it, and goes on once it is resumed', async () => {
  expect(await postingPause.isPaused()).toBe(false);
  for (const isPaused of [true, true, false, false]) {
    await postingPause.set(isPaused);
    expect(await postingPause.isPaused()).toBe(isPaused);
  }
});

it('a partition that an earlier release paused counts as posting paused, until that is resumed', async () => {
  await recorded.insertOne({ _id: 'posting', count: 8, paused: [] } as never);
  expect(await postingPause.isPaused()).toBe(false);
  await recorded.updateOne({ _id: 'posting' }, { $set: { paused: [3] } });
  expect(await postingPause.isPaused()).toBe(true);
  await postingPause.set(false);
  expect(await postingPause.isPaused()).toBe(false);
});
