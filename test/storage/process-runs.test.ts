import { beforeEach, describe, expect, it } from 'vitest';
import { openProcessRuns } from '../../src/storage/processes/runs.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const runs = openProcessRuns(db);
const longAgo = new Date(0);
const ago = (ms: number): Date => new Date(Date.now() - ms);

beforeEach(async () => {
  await ensureSchema(db);
  await db.collection('processRuns').deleteMany({});
});

describe('the run of a process', () => {
  it('is known from its start to its end', async () => {
    await runs.seen('a', 'web');
    await runs.seen('a', 'web');
    const aDate = expect.any(Date) as Date;
    expect(await runs.since(longAgo)).toEqual([{ id: 'a', kind: 'web', seenAt: aDate }]);
    await runs.ended('a');
    await runs.seen('a', 'web');
    expect(await runs.since(longAgo)).toEqual([{ id: 'a', kind: 'web', seenAt: aDate, endedAt: aDate }]);
  });

  it('that is not known, because it is older than a day, does not come back by its end', async () => {
    await runs.ended('a');
    expect(await runs.since(longAgo)).toEqual([]);
  });

  it('is found by when it was last heard of, the latest first', async () => {
    for (const id of ['before', 'b', 'a']) await runs.seen(id, 'worker');
    const processRuns = db.collection<{ _id: string; at: Date }>('processRuns');
    await processRuns.updateOne({ _id: 'b' }, { $set: { at: ago(5_000) } });
    await processRuns.updateOne({ _id: 'before' }, { $set: { at: ago(10_000) } });
    expect((await runs.since(ago(7_000))).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('is forgotten by the server after a day', async () => {
    const indexes = await db.collection('processRuns').indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { at: 1 }, name: 'process_runs_kept', expireAfterSeconds: 86_400 }),
    );
  });
});
