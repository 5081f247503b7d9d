import { chosenOf, interrupted, listed, readSeed, runMain, whole } from '../support/command-line.ts';
import { faults } from './catalogue/all.ts';
import { describeRun, summarise } from './describe.ts';
import type { LoadOptions } from './harness/load.ts';
import { planPair, planRun, runMany, stacksAtOnce, type FinishedRun, type PlannedRun } from './harness/run-many.ts';

const pairsUsual = 10;

const helpText = [
  'Breaks a running stack in every way listed, under load, and checks the books after each.',
  '',
  '  npm run test:faults -- [--runs N] [--seed S] [--fault NAME ...] [--pairs] [--stacks N] [--redis-cluster]',
  '                             [--clients N] [--rate N]',
  '',
  '  --runs N         how many runs (default: each fault once); faults take turns',
  '  --seed S         seed of the first run, each further one has the next (default: a random one)',
  '  --fault NAME     only this fault; may be repeated',
  '  --pairs          two faults a run, at once or within a second; both, and when, come from the seed (default: 10 runs)',
  '  --stacks N       how many stacks run at once (default: 1)',
  '  --redis-cluster  Redis is a cluster of three masters, of which one at a time is killed or hangs',
  '  --clients N      how many clients send requests (default: two to each workspace)',
  '  --rate N         orders a second of all clients (default: three of each), half of them sent before; they read besides',
  '',
  'Faults:',
  ...listed(faults),
  '',
  'MONGODB_URI names a replica set to use in place of the embedded engine; it is then not killed.',
  '',
].join('\n');

// Entry point: `npm run test:faults -- --runs N --seed S`.
await runMain({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    fault: { type: 'string', multiple: true },
    pairs: { type: 'boolean' },
    stacks: { type: 'string' },
    'redis-cluster': { type: 'boolean' },
    clients: { type: 'string' },
    rate: { type: 'string' },
  },
  helpText,
  async run({ pairs = false, 'redis-cluster': isRedisCluster = false, ...values }) {
    const chosen = chosenOf('fault', values.fault, faults);
    const runs = whole('--runs', values.runs, { otherwise: pairs ? pairsUsual : chosen.length, min: 1, max: 100_000 });
    const seed = readSeed(values.seed);
    const load = {
      clients: whole('--clients', values.clients, { otherwise: undefined, min: 1, max: 1_000 }),
      ratePerSecond: whole('--rate', values.rate, { otherwise: undefined, min: 1, max: 10_000 }),
    };
    const wanted = whole('--stacks', values.stacks, { otherwise: 1, min: 1, max: 16 });
    const more = [
      ...(isRedisCluster ? [' --redis-cluster'] : []),
      ...(load.clients === undefined ? [] : [` --clients ${load.clients}`]),
      ...(load.ratePerSecond === undefined ? [] : [` --rate ${load.ratePerSecond}`]),
    ].join('');
    const plan = Array.from({ length: runs }, (_, index) => {
      const run = pairs
        ? planPair(seed + index, faults, chosen)
        : planRun(chosen[index % chosen.length]!, seed + index);
      return { ...run, again: `${run.again}${more}` };
    });
    const stacks = Math.min(runs, stacksAtOnce(wanted));
    if (stacks < Math.min(runs, wanted))
      process.stdout.write(
        'MONGODB_URI names one server for all stacks, which would share its fail points: one runs\n',
      );
    process.stdout.write(`seed ${seed}, ${runs} runs on ${stacks} ${stacks === 1 ? 'stack' : 'stacks'}\n`);
    return runPlan(plan, stacks, { isRedisCluster, load });
  },
});

async function runPlan(
  plan: PlannedRun[],
  stacks: number,
  options: { isRedisCluster: boolean; load: LoadOptions },
): Promise<number> {
  const startedAt = performance.now();
  const runs = plan.length;
  const stopping = new AbortController();
  const signal = AbortSignal.any([interrupted(), stopping.signal]);
  const finished: FinishedRun[] = [];
  const onFinished = (run: FinishedRun): void => {
    finished.push(run);
    process.stdout.write(`[${String(finished.length).padStart(String(runs).length)}/${runs}] ${describeRun(run)}\n`);
  };
  const lanes = Array.from({ length: stacks }, () => runMany(() => plan.shift(), onFinished, signal, options));
  // A stack that does not end well ends the others as well, and is told of beside what they found.
  const broken: string[] = [];
  const whenBroken = (reason: unknown): void => {
    stopping.abort();
    broken.push(`a stack did not end well: ${String(reason)}\n`);
  };
  await Promise.all(lanes.map((lane) => lane.catch(whenBroken)));
  process.stdout.write(summarise(finished, performance.now() - startedAt) + broken.join(''));
  return broken.length > 0 || finished.some(({ report }) => (report?.breaches.length ?? 0) > 0) ? 1 : 0;
}
