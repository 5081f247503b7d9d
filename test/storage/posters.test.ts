import { beforeEach, describe, expect, test } from 'vitest';
import { openPosters } from '../../src/storage/posters.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const posters = openPosters(db);
const beat = (id: string, isAway = false) => posters.beat({ id, sessions: [], isAway });

beforeEach(async () => {
  await db.collection('posters').deleteMany({});
});

describe('a worker process that says that it is alive', () => {
  test('learns whether others are', async () => {
    expect(await beat('worker-1')).toBe(false);
    expect(await beat('worker-2')).toBe(true);
    expect(await beat('worker-1')).toBe(true);
    await posters.remove('worker-2');
    expect(await beat('worker-1')).toBe(false);
  });

  test('does not count those that are away, but learns of others itself while it is', async () => {
    await beat('worker-1');
    expect(await beat('worker-2', true)).toBe(true);
    expect(await beat('worker-1')).toBe(false);
    await beat('worker-2');
    expect(await beat('worker-1')).toBe(true);
  });

  test('counts one of an older version, which says nothing of being away', async () => {
    await db.collection<{ _id: string }>('posters').insertOne({ _id: 'older' });
    expect(await beat('worker-1')).toBe(true);
  });

  test('is no company any more once others gave it up for its silence', async () => {
    await beat('worker-1');
    await waitFor(async () => (await posters.reapSilent(1)).includes('worker-1'));
    expect(await beat('worker-2')).toBe(false);
  });
});
