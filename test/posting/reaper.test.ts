import { MongoClient, type Binary } from 'mongodb';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEngine, type RunningEngine } from 'mongodb-embedded';
import { openPostingSessions, type PostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { openPulse, type Pulse } from '../../src/storage/processes/pulse.ts';
import { startHeartbeat } from '../../src/posting/heartbeat.ts';
import { startReaper } from '../../src/posting/reaper.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { waitFor } from '../support/wait-for.ts';

// Of its own: a fail point holds for a whole server.
let engine: RunningEngine;
let client: MongoClient;
let sessions: PostingSessions;
let pulse: Pulse;
const log = pino({ enabled: false });
const instanceId = 'worker-1';
const always = 1_000_000;
const beats = { beatEveryMs: 20, beatMaxMs: 500 };
const looks = { lookEveryMs: 50, lookMaxMs: 500 };
/** Longer than a beat may take, and a test waits less. */
const hangMs = 6_000;
const hangs = { blockConnection: true, blockTimeMS: hangMs };
const beforeItEndsMs = { timeoutMs: 5_000 };
/** Whoever spoke before a moment that is yet to come was silent. */
const everybodyIsSilentMs = -60_000;

interface WorkerDocument {
  _id: string;
  sessionIds: Binary[];
  lastSeenAt: Date;
}
const workers = () => client.db('reaping').collection<WorkerDocument>('posters');
const own = () => workers().findOne({ _id: instanceId });

beforeAll(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const closing: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  await workers().deleteMany({});
  sessions = openPostingSessions(client, 2);
  const uri = new URL(engine.uri);
  uri.pathname = '/reaping';
  pulse = await openPulse(uri.href, log, new AbortController().signal);
});
afterEach(async () => {
  await clearFailPoint(client);
  await Promise.all(closing.splice(0).map((each) => each.close()));
  await pulse.close();
  await sessions.end();
});

async function start(): Promise<void> {
  closing.push(
    startHeartbeat(instanceId, { pulse, sessions, mayWork: () => true, log }, beats),
    startReaper(instanceId, pulse, log, looks),
  );
  await waitFor(own);
}

/** One that died long ago. */
async function leaveDead(sessionIds: Binary[]): Promise<void> {
  await workers().insertOne({ _id: 'dead', sessionIds, lastSeenAt: new Date(0) });
}

async function untilBeaten(): Promise<void> {
  const before = await own();
  await waitFor(async () => ((await own())?.lastSeenAt ?? 0) > (before?.lastSeenAt ?? 0), beforeItEndsMs);
}

describe('a worker that cannot end the transactions of a dead one', () => {
  test.each([
    ['refused', { errorCode: 13 }],
    ['not answered', hangs],
  ])('because killSessions is %s goes on beating, and ends them once it can', async (_, failure) => {
    const [session] = sessions.open();
    await leaveDead([session!.id!.id]);
    await failCommands(client, always, { failCommands: ['killSessions'], ...failure });
    await start();
    for (let beats = 3; beats > 0; beats -= 1) await untilBeaten();
    expect(await workers().countDocuments({ _id: 'dead' })).toBe(1);
    await clearFailPoint(client);
    await waitFor(async () => (await workers().countDocuments({ _id: 'dead' })) === 0);
  });
});

test('a dead worker without sessions costs nobody a transaction', async () => {
  const session = client.startSession();
  const accounts = client.db('reaping').collection('accounts');
  await accounts.insertOne({ balance: 0 });
  session.startTransaction();
  await accounts.updateOne({}, { $inc: { balance: 1 } }, { session });
  await leaveDead([]);
  await start();
  await waitFor(async () => (await workers().countDocuments({ _id: 'dead' })) === 0);
  await session.commitTransaction();
  expect(await accounts.findOne()).toMatchObject({ balance: 1 });
  await session.endSession();
});

test('a worker that begins a transaction after it was given up, and dies of it, locks nothing for long', async () => {
  const dying = client.startSession();
  const accounts = client.db('reaping').collection('accounts');
  await accounts.insertOne({ _id: 'late' as never, balance: 0 });
  await leaveDead([dying.id!.id]);
  await workers().updateOne({ _id: 'dead' }, { $set: { lastSeenAt: new Date(Date.now() - 10_000) } });
  expect(await pulse.workers.reapSilent(instanceId, 4_000)).toEqual(['dead']);
  dying.startTransaction();
  await accounts.updateOne({ balance: 0 }, { $inc: { balance: 1 } }, { session: dying });
  await start();
  await waitFor(() =>
    accounts.updateOne({ balance: 0 }, { $inc: { balance: 2 } }, { maxTimeMS: 100 }).catch(() => undefined),
  );
  expect(await accounts.findOne({ _id: 'late' as never })).toMatchObject({ balance: 2 });
  await dying.endSession();
});

test('a beat that gets no answer is given up, and the next one goes through', async () => {
  await start();
  await failCommands(client, 1, { failCommands: ['findAndModify'], ...hangs });
  await untilBeaten();
});

test('a worker that was given up while alive learns of it even where it spoke again before its sessions were killed', async () => {
  const ids = () => sessions.open().map(({ id }) => id!.id.toString('hex'));
  await start();
  const before = ids();
  await failCommands(client, 1, { failCommands: ['killSessions'], blockConnection: true, blockTimeMS: 500 });
  const reaping = pulse.workers.reapSilent('worker-2', everybodyIsSilentMs);
  await untilBeaten();
  await reaping;
  await waitFor(() => ids().every((id) => !before.includes(id)));
});
