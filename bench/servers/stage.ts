import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { WalletCounts } from '../load/patterns.ts';
import type { Servers } from './servers.ts';
import { createWorld, type World } from './world.ts';

/** A database and a Redis namespace of one measurement, with a workspace in it. */
export interface Stage {
  readonly servers: Servers;
  readonly world: World;
  readonly prefix: string;
  readonly mongodbUri: string;
  /** What the product's processes are started with. */
  readonly env: NodeJS.ProcessEnv;
  /** Forgets everything. */
  close(): Promise<void>;
}

export async function openStage(servers: Servers, counts: WalletCounts): Promise<Stage> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const mongodbUri = servers.mongodbUri(name);
  const world = await createWorld(mongodbUri, counts);
  return {
    servers,
    world,
    prefix: name,
    mongodbUri,
    env: {
      ...process.env,
      MONGODB_URI: mongodbUri,
      REDIS_URL: servers.redisUrl,
      QUEUE_PREFIX: name,
      MASTER_KEYS: world.masterKeys,
      // Neither a key's own limit nor that of what may wait is what is measured.
      KEY_RATE_PER_SECOND: '1000000',
      BACKLOG_MAX: '1000000',
      BACKLOG_MAX_WORKSPACE: '1000000',
      HOST: '127.0.0.1',
      PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'info',
    },
    async close() {
      await world.db.dropDatabase();
      await world.close();
      const redis = new Redis(servers.redisUrl);
      await redis.flushall();
      await redis.quit();
    },
  };
}
