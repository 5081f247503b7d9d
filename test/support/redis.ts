import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, inject } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { redisUrl, startRedis as startRedisProcess } from '../../local/redis.ts';

const STOP_TIMEOUT_MS = 5_000;
const NEXT_DATABASE_KEY = 'test:next-database';

export interface OwnRedis {
  url: string;
  port: number;
  /** SIGKILL: nothing is saved, clients see a broken connection. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Starts it again on the same port, empty unless it is persistent. */
  restart(): Promise<void>;
}

/** The URL of an empty logical database of the run's shared Redis, emptied again after the test file. */
export async function testRedis(): Promise<{ url: string }> {
  const port = inject('redisPort');
  const counter = new Redis(redisUrl(port));
  const database = await counter.incr(NEXT_DATABASE_KEY);
  await counter.quit();
  const url = redisUrl(port, database);
  afterAll(async () => {
    const redis = new Redis(url);
    await redis.flushdb();
    await redis.quit();
  });
  return { url };
}

/** A Redis process of this test alone, to be killed and restarted at will; who starts it stops it. */
export async function startRedis({ persistent = false, args = [] as readonly string[] } = {}): Promise<OwnRedis> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'test-redis-'));
  const start = async () => {
    const started = await startRedisProcess({ port, dataDir, persistent, args, onLine: () => undefined });
    await started.ready;
    return started;
  };
  let child = await start();
  return {
    url: redisUrl(port),
    port,
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    async stop() {
      await child.stop(STOP_TIMEOUT_MS);
      await rm(dataDir, { recursive: true, force: true });
    },
    async restart() {
      await child.stop(STOP_TIMEOUT_MS);
      child = await start();
    },
  };
}
