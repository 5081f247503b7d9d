import { randomInt } from 'node:crypto';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Fault } from './harness/fault.ts';
import type { LoadOptions } from './harness/load.ts';

export interface Options {
  runs: number;
  seed: number;
  /** Those that take turns; with pairs, one of each pair is one of these. */
  faults: readonly Fault[];
  /** Whether each run breaks two things. */
  isPaired: boolean;
  /** How many stacks run at once. */
  stacks: number;
  /** Whether each stack's Redis is a cluster of three masters. */
  isRedisCluster: boolean;
  load: LoadOptions;
}

/** Thrown for wrong usage; its message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const seedMax = 0x7fffffff;
const runsMax = 100_000;
const stacksMax = 16;
const pairsUsual = 10;
const clientsMax = 1_000;
const rateMax = 10_000;

/** @throws UsageError naming what exists. @returns undefined where help is asked for. */
export function readOptions(args: string[], all: readonly Fault[]): Options | undefined {
  const values = readKnown(args, {
    runs: { type: 'string' },
    seed: { type: 'string' },
    fault: { type: 'string', multiple: true },
    pairs: { type: 'boolean' },
    stacks: { type: 'string' },
    'redis-cluster': { type: 'boolean' },
    clients: { type: 'string' },
    rate: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help === true) return undefined;
  const named = (values.fault ?? []).map(String);
  const isPaired = values.pairs === true;
  const chosen = named.length === 0 ? all : named.map((name) => findFault(name, all));
  return {
    isPaired,
    runs: whole('--runs', values.runs, { otherwise: isPaired ? pairsUsual : chosen.length, min: 1, max: runsMax }),
    seed: whole('--seed', values.seed, { otherwise: randomInt(seedMax), min: 0, max: seedMax }),
    faults: chosen,
    isRedisCluster: values['redis-cluster'] === true,
    load: {
      clients: whole('--clients', values.clients, { otherwise: undefined, min: 1, max: clientsMax }),
      ratePerSecond: whole('--rate', values.rate, { otherwise: undefined, min: 1, max: rateMax }),
    },
    stacks: whole('--stacks', values.stacks, { otherwise: 1, min: 1, max: stacksMax }),
  };
}

/** The values of options, of those that there are. @throws UsageError for any other argument. */
export function readKnown<const T extends NonNullable<ParseArgsConfig['options']>>(args: string[], known: T) {
  const { tokens, values } = parseArgs({ args, options: known, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !(token.name in known)) {
      const names = Object.keys(known).map((name) => `--${name}`);
      throw new UsageError(`There is no option ${token.rawName}; there are ${names.join(', ')}.`);
    }
    if (token.kind === 'positional') throw new UsageError(`"${token.value}" is not an option; see --help.`);
  }
  return values;
}

export function helpText(all: readonly Fault[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
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
    '  --clients N      how many clients send requests (default: two to each partition)',
    '  --rate N         requests a second of all clients (default: three of each); half of their creates repeat earlier ones',
    '',
    'Faults:',
    ...all.map(({ name, what }) => `  ${name.padEnd(width)}  ${what}`),
    '',
    'MONGODB_URI names a replica set to use in place of the embedded engine; it is then not killed.',
    '',
  ].join('\n');
}

function findFault(name: string, all: readonly Fault[]): Fault {
  const fault = all.find((each) => each.name === name);
  if (fault !== undefined) return fault;
  throw new UsageError(`There is no fault "${name}"; there are:\n  ${all.map((each) => each.name).join('\n  ')}`);
}

interface Limits<Otherwise> {
  otherwise: Otherwise;
  min: number;
  max: number;
}

/** @throws UsageError what was given is none, or beyond the limits. */
export function whole<Otherwise extends number | undefined>(
  option: string,
  text: string | boolean | undefined,
  { otherwise, min, max }: Limits<Otherwise>,
): number | Otherwise {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (typeof text === 'string' && /^\d+$/.test(text) && number >= min && number <= max) return number;
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}.`);
}
