import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPulse } from '../../src/storage/pulse.ts';
import { startHeartbeat } from '../../src/transfers/heartbeat.ts';
import type { Heartbeat } from '../../src/transfers/heartbeat.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db, uri } = testDatabase();
const pulse = openPulse(uri);
const sessions = { open: () => [], renew: () => undefined };
const log = pino({ enabled: false });
const beatEveryMs = 20;

const opened: Heartbeat[] = [];
beforeEach(async () => {
  await db.collection('posters').deleteMany({});
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((heartbeat) => heartbeat.close()));
});
afterAll(() => pulse.close());

function start(holder: string, everyMs = beatEveryMs): Heartbeat {
  const heartbeat = startHeartbeat({ pulse, sessions, holder, log, beatEveryMs: everyMs });
  opened.push(heartbeat);
  return heartbeat;
}

describe('the heartbeat of a worker process', () => {
  test('supposes company until it has beaten, and then finds it is alone', async () => {
    const heartbeat = start('worker-1');
    expect([heartbeat.hasCompany(), heartbeat.hasRelief()]).toEqual([true, true]);
    await waitFor(() => !heartbeat.hasRelief() && !heartbeat.hasCompany());
  });

  test('tells who posts and who takes jobs: one that empties its hands does the one, one that is away neither', async () => {
    const [first, second] = [start('worker-1'), start('worker-2')];
    first.setStanding('posting');
    await waitFor(() => !second.hasRelief());
    expect(second.hasCompany()).toBe(true);
    first.setStanding('away');
    await waitFor(() => !second.hasCompany());
    expect(first.hasCompany()).toBe(true);
    first.setStanding('taking');
    await waitFor(() => second.hasCompany() && second.hasRelief());
  });

  test('names as relief those alone that come before: of two that are away neither waits for the other', async () => {
    const [first, second] = [start('worker-1'), start('worker-2')];
    await waitFor(() => !first.hasRelief());
    expect([first.hasCompany(), second.hasRelief()]).toEqual([true, true]);
  });

  test('says at once how its process stands', async () => {
    const heartbeat = start('worker-1', 600_000);
    const standing = async () => (await db.collection('posters').findOne())?.['standing'] as unknown;
    await waitFor(async () => (await standing()) === 'taking');
    heartbeat.setStanding('posting');
    await waitFor(async () => (await standing()) === 'posting');
  });

  test('ends with its process: the others find themselves alone', async () => {
    const [first, second] = [start('worker-1'), start('worker-2')];
    await waitFor(async () => (await db.collection('posters').countDocuments()) === 2);
    await second.close();
    await waitFor(() => !first.hasCompany());
  });

  test('goes on with a new client where beats fail for long', async () => {
    let isStuck = true;
    const stuck = {
      get posters() {
        if (isStuck) throw new Error('the client finds no server');
        return pulse.posters;
      },
      renew: () => void (isStuck = false),
      close: () => Promise.resolve(),
    };
    opened.push(startHeartbeat({ pulse: stuck, sessions, holder: 'worker-1', log, beatEveryMs }));
    await waitFor(async () => (await db.collection('posters').countDocuments()) === 1);
  });
});
