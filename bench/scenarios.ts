import { patterns, type PatternName } from './load/patterns.ts';

/** What of a pattern is measured. */
export const modes = {
  post: 'orders are recorded beforehand; from their enqueuing to the last terminal state',
  accept: 'creates over HTTP, which nobody posts',
  'end-to-end': 'creates over HTTP, to the last terminal state',
} as const;

export type Mode = keyof typeof modes;

const further = {
  reads: 'signed reads, mixed and each kind by itself, and what each, a create and a transfer cost MongoDB',
  'reads-under-creates': 'how long few reads take, by themselves and while creates take all that the process can give',
  'in-flight': 'creates that wait for their orders’ ends: 64 on their way at once, beside --connections',
  idle: 'one create at a time, from its sending to its terminal state',
  'round-trips': 'what one order waits for one after the other, command by command, and what each is for',
  scale:
    'posting of many workspaces by 1, 2, 4 … --workers, far from MongoDB (--delay); with --kill, one of them is killed',
  'noisy-neighbour': 'latency of one workspace by itself, and beside one that floods',
  'test-clock': 'latency of one workspace by itself, and beside a test workspace that advances by a month',
  webhooks: 'posting without a webhook, and with one that is told later or meanwhile',
  legs: 'posting of orders of 2 and of 10 legs, beside transfers',
  'wallet-limits': 'posting of wallets with three limits each, beside the same without',
  batches: 'orders accepted by batches, beside creates one by one and the recording alone',
  growth: 'posting, creates and reads with ever more orders stored',
  limits: 'what MongoDB, HTTP and BullMQ allow by themselves',
  peers: 'what people would take instead (PostgreSQL, also by batches; medici), beside posting and end to end',
  table: 'the whole table of docs/benchmarks.md',
} as const;

export type ScenarioName = PatternName | keyof typeof further;

/** Every scenario with its description. */
export const scenarios: Readonly<Record<ScenarioName, string>> = {
  ...(Object.fromEntries(Object.entries(patterns).map(([name, { about }]) => [name, `${about}; see --mode`])) as Record<
    PatternName,
    string
  >),
  ...further,
};

export function isPattern(scenario: ScenarioName): scenario is PatternName {
  return scenario in patterns;
}
