import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultRun } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import type { Stack } from '../harness/stack.ts';
import { hang } from '../harness/traps.ts';

/** Without Redis a create is refused; nothing waits for it longer than a command's time-out and a bit. */
const promptMs = 5_000;
/** Of clients, to Redis. */
const connectionTypes = ['normal', 'pubsub'];

export const redisFaults: readonly Fault[] = [
  {
    name: 'redis-killed-with-data',
    what: 'kill -9 of Redis, or of one master, started again with what it had written',
    breaks: ['redis'],
    inject: (run) => killRedis(run, false),
  },
  {
    name: 'redis-killed-without-data',
    what: 'kill -9 of Redis, or of one master, started again empty',
    breaks: ['redis'],
    inject: (run) => killRedis(run, true),
  },
  {
    name: 'redis-flushed',
    what: 'FLUSHALL under load',
    breaks: [],
    reliesOn: ['redis'],
    async inject({ stack, choices, mark }) {
      await delay(choices.whole(50, 800));
      await stack.redis.flushAll();
      await mark();
    },
  },
  {
    name: 'redis-hanging',
    what: 'Redis, or one master, accepts and never answers for some seconds',
    breaks: ['redis', 'redis proxies'],
    async inject(run) {
      const { choices, mark } = run;
      const startedAtMs = performance.now();
      const hanging = hangRedis(run);
      await delay(choices.whole(3_000, 6_000));
      expectPrompt(run, startedAtMs);
      hanging.release();
      await mark();
    },
  },
  {
    name: 'redis-connections-cut',
    what: 'every connection to Redis is cut, several times',
    breaks: ['redis'],
    async inject({ stack, choices, mark }) {
      for (let round = choices.whole(2, 5); round > 0; round -= 1) {
        await cutConnections(stack);
        await delay(choices.whole(50, 500));
      }
      await mark();
    },
  },
  {
    name: 'redis-connections-silent',
    what: 'connections to Redis stay open and answer nothing any more; new ones do',
    needs: 'redis proxies',
    breaks: ['redis proxies'],
    async inject({ stack, choices, mark }) {
      for (const proxy of proxiesOf(stack)) {
        await delay(choices.whole(0, 500));
        proxy.silenceAll();
      }
      await mark();
    },
  },
];

async function killRedis(run: FaultRun, isEmpty: boolean): Promise<void> {
  const { stack, choices, mark } = run;
  await delay(choices.whole(0, 500));
  const startedAtMs = performance.now();
  const master = choices.pick(stack.redis.masters);
  await master.kill();
  await delay(choices.whole(100, 3_000));
  expectPrompt(run, startedAtMs);
  await master.start({ isEmpty });
  await mark();
}

/** Of the creates sent since then, none took long to be answered. */
function expectPrompt({ load, breachAlone }: FaultRun, sinceMs: number): void {
  for (const { startedAtMs, endedAtMs, result } of load.requests) {
    if (startedAtMs < sinceMs || endedAtMs - startedAtMs <= promptMs) continue;
    breachAlone(`without Redis a request took ${Math.round(endedAtMs - startedAtMs)} ms to end as ${result}`);
  }
}

/** No proxy is before a cluster: there one master hangs. */
function hangRedis({ stack, choices }: FaultRun): { release(): void } {
  const proxies = proxiesOf(stack);
  if (proxies.length > 0) return hang(proxies);
  const master = choices.pick(stack.redis.masters);
  master.pause();
  return {
    release() {
      master.resume();
    },
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
