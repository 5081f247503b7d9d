import { setTimeout as delay } from 'node:timers/promises';
import type { LoadOrder, LoadResult } from '../../bench/load/load-order.ts';
import { startWorkers } from '../../bench/measure/product.ts';
import { checkAnswers, load } from '../../bench/measure/requests.ts';
import type { Servers } from '../../bench/servers/servers.ts';
import { startService } from '../../bench/servers/service.ts';
import { openStage, type Stage } from '../../bench/servers/stage.ts';
import { createWorkspace } from '../../bench/servers/workspace.ts';
import type { Attack, RunningAttack, Target } from './attack.ts';
import { forgetPeak, peakBytes, residentBytes } from './memory.ts';

/** What the client saw, and what the attacked process took for it. */
export interface Phase {
  readonly creates: LoadResult;
  readonly reads: LoadResult;
  readonly cpuSeconds: number;
}

export interface HostileReport {
  readonly alone: Phase;
  readonly attacked: Phase;
  /** On the wire, of the attack alone. */
  readonly attackBytes: number;
  /** What the service still owed when the time was over, each in a sentence. */
  readonly owed: readonly string[];
  /** What else the attacker saw, in a sentence. */
  readonly seen: string | undefined;
  /** Of the attacked process, in bytes. */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number };
  /** From the end of the attack until the memory was back; undefined where it was not in time. */
  readonly backSeconds: number | undefined;
}

export const createsPerSecond = 100;
export const readsPerSecond = 50;
export const backWithinSeconds = 60;
/** What a process under load takes and gives back all the time: half of its young generation. */
export const memoryToleranceBytes = 96 * 1024 * 1024;

const wallets = { funded: 64, unfunded: 0 };
const attackersWallets = { funded: 4, unfunded: 0 };
const connections = 64;
const pollMs = 200;
/** So that what is measured is compiled code, and the young generation has the size that it keeps. */
const warmUp = { ratePerSecond: 1_000, seconds: 10 };

/**
 * Has a client create and read orders at a constant rate, first alone, then under attack, and waits until the attacked
 * process has its memory back. The database and the processes are its own, and are gone afterwards.
 * @throws where a process does not end in order, or the client is answered with an error other than 429 or 503.
 */
export async function runHostile(servers: Servers, attack: Attack, seconds: number): Promise<HostileReport> {
  const stage = await openStage(servers, wallets);
  try {
    const env = { ...stage.env, ...attack.env };
    const workers = await startWorkers({ env }, 1);
    const web = await startService('web', env);
    try {
      const [worker] = workers.all;
      const attacker = await createWorkspace(stage.world, attackersWallets, 1);
      const [client] = stage.world.keys;
      const [key] = attacker.keys;
      if (worker === undefined || client === undefined || key === undefined) throw new Error('no worker or no key');
      const target: Target = {
        webPort: web.port ?? 0,
        webOpsPort: web.opsPort,
        workerOpsPort: worker.opsPort,
        keyId: client.apiKey,
        attacker: { key, walletIds: attacker.walletIds },
      };
      await attack.warmUp?.(target);
      return await measure({ stage, target, seconds, attack, pid: attack.against === 'web' ? web.pid : worker.pid });
    } finally {
      await web.stop();
      await workers.stop();
    }
  } finally {
    await stage.close();
  }
}

interface Measurement {
  readonly stage: Stage;
  readonly target: Target;
  readonly attack: Attack;
  readonly seconds: number;
  /** Of the attacked process. */
  readonly pid: number;
}

async function measure({ stage, target, attack, seconds, pid }: Measurement): Promise<HostileReport> {
  const order: LoadOrder = {
    ...{ kind: 'create', port: target.webPort, ratePerSecond: createsPerSecond, seconds, connections, wallets },
    ...{ keys: stage.world.keys, walletIds: stage.world.walletIds, workspaceId: stage.world.workspaceId },
    ...{ orderIds: [], reads: ['balance'], pattern: 'uniform', seed: 1 },
    ...{ redisUrl: stage.servers.redisUrl, noticeChannel: `${stage.prefix}:posted` },
  };
  await load({ ...order, ...warmUp, seed: 2 }, {});
  const alone = await runPhase(order, 3, pid);
  const before = await residentBytes(pid);
  await forgetPeak(pid);
  let running: Promise<RunningAttack> | undefined;
  const attacked = await runPhase(order, 5, pid, () => {
    running = Promise.resolve(attack.start(target, { seconds, share: 1 }));
  });
  const started = await running;
  if (started === undefined) throw new Error('the attack did not begin');
  await started.sent;
  const owed = await untilNothingIsOwed(started);
  const [attackBytes, seen] = [started.bytes(), started.seen?.()];
  await started.stop();
  const backSeconds = await untilBack(pid, before + memoryToleranceBytes);
  const memory = { before, peak: await peakBytes(pid), after: await residentBytes(pid) };
  checkAnswers([alone, attacked].flatMap(({ creates, reads }) => [creates, reads]));
  return { alone, attacked, attackBytes, seen, owed, memory, backSeconds };
}

/** @param onSending told with the first request, so that no attack begins while requests are still being signed. */
async function runPhase(order: LoadOrder, seed: number, pid: number, onSending?: () => void): Promise<Phase> {
  const { noticeChannel: _, ...unwatched } = order;
  const reads: LoadOrder = { ...unwatched, kind: 'read', ratePerSecond: readsPerSecond, seed: seed + 1 };
  const [creating, reading] = await Promise.all([
    load({ ...order, seed }, { attacked: pid }, onSending),
    load(reads, {}),
  ]);
  return { creates: creating.result, reads: reading.result, cpuSeconds: creating.cpuSeconds['attacked'] ?? Number.NaN };
}

async function untilNothingIsOwed({ owed }: RunningAttack): Promise<readonly string[]> {
  const deadline = performance.now() + backWithinSeconds * 1_000;
  while (performance.now() < deadline && owed().length > 0) await delay(pollMs);
  return owed();
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
