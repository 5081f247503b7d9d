import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../local/free-port.ts';
import { startRedisNode, type RedisNode } from './redis-node.ts';
import { waitFor } from './wait-for.ts';

/** After this long the others take a node for failed. */
const NODE_TIMEOUT_MS = 1_000;
const MASTERS = 3;
const SLOTS = 16_384;

export interface RedisCluster {
  url: string;
  /** Each has a third of the slots at first, in order. */
  masters: RedisNode[];
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

interface ClusterNode extends RedisNode {
  busPort: number;
}

async function startNode(dataDir: string): Promise<ClusterNode> {
  const busPort = await freePort();
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
  return { ...(await startRedisNode({ dataDir, args })), busPort };
}

/** What `redis-cli --cluster create` does, without its pauses. */
async function formCluster(nodes: ClusterNode[]): Promise<void> {
  const [first] = nodes as [ClusterNode];
  const masters = nodes.slice(0, MASTERS);
  const slotsFrom = (index: number): number => Math.floor((SLOTS * index) / MASTERS);
  for (const [index, master] of masters.entries()) {
    await master.ask('CLUSTER', 'ADDSLOTSRANGE', slotsFrom(index), slotsFrom(index + 1) - 1);
  }
  for (const [index, node] of nodes.entries()) {
    await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    if (node !== first) await node.ask('CLUSTER', 'MEET', first.host, first.port, first.busPort);
  }
  const isWhole = async (node: ClusterNode, of: number): Promise<boolean> => {
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
