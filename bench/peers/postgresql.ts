import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pRetry from 'p-retry';
import { createLatencyRecorder, type Latency } from '../load/latency.ts';
import type { SessionProgram } from './session.ts';

const runFile = promisify(execFile);

/** Where Debian's packages put the programs of a version. */
const versionsFolder = '/usr/lib/postgresql';
/** It is given up after so many looks, which is more than half a minute. */
const looksMax = 300;
const lookEveryMs = 100;
const stopTimeoutMs = 10_000;
const logPrefix = 'transactions';
const microsPerMs = 1_000;

/** A PostgreSQL server of its own, whose commits are durable, as its defaults are. */
export interface Postgresql {
  readonly version: string;
  /** When what is answered for is on disk, by the server's own settings. */
  readonly durability: string;
  /** Process id of the postmaster, whose children do the work. */
  readonly pid: number;
  /** Runs statements. @returns the rows, a line each, with values separated by `|`. @throws what PostgreSQL refuses. */
  query(sql: string): Promise<string>;
  /** How a program of its own opens a connection. */
  readonly psql: SessionProgram;
  /** Runs a script by pgbench, by so many clients. @throws where a transaction failed. */
  bench(script: string, options: { clients: number; seconds: number }): Promise<PgbenchResult>;
  close(): Promise<void>;
}

export interface PgbenchResult {
  /** Transactions. */
  readonly count: number;
  readonly perSecond: number;
  readonly latency: Latency | undefined;
}

/** Folder of the newest installed version's programs; undefined where there is none. */
export function postgresqlPrograms(): string | undefined {
  if (!existsSync(versionsFolder)) return undefined;
  const versions = readdirSync(versionsFolder).toSorted((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(versionsFolder, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pgbench')));
}

/** PostgreSQL refuses to run as root; its package makes a user for it. */
function ownUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('PostgreSQL needs a user that is not root.');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Starts a server with an empty database, which is gone when it is closed. It listens on a socket in its own folder only.
 * @throws where it does not start.
 */
export async function startPostgresql(programs: string): Promise<Postgresql> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgresql-'));
  const user = ownUser();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const program = (name: string): string => join(programs, name);
  const run = async (name: string, args: readonly string[]): Promise<string> =>
    (await runFile(program(name), args, { ...user, encoding: 'utf8' })).stdout;
  const place = ['--host', folder, '--username', 'bench'];
  await run('initdb', ['--pgdata', data, '--username', 'bench', '--auth', 'trust']);
  const server = spawn(program('postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...user,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const psqlArgs = [...place, '--no-psqlrc', '--tuples-only', '--no-align', '--set', 'ON_ERROR_STOP=1', 'postgres'];
  const query = async (sql: string): Promise<string> => (await run('psql', [...psqlArgs, '--command', sql])).trim();
  const close = async (): Promise<void> => {
    // A fast shutdown: clients are disconnected.
    server.kill('SIGINT');
    const timer = setTimeout(() => server.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await pRetry(() => query('select 1'), { retries: looksMax, minTimeout: lookEveryMs, factor: 1 });
    const [version = ''] = (await query('show server_version')).split(' ');
    const settings = ['fsync', 'synchronous_commit'];
    const durability = await Promise.all(settings.map(async (name) => `${name} ${await query(`show ${name}`)}`));
    return {
      version,
      durability: `${durability.join(', ')}, one node`,
      psql: { program: program('psql'), args: psqlArgs, ...user },
      pid: server.pid ?? 0,
      query,
      async bench(script, { clients, seconds }) {
        const file = join(folder, 'script.sql');
        await writeFile(file, script, { mode: 0o644 });
        const threads = Math.min(2, clients);
        const how = ['--no-vacuum', '--protocol', 'prepared', '--client', String(clients), '--jobs', String(threads)];
        const log = ['--log', '--log-prefix', join(folder, logPrefix)];
        const args = [...place, ...how, ...log, '--time', String(seconds), '--file', file, 'postgres'];
        const output = await run('pgbench', args);
        const logs = (await readdir(folder))
          .filter((name) => name.startsWith(logPrefix))
          .map((name) => join(folder, name));
        const texts = await Promise.all(logs.map((path) => readFile(path, 'utf8')));
        await Promise.all(logs.map((path) => rm(path)));
        return { ...transactionsOf(output), latency: latencyOf(texts) };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param output of pgbench. @throws where it says something else than it usually does. */
export function transactionsOf(output: string): Omit<PgbenchResult, 'latency'> {
  const [, count] = /^number of transactions actually processed: (\d+)/m.exec(output) ?? [];
  const [, perSecond] = /^tps = ([\d.]+)/m.exec(output) ?? [];
  if (count === undefined || perSecond === undefined) throw new Error(`pgbench said something unknown:\n${output}`);
  return { count: Number(count), perSecond: Number(perSecond) };
}

/** @param logs of pgbench's threads. Source: pgbench, "Per-Transaction Logging": the third column is the time, in microseconds. */
export function latencyOf(logs: readonly string[]): Latency | undefined {
  const latencies = createLatencyRecorder();
  for (const log of logs)
    for (const line of log.trimEnd().split('\n')) latencies.record(Number(line.split(' ')[2]) / microsPerMs);
  return latencies.summary();
}
