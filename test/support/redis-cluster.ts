import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../embedded/local/free-port.ts';
import { redisUrl, startRedis } from '../../embedded/local/redis.ts';
import { waitFor } from './wait-for.ts';

const STOP_TIMEOUT_MS = 5_000;
/** After this long the others take a node for failed. */
const NODE_TIMEOUT_MS = 1_000;
const MASTERS = 3;
const SLOTS = 16_384;
/** What a node knows of the cluster, and of its place in it. */
const NODES_FILE = 'nodes.conf';

export interface ClusterNode {
  host: string;
  port: number;
  /** SIGKILL: clients see a broken connection. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections, and answers nothing. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same port and in its place, with what it had written or without. */
  start(options?: { isEmpty: boolean }): Promise<void>;
  /** A command to this node itself. */
  ask(...command: [name: string, ...args: (string | number)[]]): Promise<unknown>;
}

export interface RedisCluster {
  url: string;
  /** Each has a third of the slots at first, in order. */
  masters: ClusterNode[];
  stop(): Promise<void>;
}

/**
 * A Redis Cluster of this test alone, of three masters that serve their own slots also while another is away; who starts
 * it stops it.
 * @param replicated whether the first master has a replica, which takes its place a few seconds after it was killed.
 */
export async function startRedisCluster({ replicated = false } = {}): Promise<RedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'test-redis-cluster-'));
  const count = replicated ? MASTERS + 1 : MASTERS;
  const nodes = await Promise.all(Array.from({ length: count }, (_, index) => startNode(join(folder, String(index)))));
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await formCluster(nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  const masters = nodes.slice(0, MASTERS);
  return { url: `redis+cluster://${masters.map(({ host, port }) => `${host}:${port}`).join(',')}`, masters, stop };
}

interface StartedNode extends ClusterNode {
  busPort: number;
  stop(): Promise<unknown>;
}

async function startNode(dataDir: string): Promise<StartedNode> {
  const [port, busPort] = await Promise.all([freePort(), freePort()]);
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    'cluster-require-full-coverage': 'no',
    // A test waits for no replica to catch up, or to ask for a copy.
    'shutdown-timeout': 0,
    'repl-diskless-sync-delay': 0,
    // A replica takes over however long ago it last heard of its master.
    'cluster-replica-validity-factor': 0,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const start = async () => {
    const started = await startRedis({ port, dataDir, persistent: true, args, onLine: () => undefined });
    await started.ready;
    return started;
  };
  let child = await start();
  return {
    host: '127.0.0.1',
    port,
    busPort,
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
    async ask(name, ...args) {
      const redis = new Redis(redisUrl(port), { retryStrategy: null });
      redis.on('error', () => undefined);
      try {
        return await redis.call(name, ...args);
      } finally {
        redis.disconnect();
      }
    },
    stop: () => child.stop(STOP_TIMEOUT_MS),
  };
}

/** Which of the masters has a key at first, by its place among them. */
export async function placeOf(key: string, [node]: readonly ClusterNode[]): Promise<number> {
  return Math.floor((Number(await node?.ask('CLUSTER', 'KEYSLOT', key)) * MASTERS) / SLOTS);
}

/** What `redis-cli --cluster create` does, without its pauses. */
async function formCluster(nodes: StartedNode[]): Promise<void> {
  const [first] = nodes as [StartedNode];
  const masters = nodes.slice(0, MASTERS);
  const slotsFrom = (index: number): number => Math.floor((SLOTS * index) / MASTERS);
  for (const [index, master] of masters.entries()) {
    await master.ask('CLUSTER', 'ADDSLOTSRANGE', slotsFrom(index), slotsFrom(index + 1) - 1);
  }
  for (const [index, node] of nodes.entries()) {
    await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    if (node !== first) await node.ask('CLUSTER', 'MEET', first.host, first.port, first.busPort);
  }
  const isWhole = async (node: StartedNode, of: number): Promise<boolean> => {
    const info = String(await node.ask('CLUSTER', 'INFO'));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${of}\r`);
  };
  const untilWhole = () =>
    Promise.all(nodes.map((node) => waitFor(() => isWhole(node, nodes.length), { what: 'A whole cluster' })));
  await untilWhole();
  for (const replica of nodes.slice(MASTERS)) {
    await replica.ask('CLUSTER', 'REPLICATE', String(await first.ask('CLUSTER', 'MYID')));
    await waitFor(async () => String(await replica.ask('INFO', 'replication')).includes('master_link_status:up'));
  }
}
