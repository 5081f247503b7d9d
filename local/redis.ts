import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { startChild, type Child } from './child.ts';
import { findExecutable, run } from './executables.ts';

/** Its image may have to be fetched first. */
const CONTAINER_READY_TIMEOUT_MS = 180_000;
const PING_INTERVAL_MS = 25;
/** By its digest, so that the image that runs is the one that was checked, even if the tag moves. */
export const containerImage =
  'redis:8.10.2-alpine@sha256:72cedd9603038893af961e90ac5e1a1a0d8377d5e338dbdad8fe284ea25de18f';

export interface RedisReady {
  url: string;
}

export interface RedisOptions {
  port: number;
  dataDir: string;
  /** Keeps what is written over a restart (append-only file). */
  persistent: boolean;
  /** Number of logical databases. */
  databases?: number;
  detached?: boolean;
  /** Further arguments of redis-server. */
  args?: readonly string[];
  onLine: (line: string) => void;
}

/**
 * Starts a Redis on 127.0.0.1; it is ready when it answers. If the machine has no redis-server, it runs in a container.
 * `noeviction`, because a queue whose keys may be evicted loses jobs; BullMQ demands it.
 */
export async function startRedis(options: RedisOptions): Promise<Child<RedisReady>> {
  await mkdir(options.dataDir, { recursive: true });
  return (await findExecutable('redis-server')) ? onMachine(options) : inContainer(options);
}

/** Where clients find a Redis that startRedis started. */
export function redisUrl(port: number, database = 0): string {
  return `redis://127.0.0.1:${port}/${database}`;
}

function onMachine(options: RedisOptions): Promise<Child<RedisReady>> {
  const args = ['--port', String(options.port), '--bind', '127.0.0.1', '--dir', options.dataDir];
  return startChild({ ...common(options), command: 'redis-server', args: [...args, ...behaviour(options)] });
}

async function inContainer(options: RedisOptions): Promise<Child<RedisReady>> {
  const name = `wallet-transfers-redis-${createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12)}`;
  // A container that a killed stack left behind would still use the data.
  await run('docker', ['rm', '--force', name]).catch(() => undefined);
  const publish = ['--publish', `127.0.0.1:${options.port}:6379`, '--volume', `${options.dataDir}:/data`];
  const args = ['run', '--rm', '--name', name, ...publish, containerImage, 'redis-server', ...behaviour(options)];
  return startChild({ ...common(options), command: 'docker', args, readyTimeoutMs: CONTAINER_READY_TIMEOUT_MS });
}

function behaviour({ persistent, databases = 16, args = [] }: RedisOptions): string[] {
  const keep = ['--appendonly', persistent ? 'yes' : 'no', '--save', ''];
  return [
    ...keep,
    '--maxmemory-policy',
    'noeviction',
    '--databases',
    String(databases),
    '--loglevel',
    'warning',
    ...args,
  ];
}

function common({ port, onLine, detached = false }: RedisOptions) {
  // Asked by PING, because no line of its log is the same in all versions.
  const readyProbe = (givenUp: AbortSignal) => untilItAnswers(port, givenUp);
  return { name: 'redis', env: process.env, onLine, detached, readyProbe };
}

async function untilItAnswers(port: number, givenUp: AbortSignal): Promise<RedisReady> {
  const retryStrategy = () => PING_INTERVAL_MS;
  const redis = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null, retryStrategy });
  redis.on('error', () => undefined);
  givenUp.addEventListener('abort', () => {
    redis.disconnect();
  });
  await redis.ping();
  return { url: redisUrl(port) };
}
