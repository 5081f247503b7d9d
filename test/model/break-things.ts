import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Random } from '../../bench/load/random.ts';
import type { ServiceProcesses } from '../support/service.ts';

interface Shares {
  readonly everyMs: number;
  /** Of the faults, how many kill a worker, and how many freeze one; all others empty Redis. */
  readonly killed: number;
  readonly frozen: number;
}

/** Longer than a worker's leases are its own. */
const frozenMs = 6_000;

/** Kills and freezes workers and empties Redis, again and again. @returns a function that ends it. */
export function breakThings(service: ServiceProcesses, random: Random, shares: Shares): () => Promise<void> {
  const ended = new AbortController();
  const redis = new Redis(service.redisUrl);
  async function loop(): Promise<void> {
    while (!(await sleep(shares.everyMs, false, { signal: ended.signal }).catch(() => true))) {
      const kind = random();
      const place = Math.floor(random() * service.workers.length);
      const worker = service.workers[place]!;
      if (kind < shares.killed) {
        service.workers.splice(place, 1);
        worker.kill('SIGKILL');
        await service.startWorker();
      } else if (kind < shares.killed + shares.frozen) {
        worker.kill('SIGSTOP');
        await sleep(frozenMs);
        worker.kill('SIGCONT');
      } else await redis.flushdb();
    }
    redis.disconnect();
  }
  const running = loop();
  return async () => {
    ended.abort();
    await running;
  };
}

/** Empties Redis for two seconds, and replaces a worker by another. */
export async function breakForTwoSeconds(service: ServiceProcesses): Promise<void> {
  const redis = new Redis(service.redisUrl);
  const [worker] = service.workers.splice(0, 1);
  worker!.kill('SIGKILL');
  for (let time = 0; time < 4; time += 1) {
    await redis.flushdb();
    await sleep(500);
  }
  redis.disconnect();
  await service.startWorker();
}
