import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../../embedded/local/free-port.ts';
import { redisUrl, startRedis as startRedisProcess } from '../../../embedded/local/redis.ts';

export interface RedisServer {
  address: { host: string; port: number };
  kill(): Promise<void>;
  /** Starts it again on the same port; what it had is lost where it comes back empty. */
  restart(options: { isEmpty: boolean }): Promise<void>;
  flushAll(): Promise<void>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const stopTimeoutMs = 5_000;

/** A Redis of its own that keeps its data over a restart. */
export async function startRedisServer(folder: string, onLine: (line: string) => void): Promise<RedisServer> {
  const dataDir = join(folder, 'redis');
  const port = await freePort();
  const start = async () => {
    const started = await startRedisProcess({ port, dataDir, persistent: true, onLine });
    await started.ready;
    return started;
  };
  let child = await start();
  return {
    address: { host, port },
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    async restart({ isEmpty }) {
      if (isEmpty) await rm(dataDir, { recursive: true, force: true });
      child = await start();
    },
    async flushAll() {
      const redis = new Redis(redisUrl(port));
      await redis.flushall();
      await redis.quit();
    },
    async stop() {
      await child.stop(stopTimeoutMs);
    },
  };
}
