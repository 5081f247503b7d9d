import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultRun } from '../harness/fault.ts';
import type { Stack } from '../harness/stack.ts';
import { hang } from '../harness/traps.ts';

/** Without Redis a create is refused; nothing waits for it longer than a command's time-out and a bit. */
const promptMs = 5_000;

export const redisFaults: readonly Fault[] = [
  {
    name: 'redis-killed-with-data',
    what: 'kill -9 of Redis, started again with what it had written',
    breaks: ['redis'],
    inject: (run) => killRedis(run, false),
  },
  {
    name: 'redis-killed-without-data',
    what: 'kill -9 of Redis, started again empty',
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
    what: 'Redis accepts and never answers for some seconds',
    breaks: ['redis', 'redis proxies'],
    async inject(run) {
      const { stack, choices, mark } = run;
      const startedAtMs = performance.now();
      const hanging = hang(membersOf(stack).map(({ redisProxy }) => redisProxy));
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
        for (const { redisProxy } of membersOf(stack)) redisProxy.cutAll();
        await delay(choices.whole(50, 500));
      }
      await mark();
    },
  },
];

async function killRedis(run: FaultRun, isEmpty: boolean): Promise<void> {
  const { stack, choices, mark } = run;
  await delay(choices.whole(0, 500));
  const startedAtMs = performance.now();
  await stack.redis.kill();
  await delay(choices.whole(100, 3_000));
  expectPrompt(run, startedAtMs);
  await stack.redis.restart({ isEmpty });
  await mark();
}

/** Of the creates sent since then, none took long to be answered. */
function expectPrompt({ load, breachAlone }: FaultRun, sinceMs: number): void {
  for (const { startedAtMs, endedAtMs, result } of load.requests) {
    if (startedAtMs < sinceMs || endedAtMs - startedAtMs <= promptMs) continue;
    breachAlone(`without Redis a request took ${Math.round(endedAtMs - startedAtMs)} ms to end as ${result}`);
  }
}

function membersOf({ webs, workers }: Stack) {
  return [...webs, ...workers];
}
