import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../local/free-port.ts';
import { redisUrl, startRedis } from '../../local/redis.ts';

const STOP_TIMEOUT_MS = 5_000;
/** Of a cluster: what a node knows of the others, and of its place among them. */
const NODES_FILE = 'nodes.conf';

/** A Redis process. */
export interface RedisNode {
  url: string;
  host: string;
  port: number;
  /** SIGKILL: clients see a broken connection. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections, and answers nothing. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same port, and in its place in a cluster, with what it had written or without. */
  start(options?: { isEmpty: boolean }): Promise<void>;
  /** A command to this node itself. */
  ask(...command: [name: string, ...args: (string | number)[]]): Promise<unknown>;
  stop(): Promise<void>;
}

interface RedisNodeOptions {
  dataDir: string;
  /** Further ones of redis-server. */
  args?: readonly string[];
  onLine?: (line: string) => void;
  /** Whether it keeps what is written. */
  persistent?: boolean;
}

export async function startRedisNode({
  dataDir,
  args = [],
  persistent = true,
  onLine = () => undefined,
}: RedisNodeOptions): Promise<RedisNode> {
  const port = await freePort();
  const start = async () => {
    const started = await startRedis({ port, dataDir, persistent, args, onLine });
    await started.ready;
    return started;
  };
  let child = await start();
  return {
    ...{ url: redisUrl(port), host: '127.0.0.1', port },
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    pause() {
      child.kill('SIGSTOP');
    },
    resume() {
      child.kill('SIGCONT');
    },
    async start({ isEmpty } = { isEmpty: false }) {
      const written = isEmpty ? (await readdir(dataDir)).filter((name) => name !== NODES_FILE) : [];
      await Promise.all(written.map((name) => rm(join(dataDir, name), { recursive: true })));
      child = await start();
    },
    async ask(name, ...rest) {
      const redis = new Redis(redisUrl(port), { retryStrategy: null });
      redis.on('error', () => undefined);
      try {
        return await redis.call(name, ...rest);
      } finally {
        redis.disconnect();
      }
    },
    async stop() {
      await child.stop(STOP_TIMEOUT_MS);
    },
  };
}
