import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPulse, type Pulse } from '../../src/storage/processes/pulse.ts';
import { silentMs, startHeartbeat, type Heartbeat } from '../../src/posting/heartbeat.ts';
import { startProxy } from '../faults/harness/proxy.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db, uri } = testDatabase();
let pulse: Pulse;
const sessions = { open: () => [], renew: () => undefined };
const log = pino({ enabled: false });
const beatEveryMs = 20;

const opened: Heartbeat[] = [];
beforeAll(async () => {
  pulse = await openPulse(uri, log, new AbortController().signal);
});
beforeEach(async () => {
  await db.collection('posters').deleteMany({});
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((heartbeat) => heartbeat.close()));
});
afterAll(() => pulse.close());

function start(instanceId: string, everyMs = beatEveryMs): Heartbeat {
  const tools = { pulse, sessions, mayWork: () => true, log };
  const heartbeat = startHeartbeat(instanceId, tools, { beatEveryMs: everyMs });
  opened.push(heartbeat);
  return heartbeat;
}

const untilKnown = (heartbeat: Heartbeat, ...workers: string[]) =>
  waitFor(() => heartbeat.workers()?.join() === workers.join());

describe('the heartbeat of a worker process', () => {
  test('knows nobody until it has beaten, and then itself and the others', async () => {
    const first = start('worker-1');
    expect(first.workers()).toBeUndefined();
    await untilKnown(first, 'worker-1');
    const second = start('worker-2');
    await untilKnown(first, 'worker-1', 'worker-2');
    await untilKnown(second, 'worker-1', 'worker-2');
  });

  test('leaves out who is leaving, at once and though it still beats', async () => {
    const leaving = start('worker-1', 600_000);
    const other = start('worker-2');
    await untilKnown(other, 'worker-1', 'worker-2');
    leaving.leave();
    await untilKnown(other, 'worker-2');
    await untilKnown(leaving, 'worker-2');
    expect(await db.collection('posters').countDocuments()).toBe(2);
  });

  test('leaves out who is silent, before anybody has given it up', async () => {
    const heartbeat = start('worker-2');
    await db
      .collection<{ _id: string }>('posters')
      .insertOne({ _id: 'worker-1', takesPartitions: true, lastSeenAt: new Date(0) } as { _id: string });
    await untilKnown(heartbeat, 'worker-2');
    const lastSeen = (silentForMs: number) =>
      db
        .collection<{ _id: string }>('posters')
        .updateOne({ _id: 'worker-1' }, [{ $set: { lastSeenAt: { $subtract: ['$$NOW', silentForMs] } } }]);
    await lastSeen(0);
    await untilKnown(heartbeat, 'worker-1', 'worker-2');
    await lastSeen(silentMs);
    await untilKnown(heartbeat, 'worker-2');
  });

  test('ends with its process: the others find themselves alone', async () => {
    const [first, second] = [start('worker-1'), start('worker-2')];
    await untilKnown(first, 'worker-1', 'worker-2');
    await second.close();
    await untilKnown(first, 'worker-1');
  });
});

test('the pulse of a process that starts while MongoDB refuses connections is there once it takes them', async () => {
  const server = new URL(uri);
  const proxy = await startProxy({ host: server.hostname, port: Number(server.port) });
  let refused = 0;
  proxy.intercept(() => {
    refused += 1;
    return refused > 3 ? 'pass' : 'cut';
  });
  server.host = `127.0.0.1:${proxy.port}`;
  const own = await openPulse(server.href, log, new AbortController().signal);
  expect(refused).toBeGreaterThan(3);
  await own.workers.enlist({ instanceId: 'worker-1', sessions: [], takesPartitions: true });
  expect(await own.workers.takingPartitions(silentMs)).toEqual(['worker-1']);
  await own.close();
  await proxy.close();
});
