import { randomInt } from 'node:crypto';
import { readKnown, seedMax, whole } from '../options.ts';

export interface MillionOptions {
  orders: number;
  /** Of 100 jobs, so many are put into the queue a second time. */
  doubledPercent: number;
  workers: number;
  seed: number;
}

/** So few that some wallets pay and some jobs are doubled. */
const ordersMin = 1_000;
const ordersMax = 10_000_000;
const workersMax = 64;

/** @throws UsageError naming what exists. @returns undefined where help is asked for. */
export function readMillionOptions(args: string[]): MillionOptions | undefined {
  const values = readKnown(args, {
    orders: { type: 'string' },
    doubled: { type: 'string' },
    workers: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return undefined;
  return {
    orders: whole('--orders', values['orders'], { otherwise: 1_000_000, min: ordersMin, max: ordersMax }),
    doubledPercent: whole('--doubled', values['doubled'], { otherwise: 10, min: 0, max: 100 }),
    workers: whole('--workers', values['workers'], { otherwise: 2, min: 1, max: workersMax }),
    seed: whole('--seed', values['seed'], { otherwise: randomInt(seedMax), min: 0, max: seedMax }),
  };
}

export const millionHelpText = `Posts a million orders with every tenth job doubled, and then checks the whole books.

  npm run test:million -- [--orders N] [--doubled PERCENT] [--workers N] [--seed S]

  --orders N         how many orders (default: 1000000)
  --doubled PERCENT  how many of 100 jobs are put into the queue twice (default: 10)
  --workers N        worker processes (default: 2)
  --seed S           seed of who pays whom, and of which jobs are doubled where (default: a random one)

MONGODB_URI names a replica set to use in place of the embedded engine; a database of its own is made there, and dropped.
`;
