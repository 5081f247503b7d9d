import { beforeEach, expect, it } from 'vitest';
import { openProcessReports, type ProcessReport } from '../../src/storage/processes/reports.ts';
import { openWorkers } from '../../src/storage/processes/workers.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const reports = openProcessReports(db);
const workers = openWorkers(db);
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
    partitions: [0, 7],
    sentPerSecond: 2,
    deliveredPerSecond: 1,
    lately: { commits: 0.5 },
    down: { redis: new Date('2026-01-01T10:00:00Z') },
    certificates: { redis: new Date('2026-02-01T09:00:00Z') },
    version: '1.0.0',
    startedWith: { masterKeyVersions: [1, 2], partitionCount: 8 },
    ...changes,
  };
}

const enlist = (instanceId: string) => workers.enlist({ instanceId, sessions: [], takesPartitions: true });

it('the last report of each listed process, worker or web, is read as it was recorded, by id', async () => {
  await enlist('b');
  await reports.record(reportOf('b', { partitions: [1] }));
  const [first, second] = [reportOf('a', { kind: 'web' }), reportOf('b')];
  await reports.record(second);
  await reports.record(first);
  expect(await reports.latest()).toEqual([first, second]);
});

it('a report leaves what else is recorded of a process, and a heartbeat leaves the report', async () => {
  await enlist('a');
  await reports.record(reportOf('a'));
  expect(await workers.takingPartitions(60_000)).toEqual(['a']);
  expect(await workers.beat({ instanceId: 'a', sessions: [], takesPartitions: false })).toBe(true);
  expect(await reports.latest()).toEqual([reportOf('a')]);
});

it('a process that is not listed, because it has ended, does not come back by a late report', async () => {
  await enlist('a');
  await reports.record(reportOf('a'));
  await workers.remove('a');
  await reports.record(reportOf('a'));
  expect(await reports.latest()).toEqual([]);
  expect(await posters.countDocuments()).toBe(0);
});

it('one that has not reported for three seconds is left out, though it is listed', async () => {
  await enlist('a');
  await enlist('b');
  for (const id of ['a', 'b']) await reports.record(reportOf(id));
  await posters.updateOne({ _id: 'a' }, [{ $set: { reportedAt: { $subtract: ['$$NOW', 3_500] } } }]);
  expect(await reports.latest()).toEqual([reportOf('b')]);
});

it('those that run are all that were heard of within half a minute, also before their first report', async () => {
  const { startedWith } = reportOf('a');
  for (const id of ['a', 'b', 'c', 'd']) await enlist(id);
  await reports.record(reportOf('e', { kind: 'web' }));
  for (const id of ['a', 'c']) await reports.record(reportOf(id));
  const ago = (ms: number) => ({ $subtract: ['$$NOW', ms] });
  await posters.updateOne({ _id: 'a' }, [{ $set: { lastSeenAt: ago(40_000), reportedAt: ago(20_000) } }]);
  await posters.updateOne({ _id: 'c' }, [{ $set: { lastSeenAt: ago(40_000), reportedAt: ago(40_000) } }]);
  await workers.remove('d');
  expect(await reports.running()).toEqual([
    { id: 'a', kind: 'worker', startedWith },
    { id: 'b', kind: 'worker', startedWith: undefined },
    { id: 'e', kind: 'web', startedWith },
  ]);
});

it('a web process is listed by its reports until it ends; no worker ends its sessions, nor does it take partitions', async () => {
  await reports.record(reportOf('web', { kind: 'web' }));
  await reports.record(reportOf('web', { kind: 'web' }));
  expect(await posters.countDocuments()).toBe(1);
  expect(await workers.takingPartitions(60_000)).toEqual([]);
  expect(await workers.reapSilent('worker', -60_000)).toEqual([]);
  expect(await posters.countDocuments()).toBe(1);
  await reports.remove('web');
  expect(await posters.countDocuments()).toBe(0);
  await posters.insertOne({ _id: 'killed', lastSeenAt: new Date(0), kind: 'web', sessionIds: [] } as never);
  expect(await workers.reapSilent('worker', 4_000)).toEqual([]);
  expect(await posters.countDocuments()).toBe(0);
});
