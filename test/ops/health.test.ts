import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createHealth, startServerLog, type ServerHealth } from '../../src/ops/health.ts';
import { waitFor } from '../support/wait-for.ts';

interface Entry {
  level: number;
  msg: string;
  event: string;
  server: string;
  awayMs?: number;
}

/** Logs what was found, look by look; the last one is that the process drains. */
async function logOf(looks: readonly { readonly atMs: number; readonly isUp: boolean; readonly sinceMs: number }[]) {
  const entries: Entry[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void entries.push(JSON.parse(line) as Entry) });
  const noteServer = (server: string, isAway: boolean) => void noted.push(`${server} ${isAway ? 'away' : 'up'}`);
  const noted: string[] = [];
  let index = 0;
  let now = 0;
  const servers = (): Promise<ServerHealth[]> => {
    const { atMs, isUp, sinceMs } = looks[index] ?? { atMs: now, isUp: false, sinceMs: 0 };
    index += 1;
    now = atMs;
    return Promise.resolve([{ name: 'redis', isUp, since: new Date(sinceMs), pingMs: 1 }]);
  };
  const rounds = startServerLog(
    { servers, isDraining: () => index > looks.length },
    { log, noteServer },
    () => new Date(now),
  );
  for (let look = 1; look <= looks.length + 1; look += 1) {
    rounds.runNow();
    await waitFor(() => index >= look);
  }
  await rounds.close();
  // As it was found, at each look but those while it drains.
  expect(noted).toEqual(looks.map(({ isUp }) => `redis ${isUp ? 'up' : 'away'}`));
  return entries;
}

const up = (atMs: number, sinceMs: number) => ({ atMs, isUp: true, sinceMs });
const down = (atMs: number, sinceMs: number) => ({ atMs, isUp: false, sinceMs });
const away = { level: 40, msg: 'Redis is away', event: 'away', server: 'redis' };
const again = (awayMs: number) => ({ ...away, msg: 'Redis answers again', event: 'recovered', awayMs });

it('a server is told of once when it is away, and once when it answers again; nothing while the process drains', async () => {
  const looks = [up(0, 0), down(1_000, 900), down(2_000, 900), up(3_000, 2_900), up(4_000, 2_900)];
  expect(await logOf(looks)).toEqual([away, again(2_000)]);
});

it('one that has never answered is told of once a start would have taken less', async () => {
  expect(await logOf([down(0, 0), up(1_000, 1_000)])).toEqual([]);
  expect(await logOf([down(0, 0), down(3_001, 0), up(5_000, 5_000)])).toEqual([away, again(5_000)]);
});

it('a check that throws counts as down, and since when is kept', async () => {
  const state = { isStarting: () => false, isDraining: () => false, wrongSetting: () => undefined };
  const health = createHealth({ redis: () => Promise.reject(new Error('refused')) }, state);
  const [redis] = await health.servers();
  expect(redis).toMatchObject({ name: 'redis', isUp: false });
  expect((await health.servers())[0]?.since).toEqual(redis?.since);
});
