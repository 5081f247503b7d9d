import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { connectRedis, mastersOf } from '../../../src/redis/connection.ts';
import { dataFolder } from '../../support/data-folder.ts';
import { startRedisNode, type RedisNode } from '../../support/redis-node.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { CatalogueFault, FaultRun } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import type { Stack } from '../harness/stack.ts';
import { hang } from '../harness/traps.ts';

/** Without Redis a create is refused; nothing waits for it longer than a command's time-out and a bit. */
const promptMs = 5_000;
const connectedWithinMs = 10_000;
const replicatedWithinMs = 20_000;
/** Of clients, to Redis. */
const connectionTypes = ['normal', 'pubsub'];

export const redisFaults: readonly CatalogueFault[] = [
  ...(
    [
      ['redis-killed-with-data', 'with what it had written', false],
      ['redis-killed-without-data', 'empty', true],
    ] as const
  ).map(([name, how, isEmpty]): CatalogueFault => ({
    name,
    what: `kill -9 of Redis, or of one master, started again ${how}`,
    breaks: ['redis'],
    afterMs: [0, 500],
    async does({ stack, choices }) {
      const master = choices.pick(stack.redis.masters);
      await master.kill();
      return () => master.start({ isEmpty });
    },
    lasts: { ms: [100, 3_000] },
    holds: expectPrompt,
  })),
  {
    name: 'redis-failed-over',
    what: 'a replica takes over from a Redis that is killed, without the last that was written there',
    needs: 'redis proxies',
    breaks: ['redis'],
    does: failOver,
    holds: expectPrompt,
  },
  {
    name: 'redis-flushed',
    what: 'FLUSHALL under load',
    breaks: [],
    reliesOn: ['redis'],
    afterMs: [50, 800],
    does: ({ stack }) => stack.redis.flushAll(),
  },
  {
    name: 'redis-full',
    what: 'Redis, or each master, has no memory left for some seconds: it answers, and refuses writes',
    breaks: ['redis'],
    does: async ({ stack }) => {
      await setMemoryMax(stack, '1');
      return () => setMemoryMax(stack, '0');
    },
    lasts: { ms: [1_000, 4_000] },
    holds: expectPrompt,
  },
  {
    name: 'redis-hanging',
    what: 'Redis, or one master, accepts and never answers for some seconds',
    breaks: ['redis', 'redis proxies'],
    does: hangRedis,
    lasts: { ms: [3_000, 6_000] },
    holds: expectPrompt,
  },
  {
    name: 'redis-connections-cut',
    what: 'every connection to Redis is cut, several times',
    breaks: ['redis'],
    rounds: [2, 5],
    does: ({ stack }) => cutConnections(stack),
    lasts: { ms: [50, 500] },
  },
  {
    name: 'redis-connections-silent',
    what: 'connections to Redis stay open and answer nothing any more; new ones do',
    needs: 'redis proxies',
    breaks: ['redis proxies'],
    async does({ stack, choices }) {
      for (const proxy of proxiesOf(stack)) {
        await delay(choices.whole(0, 500));
        proxy.silenceAll();
      }
    },
  },
];

/** Of the requests sent since then, none took long to be answered. */
function expectPrompt({ load, breachAlone }: FaultRun, sinceMs: number): undefined {
  for (const { startedAtMs, endedAtMs, result } of load.requests) {
    if (startedAtMs < sinceMs || endedAtMs - startedAtMs <= promptMs) continue;
    breachAlone(`without Redis a request took ${Math.round(endedAtMs - startedAtMs)} ms to end as ${result}`);
  }
}

/**
 * A replica is promoted while clients still write to the old primary, as when the two are cut off from each other. What was
 * written there meanwhile is lost: wakes, what was taken, nonces. The data then stands at the primary's address, as an address
 * that follows the primary would have it.
 */
async function failOver({ stack, choices }: FaultRun): Promise<void> {
  const [primary] = stack.redis.masters;
  if (primary === undefined) throw new Error('there is no Redis');
  const dataDir = await dataFolder('faults-replica-');
  const replica = await startRedisNode({ dataDir });
  try {
    await follow(replica, primary);
    await replica.ask('REPLICAOF', 'NO', 'ONE');
    await delay(choices.whole(10, 500));
    await primary.kill();
    await delay(choices.whole(100, 2_000));
    await primary.start({ isEmpty: true });
    await follow(primary, replica);
    await primary.ask('REPLICAOF', 'NO', 'ONE');
  } finally {
    await replica.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function follow(replica: RedisNode, primary: RedisNode): Promise<void> {
  await replica.ask('REPLICAOF', primary.host, primary.port);
  const isInStep = async () => /master_link_status:up/.test(String(await replica.ask('INFO', 'replication')));
  await waitFor(isInStep, { timeoutMs: replicatedWithinMs, what: 'A replica in step' });
}

/** No proxy is before a cluster: there one master hangs. */
function hangRedis({ stack, choices }: FaultRun): () => void {
  const proxies = proxiesOf(stack);
  if (proxies.length > 0) return hang(proxies).release;
  const master = choices.pick(stack.redis.masters);
  master.pause();
  return () => {
    master.resume();
  };
}

/** A proxy may swallow an answer on its way; a cluster's nodes only close what is idle or answered. */
async function cutConnections(stack: Stack): Promise<void> {
  const proxies = proxiesOf(stack);
  for (const proxy of proxies) proxy.cutAll();
  if (proxies.length > 0) return;
  for (const type of connectionTypes) {
    await Promise.all(stack.redis.masters.map((master) => master.ask('CLIENT', 'KILL', 'TYPE', type)));
  }
}

function proxiesOf({ webs, workers }: Stack): Proxy[] {
  return [...webs, ...workers].flatMap(({ redisProxy }) => redisProxy ?? []);
}

async function setMemoryMax({ redis: { url } }: Stack, bytes: string): Promise<void> {
  const log = pino({ enabled: false });
  const client = await connectRedis({ REDIS_URL: url }, 'request', log, AbortSignal.timeout(connectedWithinMs));
  try {
    await Promise.all(mastersOf(client).map((node) => node.config('SET', 'maxmemory', bytes)));
  } finally {
    client.disconnect();
  }
}
