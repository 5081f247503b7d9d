import { faults } from './catalogue/all.ts';
import { describeRun, summarise } from './describe.ts';
import { planPair, planRun, runMany, stacksAtOnce, type FinishedRun } from './harness/run-many.ts';
import { helpText, readOptions, UsageError, type Options } from './options.ts';

// Entry point: `npm run test:faults -- --runs N --seed S`. Exits with 0 where everything held, 1 after a breach, 2 for
// wrong usage.
try {
  const options = readOptions(process.argv.slice(2), faults);
  if (options === undefined) process.stdout.write(helpText(faults));
  else process.exitCode = await run(options);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
}

async function run({
  runs,
  seed,
  faults: chosen,
  isPaired,
  stacks: wanted,
  isRedisCluster,
  load,
}: Options): Promise<number> {
  const startedAt = performance.now();
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    process.stdout.write('stopping after the runs under way ...\n');
    stopping.abort();
  });
  const stacks = stacksAtOnce(wanted);
  if (stacks < wanted)
    process.stdout.write('MONGODB_URI names one server for all stacks, which would share its fail points: one runs\n');
  process.stdout.write(`seed ${seed}, ${runs} runs on ${stacks} ${stacks === 1 ? 'stack' : 'stacks'}\n`);
  const planned = Array.from({ length: runs }, (_, index) =>
    isPaired ? planPair(seed + index, faults, chosen) : planRun(chosen[index % chosen.length]!, seed + index),
  );
  const more = [
    ...(isRedisCluster ? [' --redis-cluster'] : []),
    ...(load.clients === undefined ? [] : [` --clients ${load.clients}`]),
    ...(load.ratePerSecond === undefined ? [] : [` --rate ${load.ratePerSecond}`]),
  ].join('');
  const plan = planned.map((each) => ({ ...each, again: `${each.again}${more}` }));
  const finished: FinishedRun[] = [];
  const lanes = Array.from({ length: Math.min(stacks, runs) }, () =>
    runMany(
      () => plan.shift(),
      (each) => {
        finished.push(each);
        process.stdout.write(
          `[${String(finished.length).padStart(String(runs).length)}/${runs}] ${describeRun(each)}\n`,
        );
      },
      stopping.signal,
      { isRedisCluster, load },
    ),
  );
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
