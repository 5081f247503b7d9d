import { parseArgs, type ParseArgsConfig } from 'node:util';
import { readKinds, type ReadKind } from './load/read-kinds.ts';
import { modes, scenarios, type Mode, type ScenarioName } from './scenarios.ts';

export interface BenchOptions {
  readonly scenario: ScenarioName;
  readonly mode: Mode;
  /** Arrivals a second; undefined: more than the service can take, so that its capacity is measured. */
  readonly rate: number | undefined;
  readonly seconds: number;
  readonly orders: number;
  readonly workers: number;
  readonly wallets: number;
  readonly connections: number;
  readonly runs: number;
  readonly seed: number;
  /** Requests before those that are measured; undefined: as many as it takes V8 to compile what they run through. */
  readonly warmUp: number | undefined;
  /** Jobs at once of the naive baseline; undefined: what suits it best is tried out. */
  readonly naiveAtOnce: number | undefined;
  /** Stored orders at which the growth scenario measures, ascending. */
  readonly stored: readonly number[];
  readonly workspaces: number;
  /** Milliseconds between the service and MongoDB, in each direction. */
  readonly delay: number;
  /** How many percent of a workspace's orders go to one of its wallets. */
  readonly hot: number;
  /** Whether a worker is killed. */
  readonly isKilling: boolean;
  /** The one kind of read that is measured; undefined: all of them. */
  readonly kind: ReadKind | undefined;
  /** Process of a MongoDB that is given, on this machine; undefined: its CPU time is not known. */
  readonly mongodbPid: number | undefined;
  readonly json: string | undefined;
  readonly svg: string | undefined;
  readonly profile: string | undefined;
}

export type ParsedOptions =
  { readonly kind: 'run'; readonly options: BenchOptions } | { readonly kind: 'help' | 'wrong'; readonly text: string };

interface Option {
  readonly value: string;
  readonly about: string;
  readonly otherwise?: string;
}

const optionTable = {
  mode: { value: 'MODE', about: `what of a pattern is measured: ${Object.keys(modes).join(', ')}`, otherwise: 'post' },
  rate: { value: 'N', about: 'arrivals a second; without it more than the service can take' },
  seconds: { value: 'N', about: 'how long requests arrive', otherwise: '5' },
  orders: { value: 'N', about: 'orders to be posted (scale: for each worker)', otherwise: '10000' },
  workers: { value: 'N', about: 'worker processes', otherwise: '1' },
  wallets: { value: 'N', about: 'wallets with money', otherwise: '1000' },
  connections: { value: 'N', about: 'connections of the load generator', otherwise: '1024' },
  runs: { value: 'N', about: 'repetitions, of which the median counts', otherwise: '1' },
  seed: { value: 'N', about: 'seed of the orders', otherwise: '1' },
  'warm-up': { value: 'N', about: 'requests before the measured ones (default: until V8 has compiled the code)' },
  'naive-at-once': { value: 'N', about: 'jobs at once of the naive baseline (default: the best of 1, 4, 8, 16)' },
  stored: { value: 'N,N,…', about: 'stored orders at which growth measures', otherwise: '10000,100000' },
  workspaces: { value: 'N', about: 'workspaces whose orders are posted (scale)', otherwise: '256' },
  delay: {
    value: 'MS',
    about: 'between the service and MongoDB, each way (scale, noisy-neighbour, test-clock)',
    otherwise: '80',
  },
  hot: { value: 'PERCENT', about: "of a workspace's orders go to one of its wallets (scale)", otherwise: '0' },
  kind: { value: 'KIND', about: 'only this kind of read (reads), as the table names it' },
  'mongodb-pid': { value: 'PID', about: 'process of the MongoDB of MONGODB_URI, on this machine, for its CPU time' },
  json: { value: 'FILE', about: 'writes every measurement as JSON' },
  svg: { value: 'FILE', about: 'writes a plot' },
  profile: { value: 'FOLDER', about: "writes CPU profiles of the product's processes" },
} as const satisfies Record<string, Option>;

type OptionName = keyof typeof optionTable;

const flagTable = { kill: 'kills one of four workers in the middle (scale)' } as const;

/** What is another one than usual where nothing is said. */
const usual: Readonly<Record<string, Partial<Record<OptionName, string>>>> = {
  table: { runs: '5' },
  scale: { workers: '8', seconds: '10', wallets: '16', orders: '12000' },
  'scale --kill': { workers: '4', seconds: '10', wallets: '16', delay: '20', rate: '800' },
  'noisy-neighbour': { workers: '1', seconds: '20', wallets: '100', rate: '3000' },
  'test-clock': { seconds: '20', wallets: '100', rate: '300', connections: '256', delay: '20' },
};
const countMax = 10_000_000;

