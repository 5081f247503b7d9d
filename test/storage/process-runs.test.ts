import { beforeEach, describe, expect, it } from 'vitest';
import { openProcessRuns } from '../../src/storage/processes/runs.ts';
import { openWorkers } from '../../src/storage/processes/workers.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const runs = openProcessRuns(db);
const workers = openWorkers(db);
const posters = db.collection<{ _id: string; lastSeenAt: Date }>('posters');
const longAgo = new Date(0);
const ago = (ms: number): Date => new Date(Date.now() - ms);
const enlist = (instanceId: string) => workers.enlist({ instanceId, sessions: [], takesPartitions: true });

beforeEach(async () => {
  await ensureSchema(db);
  for (const name of ['posters', 'processRuns']) await db.collection(name).deleteMany({});
});

describe('the run of a process', () => {
  it('begins once, however often that is said, and ends in order', async () => {
    await runs.starting('a', 'web');
    const [first] = await runs.since(longAgo);
    const aDate = expect.any(Date) as Date;
    expect(first).toEqual({ id: 'a', kind: 'web', startedAt: aDate, startingAt: aDate });
    await runs.starting('a', 'web');
    await runs.begun('a');
    await runs.ended('a');
    const whole = { ...first, startingAt: aDate, begunAt: aDate, endedAt: aDate };
    expect(await runs.since(longAgo)).toEqual([whole]);
  });

  it('that is not known, because it is older than a day, does not come back by its end', async () => {
    await runs.ended('a');
    expect(await runs.since(longAgo)).toEqual([]);
  });

  it('is found by its start or its loss, whichever is later, the latest first', async () => {
    await runs.lost('before', 'worker', ago(10_000));
    await runs.starting('a', 'worker');
    await runs.lost('b', 'web', ago(5_000));
    expect((await runs.since(ago(7_000))).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await runs.since(longAgo)).map(({ id }) => id)).toEqual(['a', 'b', 'before']);
  });

  it('is forgotten by the server after a day', async () => {
    const indexes = await db.collection('processRuns').indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { at: 1 }, name: 'process_runs_kept', expireAfterSeconds: 86_400 }),
    );
  });
});

describe('a worker that falls silent', () => {
  const fallSilent = (id: string, ms: number) => posters.updateOne({ _id: id }, { $set: { lastSeenAt: ago(ms) } });

  it('is lost once, as of when it was last heard of, however many notice', async () => {
    await enlist('dead');
    await runs.starting('dead', 'worker');
    await fallSilent('dead', 5_000);
    const { lastSeenAt } = (await posters.findOne({ _id: 'dead' }))!;
    const givenUp = await Promise.all(['b', 'c', 'd'].map((by) => workers.reapSilent(by, 4_000)));
    expect(givenUp.flat()).toEqual(['dead']);
    expect(await runs.since(longAgo)).toEqual([
      expect.objectContaining({ id: 'dead', kind: 'worker', lostAt: lastSeenAt }),
    ]);
  });

  it('is given up where its loss cannot be recorded, which is told', async () => {
    await enlist('dead');
    await fallSilent('dead', 5_000);
    await db.command({ collMod: 'processRuns', validator: { isWritable: true } });
    try {
      const unrecorded: string[] = [];
      const givenUp = await workers.reapSilent('b', 4_000, (id) => unrecorded.push(id));
      expect([givenUp, unrecorded]).toEqual([['dead'], ['dead']]);
    } finally {
      await db.command({ collMod: 'processRuns', validator: {} });
    }
    expect(await workers.takingPartitions(60_000)).toEqual([]);
  });

  it('is not lost if it stopped in order, nor while it beats', async () => {
    await enlist('alive');
    await enlist('stopped');
    await workers.remove('stopped');
    await workers.reapSilent('b', 4_000);
    expect(await runs.since(longAgo)).toEqual([]);
  });

  it('that ends in order after others took it for dead is known to have ended', async () => {
    await enlist('slow');
    await fallSilent('slow', 5_000);
    await workers.reapSilent('b', 4_000);
    await enlist('slow');
    await runs.ended('slow');
    expect(await runs.since(longAgo)).toMatchObject([{ id: 'slow', endedAt: expect.any(Date) as Date }]);
  });
});

it('a web process that falls silent is lost once it is forgotten, after a minute', async () => {
  await posters.insertOne({ _id: 'web', kind: 'web', sessionIds: [], lastSeenAt: ago(50_000) } as never);
  await workers.reapSilent('b', 4_000);
  expect(await runs.since(longAgo)).toEqual([]);
  const lastSeenAt = ago(61_000);
  await posters.updateOne({ _id: 'web' }, { $set: { lastSeenAt } });
  await waitFor(async () => {
    await workers.reapSilent('b', 4_000);
    return (await posters.countDocuments()) === 0;
  });
  expect(await runs.since(longAgo)).toEqual([{ id: 'web', kind: 'web', lostAt: lastSeenAt }]);
});
