import { randomInt } from 'node:crypto';
import { readKnown, seedMax, whole } from '../faults/options.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** The number of the one request that is sent, with those that share its connection; undefined sends all. */
  only: number | undefined;
}

/** So few that each kind of request comes. Memory is judged by those after the warm-up, of 2,000 requests. */
export const requestsMin = 500;
const requestsMax = 10_000_000;

/** @throws UsageError naming what exists. @returns undefined where help is asked for. */
export function readFuzzOptions(args: string[]): FuzzOptions | undefined {
  const values = readKnown(args, {
    requests: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return undefined;
  const only = values['only'];
  return {
    requests: whole('--requests', values['requests'], { otherwise: 100_000, min: requestsMin, max: requestsMax }),
    seed: whole('--seed', values['seed'], { otherwise: randomInt(seedMax), min: 0, max: seedMax }),
    only: only === undefined ? undefined : whole('--only', only, { otherwise: 0, min: 0, max: requestsMax }),
  };
}

export const fuzzHelpText = `Sends bad input to a running web process, and judges its answers, its memory and the books.

  npm run test:fuzz -- [--requests N] [--seed S] [--only NUMBER]

  --requests N   how many requests (default: 100000)
  --seed S       seed of every request, and of how it is sent (default: a random one)
  --only NUMBER  sends one request of that seed again, with those that shared its connection, and prints all bytes

MONGODB_URI names a replica set to use in place of the embedded engine; a database of its own is made there, and dropped.
`;
