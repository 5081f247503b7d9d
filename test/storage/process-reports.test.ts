import { beforeEach, expect, it } from 'vitest';
import { openProcessReports, type ProcessReport } from '../../src/storage/processes/reports.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const reports = openProcessReports(db);
const posters = db.collection<{ _id: string }>('posters');

beforeEach(async () => {
  await posters.deleteMany({});
});

function reportOf(id: string, changes: Partial<ProcessReport> = {}): ProcessReport {
  return {
    id,
    kind: 'worker',
    startedAt: new Date('2026-01-01T09:00:00Z'),
    clockAheadMs: 3,
    unknownTypes: ['HOLD'],
    answeredPerSecond: 0,
    acceptedPerSecond: 0,
    postedPerSecond: 1.5,
    busyShare: 0.25,
    sentPerSecond: 2,
    deliveredPerSecond: 1,
    lately: { commits: 0.5 },
    down: { redis: new Date('2026-01-01T10:00:00Z') },
    certificates: { redis: new Date('2026-02-01T09:00:00Z') },
    version: '1.0.0',
    startedWith: { masterKeyVersions: [1, 2] },
    ...changes,
  };
}

it('the last report of each listed process, worker or web, is read as it was recorded, by id', async () => {
  await reports.record(reportOf('b', { postedPerSecond: 1 }));
  const [first, second] = [reportOf('a', { kind: 'web' }), reportOf('b')];
  await reports.record(second);
  await reports.record(first);
  expect(await reports.latest()).toEqual([first, second]);
});

it('one that has not reported for three seconds is left out, though it is listed', async () => {
  for (const id of ['a', 'b']) await reports.record(reportOf(id));
  await posters.updateOne({ _id: 'a' }, [{ $set: { reportedAt: { $subtract: ['$$NOW', 3_500] } } }]);
  expect(await reports.latest()).toEqual([reportOf('b')]);
});

it('those that run are all that were heard of within half a minute, also before their first report', async () => {
  const { startedWith } = reportOf('a');
  for (const id of ['a', 'c', 'd']) await reports.record(reportOf(id));
  await reports.record(reportOf('e', { kind: 'web' }));
  const ago = (ms: number) => ({ $subtract: ['$$NOW', ms] });
  await posters.updateOne({ _id: 'a' }, [{ $set: { reportedAt: ago(20_000) } }]);
  await posters.updateOne({ _id: 'c' }, [{ $set: { reportedAt: ago(40_000) } }]);
  await reports.remove('d');
  // A worker of an earlier release.
  await posters.insertOne({ _id: 'b', lastSeenAt: new Date() } as never);
  expect(await reports.running()).toEqual([
    { id: 'a', kind: 'worker', startedWith },
    { id: 'b', kind: 'worker', startedWith: undefined },
    { id: 'e', kind: 'web', startedWith },
  ]);
});

it('a process is listed once, until it ends', async () => {
  await reports.record(reportOf('web', { kind: 'web' }));
  await reports.record(reportOf('web', { kind: 'web' }));
  expect(await posters.countDocuments()).toBe(1);
  await reports.remove('web');
  expect(await posters.countDocuments()).toBe(0);
});
