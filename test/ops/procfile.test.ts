import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startChild, type Child } from '../../local/child.ts';
import { freePort } from '../../local/free-port.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dirname, '../..');
const stopTimeoutMs = 20_000;
const readyMaxMs = 120_000;
/** Colours, and the name that the runner puts before each line. */
const decoration = /\u001b\[[\d;]*m|^\d+:\d+:\d+ \S+ .*?\| +/g;

interface LogEntry {
  event?: string;
  pid: number;
  name: string;
  port?: number;
  opsPort: number;
}

const database = testDatabase();
const redis = await testRedis();
let runner: Child<never> | undefined;
afterAll(() => runner?.stop(stopTimeoutMs));

const procfile = await readFile(join(root, 'Procfile'), 'utf8');
const lines = new Map(
  procfile
    .trim()
    .split('\n')
    .map((line) => /^(\w+): (.+)$/.exec(line)?.slice(1) as [string, string]),
);

const env = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: [join(process.execPath, '..'), process.env['PATH']].join(':'),
  MONGODB_URI: database.uri,
  REDIS_URL: redis.url,
  MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
  ...more,
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the Procfile', () => {
  it('has the processes of the service', () => {
    expect([...lines.keys()]).toEqual(['release', 'web', 'worker', 'webhooks']);
  });

  it('release lays out the database, and ends', async () => {
    await promisify(execFile)('sh', ['-c', lines.get('release') ?? 'false'], { cwd: root, env: env({}) });
    const names = (await database.db.listCollections().toArray()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['orders', 'flows', 'wallets', 'schemaVersions']));
    expect(await database.db.collection('orders').indexes()).not.toHaveLength(1);
  });

  it('all of it runs under foreman, with one OPS_PORT for all, until an interrupt; nothing is left behind', async () => {
    const printed: string[] = [];
    const entries = () =>
      printed.flatMap((line) => {
        const text = line.replaceAll(decoration, '');
        // Foreman cuts long lines in two.
        return text.startsWith('{') && text.endsWith('}') ? [JSON.parse(text) as LogEntry] : [];
      });
    const [port, opsPort] = [await freePort(), await freePort()];
    runner = await startChild<never>({
      name: 'foreman',
      command: process.execPath,
      args: [fileURLToPath(import.meta.resolve('foreman/nf.js')), '--procfile', join(root, 'Procfile'), 'start'],
      env: env({ PORT: String(port), OPS_PORT: String(opsPort) }),
      onLine: (line) => printed.push(line),
      // It says nothing of the kind itself: what is waited for is its processes.
      readyTimeoutMs: readyMaxMs,
    });
    runner.ready.catch(() => undefined);

    const ready = await waitFor(
      () => {
        const found = entries().filter(({ event }) => event === 'ready');
        expect(found.map(({ name }) => name).toSorted(), printed.join('\n')).toEqual(['web', 'worker', 'worker']);
        return found;
      },
      { timeoutMs: readyMaxMs, what: 'that all are ready' },
    );
    for (const { opsPort: own } of ready) {
      await waitFor(async () => (await fetch(`http://127.0.0.1:${own}/readyz`)).status === 200);
    }
    const web = ready.find(({ name }) => name === 'web');
    expect(web?.opsPort).toBe(opsPort);
    expect((await fetch(`http://127.0.0.1:${web?.port ?? 0}/api/v1/wallets`)).status).toBe(401);
    const pids = (await descendantsOf(runner.pid)).toSorted();
    expect(pids).toEqual(expect.arrayContaining(ready.map(({ pid }) => pid)));
    // Four lines, four processes: none stands behind a shell, and the release step has ended its own.
    await waitFor(async () => (await descendantsOf(runner?.pid ?? 0)).length === 4);

    runner.kill('SIGINT');
    await runner.exited;
    expect([...pids, runner.pid].filter(isRunning)).toEqual([]);
  });
});

async function descendantsOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}
