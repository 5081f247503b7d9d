import { faults } from './catalogue/all.ts';
import { describeRun, summarise } from './describe.ts';
import { runMany, type FinishedRun, type PlannedRun } from './harness/run-many.ts';
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

async function run({ runs, seed, faults: chosen, stacks }: Options): Promise<number> {
  const startedAt = performance.now();
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    process.stdout.write('stopping after the runs under way ...\n');
    stopping.abort();
  });
  process.stdout.write(`seed ${seed}, ${runs} runs on ${stacks} ${stacks === 1 ? 'stack' : 'stacks'}\n`);
  const plan = Array.from({ length: runs }, (_, index): PlannedRun => ({
    fault: chosen[index % chosen.length]!,
    seed: seed + index,
  }));
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
    ),
  );
  await Promise.all(lanes);
  process.stdout.write(summarise(finished, performance.now() - startedAt));
  return finished.some(({ report }) => (report?.breaches.length ?? 0) > 0) ? 1 : 0;
}
