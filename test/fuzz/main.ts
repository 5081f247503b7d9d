import { interrupted, readSeed, runMain, whole } from '../support/command-line.ts';
import { describeRun } from './describe.ts';
import { runFuzz } from './run.ts';

/** So few that each kind of request comes. Memory is judged by those after the warm-up, of 2,000 requests. */
const requestsMin = 500;
const requestsMax = 10_000_000;

const helpText = `Sends bad input to a running web process, and judges its answers, its memory and the books.

  npm run test:fuzz -- [--requests N] [--seed S]

  --requests N  how many requests (default: 100000)
  --seed S      seed of every request, and of how it is sent (default: a random one)

MONGODB_URI names a replica set to use in place of the embedded engine; a database of its own is made there, and dropped.
`;

// Entry point: `npm run test:fuzz -- --requests N --seed S`.
await runMain({
  options: { requests: { type: 'string' }, seed: { type: 'string' } },
  helpText,
  async run(values) {
    const requests = whole('--requests', values.requests, { otherwise: 100_000, min: requestsMin, max: requestsMax });
    const options = { requests, seed: readSeed(values.seed) };
    process.stdout.write(`seed ${options.seed}, ${requests} requests\n`);
    const report = await runFuzz(options, interrupted());
    process.stdout.write(describeRun(report));
    return report.findings.count() === 0 ? 0 : 1;
  },
});
