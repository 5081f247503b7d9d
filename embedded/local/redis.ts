import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startChild, type Child } from './child.ts';
import { findExecutable, run } from './executables.ts';

const READY_TIMEOUT_MS = 30_000;
const PING_INTERVAL_MS = 25;
const IMAGE = 'redis:8-alpine';

export interface RedisOptions {
  port: number;
  dataDir: string;
  /** Keeps what is written over a restart (append-only file). */
  persistent: boolean;
  /** Number of logical databases. */
  databases?: number;
  detached?: boolean;
  onLine(line: string): void;
}

/**
 * Starts a Redis on 127.0.0.1 and resolves when it answers. Where the machine has no redis-server, it runs in a
 * container. `noeviction`, because a queue whose keys may be thrown away loses jobs; BullMQ asks for it.
 */
export async function startRedis(options: RedisOptions): Promise<Child<unknown>> {
  await mkdir(options.dataDir, { recursive: true });
  const child = (await findExecutable('redis-server')) ? await onMachine(options) : await inContainer(options);
  try {
    await untilItAnswers(options.port, child);
  } catch (error) {
    child.kill('SIGKILL');
    await child.exited;
    throw error;
  }
  return child;
}

/** Where clients find a Redis that startRedis started. */
export function redisUrl(port: number, database = 0): string {
  return `redis://127.0.0.1:${port}/${database}`;
}

function onMachine(options: RedisOptions): Promise<Child<unknown>> {
  const args = ['--port', String(options.port), '--bind', '127.0.0.1', '--dir', options.dataDir];
  return startChild({ ...common(options), command: 'redis-server', args: [...args, ...behaviour(options)] });
}

async function inContainer(options: RedisOptions): Promise<Child<unknown>> {
  const name = `wallet-transfers-redis-${createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12)}`;
  // One that a killed stack left behind would still hold the data.
  await run('docker', ['rm', '--force', name]).catch(() => undefined);
  const publish = ['--publish', `127.0.0.1:${options.port}:6379`, '--volume', `${options.dataDir}:/data`];
  const args = ['run', '--rm', '--name', name, ...publish, IMAGE, 'redis-server', ...behaviour(options)];
  return startChild({ ...common(options), command: 'docker', args });
}

function behaviour({ persistent, databases = 16 }: RedisOptions): string[] {
  const keep = ['--appendonly', persistent ? 'yes' : 'no', '--save', ''];
  return [...keep, '--maxmemory-policy', 'noeviction', '--databases', String(databases), '--loglevel', 'warning'];
}

function common(options: RedisOptions) {
  return {
    name: 'redis',
    env: process.env,
    onLine: (line: string) => {
      options.onLine(line);
    },
    detached: options.detached ?? false,
    // Its log has no line to rely on over its versions: PING tells.
    readyFrom: () => undefined,
  };
}

async function untilItAnswers(port: number, child: Child<unknown>): Promise<void> {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: () => PING_INTERVAL_MS,
  });
  redis.on('error', () => undefined);
  try {
    const answered = redis.ping();
    answered.catch(() => undefined);
    await Promise.race([answered, failsOn(child), delay(READY_TIMEOUT_MS, 'late', { ref: false }).then(tooLate)]);
  } finally {
    redis.disconnect();
  }
}

function tooLate(): never {
  throw new Error(`redis did not answer within ${READY_TIMEOUT_MS / 1000} s`);
}

/** Never resolves; rejects, with the process's last words, when it ends. */
async function failsOn(child: Child<unknown>): Promise<never> {
  await child.exited;
  await child.ready;
  throw new Error('redis ended');
}
