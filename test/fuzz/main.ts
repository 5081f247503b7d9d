import { UsageError } from '../faults/options.ts';
import { createProgress } from './progress.ts';
import { describeRun } from './describe.ts';
import { escaped } from './escape.ts';
import { fuzzHelpText, readFuzzOptions, type FuzzOptions } from './options.ts';
import { runFuzz, type OnExchanged } from './run.ts';

// Entry point: `npm run test:fuzz -- --requests N --seed S`. Exits with 0 where everything held, 1 where it did not or
// could not go on, 2 for wrong usage.
try {
  const options = readFuzzOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(fuzzHelpText);
  else process.exitCode = await run(options);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
}

async function run(options: FuzzOptions): Promise<number> {
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    stopping.abort(new Error('stopped by SIGINT'));
  });
  const { requests, seed, only } = options;
  process.stdout.write(`seed ${seed}, ${only === undefined ? `${requests} requests` : `request ${only} alone`}\n`);
  const tools = { progress: createProgress(process.stderr), signal: stopping.signal };
  const report = await runFuzz(options, { ...tools, ...(only === undefined ? {} : { onExchanged: show }) });
  process.stdout.write(describeRun(report, options));
  return report.findings.count() === 0 ? 0 : 1;
}

function show(...[requests, { answers, problem }]: Parameters<OnExchanged>): void {
  for (const { number, kind, bytes } of requests) {
    process.stdout.write(`sent ${number} (${kind}): ${escaped(bytes, Infinity)}\n`);
  }
  for (const { status, headers, body } of answers) {
    process.stdout.write(
      `answer ${status} ${JSON.stringify(Object.fromEntries(headers))} ${escaped(body, Infinity)}\n`,
    );
  }
  if (problem !== undefined) process.stdout.write(`problem: ${problem}\n`);
}
