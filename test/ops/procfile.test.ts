import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startChild, type Child } from '../../local/child.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';

const root = join(import.meta.dirname, '../..');
const STOP_TIMEOUT_MS = 20_000;

interface Ready {
  port?: number;
  opsPort: number;
}

const database = testDatabase();
const redis = await testRedis();
const running: Child<Ready>[] = [];
afterAll(() => Promise.all(running.map((child) => child.stop(STOP_TIMEOUT_MS))));

const lines = new Map(
  (await readFile(join(root, 'Procfile'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => /^(\w+): (.+)$/.exec(line)?.slice(1) as [string, string]),
);

/** Runs a line of the Procfile as a Procfile runner does: by a shell, in the project's folder, with PORT set. */
async function start(name: string): Promise<Child<Ready>> {
  const path = [join(process.execPath, '..'), process.env['PATH']].join(':');
  const child = await startChild<Ready>({
    name,
    command: 'sh',
    args: ['-c', `cd '${root}' && exec ${lines.get(name) ?? 'false'}`],
    env: {
      PATH: path,
      PORT: '0',
      OPS_PORT: '0',
      MONGODB_URI: database.uri,
      REDIS_URL: redis.url,
      MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    },
    readyFrom: (line) => (line.includes('"event":"ready"') ? (JSON.parse(line) as Ready) : undefined),
    onLine: () => undefined,
  });
  running.push(child);
  child.ready.catch(() => undefined);
  return child;
}

describe('the Procfile', () => {
  it('has the processes of the service', () => {
    expect([...lines.keys()]).toEqual(['release', 'web', 'worker']);
  });

  it('release lays out the database, and ends; then web and worker run', async () => {
    const release = await start('release');
    expect(await release.exited).toEqual({ code: 0, signal: null });
    const names = (await database.db.listCollections().toArray()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['orders', 'flows', 'wallets', 'schemaVersions']));
    expect(await database.db.collection('orders').indexes()).not.toHaveLength(1);

    const [web, worker] = await Promise.all([start('web'), start('worker')]);
    for (const { ready } of [web, worker]) {
      expect((await fetch(`http://127.0.0.1:${(await ready).opsPort}/readyz`)).status).toBe(200);
    }
    expect((await fetch(`http://127.0.0.1:${(await web.ready).port ?? 0}/api/v1/wallets`)).status).toBe(401);
  });
});
