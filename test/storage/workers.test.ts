import { Collection } from 'mongodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWorkers } from '../../src/storage/processes/workers.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const workers = openWorkers(db);
const longMs = 60_000;

async function beat(instanceId: string, takesPartitions = true): Promise<string[]> {
  await workers.enlist({ instanceId, sessions: [], takesPartitions });
  return workers.takingPartitions(longMs);
}

beforeEach(async () => {
  await db.collection('posters').deleteMany({});
});

describe('a worker process that says that it is alive', () => {
  test('is among those that take partitions, for as long as it does', async () => {
    expect(await beat('worker-2')).toEqual(['worker-2']);
    expect(await beat('worker-1')).toEqual(['worker-1', 'worker-2']);
    expect(await beat('worker-2', false)).toEqual(['worker-1']);
    expect(await beat('worker-2')).toEqual(['worker-1', 'worker-2']);
    await workers.remove('worker-1');
    expect(await workers.takingPartitions(longMs)).toEqual(['worker-2']);
  });

  test('is not among them any more once it is silent, though nobody gave it up', async () => {
    await beat('worker-1');
    await waitFor(async () => (await workers.takingPartitions(1)).length === 0);
    const asAlive = { instanceId: 'worker-1', sessions: [], takesPartitions: true };
    expect(await workers.beat(asAlive)).toBe(true);
    expect(await workers.takingPartitions(longMs)).toEqual(['worker-1']);
  });

  test('learns by its next beat that others gave it up', async () => {
    await beat('worker-1');
    await waitFor(async () => (await workers.reapSilent('worker-2', 1)).includes('worker-1'));
    expect(await workers.takingPartitions(longMs)).toEqual([]);
    expect(await workers.beat({ instanceId: 'worker-1', sessions: [], takesPartitions: true })).toBe(false);
  });

  test('is given up however many were before', async () => {
    const lastSeenAt = new Date(Date.now() - 10_000);
    const dead = Array.from({ length: 150 }, (_, index) => ({ _id: `dead-${index}`, sessionIds: [], lastSeenAt }));
    const posters = db.collection<{ _id: string }>('posters');
    await posters.insertMany(dead.map((each) => ({ ...each, isGivenUp: true })));
    await posters.insertOne({ _id: 'worker-1', ...{ sessionIds: [], lastSeenAt } });
    expect(await workers.reapSilent('worker-2', 4_000)).toEqual(['worker-1']);
    expect(await workers.reapSilent('worker-2', 4_000)).toEqual([]);
  });

  test('is not forgotten where it enlists anew in the same moment', async () => {
    const lastSeenAt = new Date(Date.now() - 120_000);
    const silent = { _id: 'worker-1', sessionIds: [], lastSeenAt, isGivenUp: true };
    await db.collection<{ _id: string }>('posters').insertOne(silent);
    const posters = db.collection('posters');
    const forgetting = posters.deleteMany.bind(posters);
    const spied = vi.spyOn(Collection.prototype, 'deleteMany').mockImplementationOnce(async (...values) => {
      await beat('worker-1');
      return forgetting(...values);
    });
    await workers.reapSilent('worker-2', 4_000);
    spied.mockRestore();
    expect(await workers.takingPartitions(longMs)).toEqual(['worker-1']);
  });

  test('is forgotten a minute after it fell silent, once it was given up', async () => {
    const posters = db.collection<{ _id: string; sessionIds: []; lastSeenAt: Date; isGivenUp?: boolean }>('posters');
    const silentFor = (ms: number) => ({ sessionIds: [] as [], lastSeenAt: new Date(Date.now() - ms) });
    await posters.insertMany([
      { _id: 'given up long ago', ...silentFor(70_000), isGivenUp: true },
      { _id: 'given up lately', ...silentFor(50_000), isGivenUp: true },
      { _id: 'silent, not known yet', ...silentFor(5_000) },
    ]);
    expect(await workers.reapSilent('worker-1', 4_000)).toEqual(['silent, not known yet']);
    const left = await posters
      .find({}, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .toArray();
    expect(left.map(({ _id }) => _id)).toEqual(['given up lately', 'silent, not known yet']);
  });

  test('does not give itself up, however late it is', async () => {
    await beat('worker-1');
    await beat('worker-2');
    const reaped: string[] = [];
    await waitFor(async () => reaped.push(...(await workers.reapSilent('worker-1', 1))) > 0);
    expect(reaped).toEqual(['worker-2']);
    expect(await workers.takingPartitions(longMs)).toEqual(['worker-1']);
  });
});
