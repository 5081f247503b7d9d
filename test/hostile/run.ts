import { setTimeout as delay } from 'node:timers/promises';
import { latencyAt } from '../../bench/load/latency.ts';
import type { LoadOrder, LoadResult } from '../../bench/load/load-order.ts';
import { startWorkers } from '../../bench/measure/product.ts';
import { checkAnswers, load } from '../../bench/measure/requests.ts';
import { startServers } from '../../bench/servers/servers.ts';
import { startService } from '../../bench/servers/service.ts';
import { openStage, type Stage } from '../../bench/servers/stage.ts';
import { startAttack, type Attack, type AttackOptions } from './attack.ts';
import { residentBytes, watchMemory } from './memory.ts';

export interface HostileReport {
  engine: string;
  alone: LoadResult;
  attacked: LoadResult;
  /** Of the web process. */
  cpuSeconds: { alone: number | undefined; attacked: number | undefined };
  /** Connections that the service kept although nobody reads from them; requests with a long locale that it did not answer. */
  attack: { open: number; unanswered: number };
  /** In bytes. */
  memory: { before: number; peak: number; after: number };
  /** From the end of the attack until the memory was back; undefined where it was not in time. */
  backSeconds: number | undefined;
}

export const createsPerSecond = 100;
const wallets = { funded: 64, unfunded: 0 };
const connections = 64;
const pollMs = 200;
/** So that what is measured is compiled code, and the young generation has the size that it keeps. */
const warmUp = { ratePerSecond: 1_000, seconds: 10 };
export const backWithinSeconds = 60;
/** What a process under load takes and gives back all the time: half of its young generation. */
export const memoryToleranceBytes = 96 * 1024 * 1024;
export const p99ToleranceMs = 100;

/**
 * Has a client create 100 orders a second, first alone, then under attack, and waits until the web process has its memory
 * back. Servers and processes are its own, and are gone afterwards.
 * @throws where a process does not end in order, or the client is answered with an error other than 429 or 503.
 */
export async function runHostile(options: AttackOptions): Promise<HostileReport> {
  const servers = await startServers();
  try {
    const stage = await openStage(servers, wallets);
    try {
      const workers = await startWorkers(stage, 1);
      const web = await startService('web', stage.env);
      try {
        return { engine: servers.engine.name, ...(await measure(stage, web.pid, web.port ?? 0, options)) };
      } finally {
        await web.stop();
        await workers.stop();
      }
    } finally {
      await stage.close();
    }
  } finally {
    await servers.close();
  }
}

async function measure(stage: Stage, pid: number, port: number, options: AttackOptions) {
  const order: LoadOrder = {
    ...{ kind: 'create', port, ratePerSecond: createsPerSecond, seconds: options.seconds, connections, wallets },
    ...{ keys: stage.world.keys, walletIds: stage.world.walletIds, workspaceId: stage.world.workspaceId },
    ...{ orderIds: [], reads: [], pattern: 'uniform', seed: 1 },
    redisUrl: stage.servers.redisUrl,
  };
  await load({ ...order, ...warmUp, seed: 2 }, {});
  const alone = await load({ ...order, seed: 3 }, { web: pid });
  const before = await residentBytes(pid);
  const watch = watchMemory(pid);
  // The attack begins with the first request, not while requests are being signed.
  const { promise: begins, resolve: begin } = Promise.withResolvers<undefined>();
  const attacking = begins.then(() => startAttack(port, options));
  const attacked = await load({ ...order, seed: 4 }, { web: pid }, () => {
    begin(undefined);
  });
  const attack = await attacking;
  await attack.sent;
  const settled = settlesWithin(attack, options);
  const backSeconds = await untilBack(pid, before + memoryToleranceBytes);
  await settled;
  watch.stop();
  const after = await residentBytes(pid);
  const counts = { open: options.packets - attack.closed(), unanswered: attack.unanswered() };
  attack.stop();
  checkAnswers([alone.result, attacked.result]);
  return {
    ...{ alone: alone.result, attacked: attacked.result, attack: counts },
    cpuSeconds: { alone: alone.cpuSeconds['web'], attacked: attacked.cpuSeconds['web'] },
    ...{ memory: { before, peak: watch.peak(), after }, backSeconds },
  };
}

/** Until every connection of the attack has ended, but no longer than memory may take to be back. */
async function settlesWithin(attack: Attack, { packets }: AttackOptions): Promise<void> {
  const deadline = performance.now() + backWithinSeconds * 1_000;
  while (performance.now() < deadline && (attack.closed() < packets || attack.unanswered() > 0)) await delay(pollMs);
}

async function untilBack(pid: number, bytesMax: number): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const seconds = (performance.now() - startedAt) / 1000;
    if ((await residentBytes(pid)) <= bytesMax) return seconds;
    if (seconds > backWithinSeconds) return undefined;
    await delay(pollMs);
  }
}

/** What did not hold, each in a sentence; empty where everything did. */
export function judge({ alone, attacked, attack, backSeconds }: HostileReport): string[] {
  const p99 = ({ answerLatency }: LoadResult): number =>
    answerLatency === undefined ? Number.NaN : latencyAt(answerLatency, 99);
  const moreMs = p99(attacked) - p99(alone);
  const notCreated = [alone, attacked].map(({ sent, dropped, byStatus }) => sent + dropped - (byStatus['200'] ?? 0));
  return [
    ...(moreMs <= p99ToleranceMs ? [] : [`the client's p99 is ${moreMs.toFixed(0)} ms more under attack`]),
    ...(attack.open === 0 ? [] : [`${attack.open} connections that nobody reads from are still open`]),
    ...(attack.unanswered === 0 ? [] : [`${attack.unanswered} requests with a long locale were not answered`]),
    ...(backSeconds === undefined ? [`the memory is not back within ${backWithinSeconds} s`] : []),
    ...(notCreated.every((count) => count === 0) ? [] : [`${notCreated.join(' and ')} creates were not answered 200`]),
  ];
}
