import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import { givenUri } from './mongodb-server.ts';
import { choosePair } from './pairs.ts';
import type { LoadOptions } from './load.ts';
import { runFault, type FaultReport } from './run-fault.ts';
import { startStack, type Stack, type StackOptions } from './stack.ts';

export interface PlannedRun {
  fault: Fault;
  seed: number;
  /** The options that repeat it. */
  again: string;
}

export function planRun(fault: Fault, seed: number): PlannedRun {
  return { fault, seed, again: `--fault ${fault.name} --runs 1 --seed ${seed}` };
}

/** @param chosen one of the two is one of these. */
export function planPair(seed: number, all: readonly Fault[], chosen = all): PlannedRun {
  const only = chosen.length === all.length ? '' : chosen.map(({ name }) => ` --fault ${name}`).join('');
  return { fault: choosePair(seed, all, chosen), seed, again: `--pairs${only} --runs 1 --seed ${seed}` };
}

export interface FinishedRun extends PlannedRun {
  /** Why it was not run. */
  skipped?: string;
  report?: FaultReport;
  /** What the stack logged, where there was a breach. */
  logFile?: string;
}

/** A stack serves so many runs: each run checks all its orders again, and they become many. */
const runsPerStackMax = 20;

/**
 * How many stacks run at once: on a server that is given only one, because fail points hold for a whole server, and one
 * stack's would break another's runs.
 */
export function stacksAtOnce(wanted: number): number {
  return givenUri() === undefined ? wanted : 1;
}

/** What runs share: their stacks, and the load of each. */
export interface RunOptions extends StackOptions {
  load?: LoadOptions;
}

/** Works through a plan, on one stack after another. `next` gives the runs; several lanes may share it. */
export async function runMany(
  next: () => PlannedRun | undefined,
  onFinished: (run: FinishedRun) => void,
  signal: AbortSignal,
  options: RunOptions = {},
): Promise<void> {
  let stack: Stack | undefined;
  let runs = 0;
  try {
    for (let run = next(); run !== undefined && !signal.aborted; run = next()) {
      stack ??= await startStack(options);
      const finished = await runPlanned(run, stack, options.load);
      onFinished(finished);
      runs += 1;
      const isBroken = (finished.report?.breaches.length ?? 0) > 0;
      if (isBroken || runs % runsPerStackMax === 0) {
        const used: Stack = stack;
        stack = undefined;
        // After a breach the stack may be in any state; that was told already.
        await used.stop().catch((error: unknown) => {
          if (!isBroken) throw error;
        });
      }
    }
  } finally {
    await stack?.stop();
  }
}

async function runPlanned(run: PlannedRun, stack: Stack, load: LoadOptions | undefined): Promise<FinishedRun> {
  const skipped = whyNot(run.fault, stack);
  if (skipped !== undefined) return { ...run, skipped };
  const report = await runFault(run.fault, stack, run.seed, load);
  if (report.breaches.length === 0) return { ...run, report };
  const logFile = join(tmpdir(), `fault-${run.fault.name}-${run.seed}.log`);
  await writeFile(logFile, stack.logs.join('\n'));
  return { ...run, report, logFile };
}

/** Why a fault cannot be had on a stack; undefined where it can. */
function whyNot({ needs, pair }: Fault, stack: Stack): string | undefined {
  if (pair !== undefined) return whyNot(pair[0], stack) ?? whyNot(pair[1], stack);
  if (needs === 'its own MongoDB' && !stack.mongodb.isOwn) return 'MONGODB_URI names a server that is not ours to kill';
  if (needs === 'redis proxies' && stack.redis.address === undefined)
    return 'the nodes of a Redis Cluster name each other, past any proxy';
  if (needs === 'fail points' && !stack.hasFailPoints) return 'this MongoDB has no fail points (enableTestCommands)';
  return undefined;
}
