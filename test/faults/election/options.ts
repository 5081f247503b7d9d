import { randomInt } from 'node:crypto';
import { readKnown, seedMax, whole } from '../options.ts';

export interface ElectionOptions {
  ratePerSecond: number;
  /** For how long there is no primary. */
  seconds: number;
  seed: number;
}

const rateMax = 20_000;
const secondsMax = 60;

/** @throws UsageError naming what exists. @returns undefined where help is asked for. */
export function readElectionOptions(args: string[]): ElectionOptions | undefined {
  const values = readKnown(args, {
    rate: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return undefined;
  return {
    ratePerSecond: whole('--rate', values['rate'], { otherwise: 2_000, min: 2, max: rateMax }),
    seconds: whole('--seconds', values['seconds'], { otherwise: 5, min: 1, max: secondsMax }),
    seed: whole('--seed', values['seed'], { otherwise: randomInt(seedMax), min: 0, max: seedMax }),
  };
}

export const electionHelpText = `Creates at a constant rate, never repeated, while MongoDB has no primary; prints what clients see and what it costs.

  npm run test:election -- [--rate N] [--seconds S] [--seed S]

  --rate N     creates a second, over two API processes (default: 2000)
  --seconds S  for how long the embedded engine is gone (default: 5)
  --seed S     seed of who pays whom (default: a random one)

Up to 200 a second and 8 s any answer but 200 is a breach; above that 503 is none. It needs a MongoDB of its own.
`;
