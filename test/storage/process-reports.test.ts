import { beforeEach, expect, it } from 'vitest';
import { openProcessReports, type ProcessReport } from '../../src/storage/processes/reports.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const reports = openProcessReports(db);
const posters = db.collection<{ _id: string }>('posters');

const record = (report: ProcessReport) => reports.record(report.id, report.kind, report);
const ago = (ms: number) => ({ $subtract: ['$$NOW', ms] });
const heardOf = (_id: string, ms: number) => posters.updateOne({ _id }, [{ $set: { reportedAt: ago(ms) } }]);

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
  await record(reportOf('b', { postedPerSecond: 1 }));
  const [first, second] = [reportOf('a', { kind: 'web' }), reportOf('b')];
  await record(second);
  await record(first);
  expect(await reports.latest()).toEqual([first, second]);
});

it('those that post are counted: workers that have started, are heard of, and have not stopped', async () => {
  for (const id of ['a', 'b', 'silent', 'stopped']) await record(reportOf(id));
  await record(reportOf('web', { kind: 'web' }));
  await record(reportOf('sender', { kind: 'webhooks' }));
  await reports.record('starting', 'worker');
  await heardOf('silent', 3_500);
  await reports.ended('stopped');
  expect(await reports.countPosting()).toBe(2);
});

it('one that has not reported for three seconds is left out, though it is listed', async () => {
  for (const id of ['a', 'b']) await record(reportOf(id));
  await heardOf('a', 3_500);
  expect(await reports.latest()).toEqual([reportOf('b')]);
});

it('those that run are all that were heard of within half a minute, also before their first report', async () => {
  const { startedWith } = reportOf('a');
  for (const id of ['a', 'c', 'd']) await record(reportOf(id));
  await record(reportOf('e', { kind: 'web' }));
  await reports.record('starts', 'worker');
  await heardOf('a', 20_000);
  await heardOf('c', 40_000);
  await reports.ended('d');
  // A worker of an earlier release.
  await posters.insertOne({ _id: 'b', lastSeenAt: new Date() } as never);
  expect(await reports.running()).toEqual([
    { id: 'a', kind: 'worker', startedWith },
    { id: 'b', kind: 'worker', startedWith: undefined },
    { id: 'e', kind: 'web', startedWith },
  ]);
});

it('a process is listed once, until it ends', async () => {
  await record(reportOf('web', { kind: 'web' }));
  await record(reportOf('web', { kind: 'web' }));
  expect(await posters.countDocuments()).toBe(1);
  await reports.ended('web');
  expect([await reports.latest(), await reports.running()]).toEqual([[], []]);
});

it('lost are those that fell silent within half an hour without having stopped, also before their first report', async () => {
  for (const id of ['runs', 'w1', 'w2', 'w3', 'stopped']) await record(reportOf(id));
  await reports.record('web', 'web');
  await reports.ended('stopped');
  const minutes = { w1: 1, w2: 29, w3: 31, stopped: 3, web: 5, runs: 0.1 };
  for (const [id, ago] of Object.entries(minutes)) await heardOf(id, ago * 60_000);
  const seenAt = expect.any(Date) as Date;
  expect(await reports.lost()).toEqual([
    { id: 'w1', kind: 'worker', seenAt },
    { id: 'web', kind: 'web', seenAt },
    { id: 'w2', kind: 'worker', seenAt },
  ]);
});
