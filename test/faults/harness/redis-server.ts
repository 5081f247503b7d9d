import { join } from 'node:path';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import { startRedisNode, type RedisNode } from '../../support/redis-node.ts';

/** A Redis that keeps its data over a restart: one server, or a cluster. */
export interface RedisServer {
  url: string;
  /** Where a proxy leads; undefined of a cluster, whose nodes name each other past any proxy. */
  address: { host: string; port: number } | undefined;
  /** The one server, or those of a cluster that share the keys. */
  masters: readonly RedisNode[];
  flushAll(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisServer(folder: string, onLine: (line: string) => void): Promise<RedisServer> {
  const node = await startRedisNode({ dataDir: join(folder, 'redis'), onLine });
  return { url: node.url, address: node, ...manage([node]), stop: () => node.stop() };
}

export async function startClusteredRedis(): Promise<RedisServer> {
  const cluster = await startRedisCluster();
  return { url: cluster.url, address: undefined, ...manage(cluster.masters), stop: () => cluster.stop() };
}

function manage(masters: readonly RedisNode[]): Pick<RedisServer, 'masters' | 'flushAll'> {
  return {
    masters,
    async flushAll() {
      await Promise.all(masters.map((master) => master.ask('FLUSHALL')));
    },
  };
}
