import { interrupted, readSeed, runMain, whole } from '../support/command-line.ts';
import { describeRun } from './describe.ts';
import { escaped } from './escape.ts';
import { createProgress } from './progress.ts';
import { runFuzz, type OnExchanged } from './run.ts';

/** So few that each kind of request comes. Memory is judged by those after the warm-up, of 2,000 requests. */
const requestsMin = 500;
const requestsMax = 10_000_000;

const helpText = `Sends bad input to a running web process, and judges its answers, its memory and the books.

  npm run test:fuzz -- [--requests N] [--seed S] [--only NUMBER]

  --requests N   how many requests (default: 100000)
  --seed S       seed of every request, and of how it is sent (default: a random one)
  --only NUMBER  sends one request of that seed again, with those that shared its connection, and prints all bytes

MONGODB_URI names a replica set to use in place of the embedded engine; a database of its own is made there, and dropped.
`;

// Entry point: `npm run test:fuzz -- --requests N --seed S`.
await runMain({
  options: { requests: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  helpText,
  async run(values) {
    const requests = whole('--requests', values.requests, { otherwise: 100_000, min: requestsMin, max: requestsMax });
    const only = whole('--only', values.only, { otherwise: undefined, min: 0, max: requestsMax });
    const options = { requests, only, seed: readSeed(values.seed) };
    const what = only === undefined ? `${requests} requests` : `request ${only} alone`;
    process.stdout.write(`seed ${options.seed}, ${what}\n`);
    const tools = { progress: createProgress(process.stderr), signal: interrupted() };
    const report = await runFuzz(options, { ...tools, ...(only === undefined ? {} : { onExchanged: show }) });
    process.stdout.write(describeRun(report, options));
    return report.findings.count() === 0 ? 0 : 1;
  },
});

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
