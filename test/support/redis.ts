import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, inject } from 'vitest';
import { redisUrl } from '../../local/redis.ts';
import { startRedisNode, type RedisNode } from './redis-node.ts';

const NEXT_DATABASE_KEY = 'test:next-database';

export interface OwnRedis extends RedisNode {
  /** Stops it and starts it again on the same port, empty unless it is persistent. */
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
  const dataDir = await mkdtemp(join(tmpdir(), 'test-redis-'));
  const node = await startRedisNode({ dataDir, args, persistent });
  return {
    ...node,
    async stop() {
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    async restart() {
      await node.stop();
      await node.start();
    },
  };
}
