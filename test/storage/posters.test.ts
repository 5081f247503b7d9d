import { beforeEach, describe, expect, test } from 'vitest';
import { openPosters } from '../../src/storage/posters.ts';
import type { OtherPoster, Standing } from '../../src/storage/posters.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const posters = openPosters(db);
async function beat(id: string, standing: Standing = 'taking'): Promise<OtherPoster[]> {
  await posters.enlist({ id, sessions: [], standing });
  return posters.others(id);
}

beforeEach(async () => {
  await db.collection('posters').deleteMany({});
});

describe('a worker process that says that it is alive', () => {
  test('learns how the others stand, not how it stands itself', async () => {
    expect(await beat('worker-1')).toEqual([]);
    expect(await beat('worker-2', 'away')).toEqual([{ id: 'worker-1', standing: 'taking' }]);
    expect(await beat('worker-1', 'posting')).toEqual([{ id: 'worker-2', standing: 'away' }]);
    expect((await beat('worker-3')).map(({ standing }) => standing).toSorted()).toEqual(['away', 'posting']);
    await posters.remove('worker-2');
    expect(await beat('worker-3')).toEqual([{ id: 'worker-1', standing: 'posting' }]);
  });

  test('counts one of an older version, which does not say how it stands, as taking jobs', async () => {
    await db.collection<{ _id: string }>('posters').insertOne({ _id: 'older' });
    expect(await beat('worker-1')).toEqual([{ id: 'older', standing: 'taking' }]);
  });

  test('is not among the others any more once they gave it up for its silence', async () => {
    await beat('worker-1');
    await waitFor(async () => (await posters.reapSilent('worker-2', 1)).includes('worker-1'));
    expect(await beat('worker-2')).toEqual([]);
  });

  test('does not give itself up, however late it is', async () => {
    await beat('worker-1');
    await beat('worker-2');
    const reaped: string[] = [];
    await waitFor(async () => reaped.push(...(await posters.reapSilent('worker-1', 1))) > 0);
    expect(reaped).toEqual(['worker-2']);
    expect(await beat('worker-3')).toEqual([{ id: 'worker-1', standing: 'taking' }]);
  });
});