/** Reads the command line; a scenario or an option that does not exist gets the list of those that do. */
export function parseOptions(args: readonly string[]): ParsedOptions {
  const parsed = readArguments(args);
  if (typeof parsed === 'string') return { kind: 'wrong', text: `${parsed}\n\n${usage()}` };
  const { values, positionals } = parsed;
  if (values['help'] === true) return { kind: 'help', text: usage() };
  const [scenario, ...more] = positionals;
  if (scenario === undefined) return { kind: 'wrong', text: `Which scenario?\n\n${usage()}` };
  if (!(scenario in scenarios)) {
    return { kind: 'wrong', text: `There is no scenario "${scenario}".\n\n${usage()}` };
  }
  if (more.length > 0) return { kind: 'wrong', text: `One scenario at a time, not also "${more[0] ?? ''}".` };
  try {
    return { kind: 'run', options: toOptions(scenario as ScenarioName, values) };
  } catch (error) {
    return { kind: 'wrong', text: error instanceof Error ? error.message : String(error) };
  }
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function readArguments(args: readonly string[]): { values: Values; positionals: readonly string[] } | string {
  const ofType = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  const named = [...Object.keys(optionTable).map(ofType('string')), ...Object.keys(flagTable).map(ofType('boolean'))];
  const options: ParseArgsConfig['options'] = { ...Object.fromEntries(named), help: { type: 'boolean', short: 'h' } };
  try {
    // None of them may be given more than once.
    return parseArgs({ args: [...args], options, allowPositionals: true }) as ReturnType<typeof readArguments>;
  } catch (error) {
    return error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
  }
}

function toOptions(scenario: ScenarioName, values: Values): BenchOptions {
  const isKilling = values['kill'] === true;
  const ofScenario = usual[isKilling ? `${scenario} --kill` : scenario];
  const text = (name: OptionName): string | undefined => {
    const option: Option = optionTable[name];
    const value = values[name] ?? ofScenario?.[name] ?? option.otherwise;
    return typeof value === 'string' ? value : undefined;
  };
  const count = (name: OptionName, least = 1): number => countOf(name, text(name) ?? '', least);
  const mode = text('mode') ?? '';
  if (!(mode in modes)) throw new Error(`There is no mode "${mode}": ${Object.keys(modes).join(', ')}.`);
  const kind = text('kind');
  if (kind !== undefined && !(kind in readKinds)) {
    throw new Error(`There is no kind of read "${kind}": ${Object.keys(readKinds).join('; ')}.`);
  }
  return {
    scenario,
    mode: mode as Mode,
    rate: text('rate') === undefined ? undefined : count('rate'),
    seconds: count('seconds'),
    orders: count('orders'),
    workers: count('workers'),
    wallets: count('wallets', 2),
    connections: count('connections'),
    runs: count('runs'),
    seed: count('seed', 0),
    warmUp: text('warm-up') === undefined ? undefined : count('warm-up'),
    naiveAtOnce: text('naive-at-once') === undefined ? undefined : count('naive-at-once'),
    stored: (text('stored') ?? '')
      .split(',')
      .map((part) => countOf('stored', part, 1))
      .toSorted((a, b) => a - b),
    workspaces: count('workspaces'),
    delay: count('delay', 0),
    hot: count('hot', 0),
    isKilling,
    kind: kind as ReadKind | undefined,
    mongodbPid: text('mongodb-pid') === undefined ? undefined : count('mongodb-pid'),
    json: text('json'),
    svg: text('svg'),
    profile: text('profile'),
  };
}

function countOf(name: string, text: string, least: number): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < least || count > countMax) {
    throw new Error(`--${name} is "${text}"; it takes a whole number from ${least} to ${countMax}.`);
  }
  return count;
}

function usage(): string {
  const scenarioLines = Object.entries(scenarios).map(([name, about]) => `  ${name.padEnd(22)}${about}`);
  const optionLines = Object.entries<Option>(optionTable).map(([name, { value, about, otherwise }]) => {
    const others = Object.entries(usual).flatMap(([scenario, values]) => {
      const other = values[name as OptionName];
      return other === undefined ? [] : `${scenario}: ${other}`;
    });
    const defaults = [...(otherwise === undefined ? [] : [`default ${otherwise}`]), ...others].join('; ');
    return `  ${`--${name} ${value}`.padEnd(22)}${about}${defaults === '' ? '' : ` (${defaults})`}`;
  });
  const flagLines = Object.entries(flagTable).map(([name, about]) => `  ${`--${name}`.padEnd(22)}${about}`);
  return [
    'npm run bench -- SCENARIO [options]',
    '',
    'Scenarios:',
    ...scenarioLines,
    '',
    'Options:',
    ...optionLines,
    ...flagLines,
    '',
    'MongoDB is that of MONGODB_URI, or else the embedded engine with its data in a file. A run whose work was wrong',
    'prints no figures and exits with 1; a scenario or option that does not exist, with 2.',
  ].join('\n');
}
