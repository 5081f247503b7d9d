import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { endedChildrenCpuSeconds, familyCpuSeconds } from '../servers/process-times.ts';
import type { Postgresql } from './postgresql.ts';
import { checkPostgresqlBooks, openPostgresqlBooks } from './postgresql-books.ts';

/** Who pays whom, as in `bench/load/patterns.ts`. */
export type FunctionPattern = keyof typeof pairs;

export interface FunctionOptions {
  readonly pattern: FunctionPattern;
  readonly wallets: number;
  /** Connections at once, each with one transfer at a time. */
  readonly clients: number;
  readonly seconds: number;
}

/** And no longer than what is measured. */
const warmUpSecondsMax = 2;
const apart = '\\set target case when :other >= :source then :other + 1 else :other end';

const pairs = {
  uniform: ['\\set source random(1, :wallets)', '\\set other random(1, :wallets - 1)', apart],
  // pgbench takes no exponent nearer to 1.
  zipf: [
    '\\set source random_zipfian(1, :wallets, 1.001)',
    '\\set drawn random_zipfian(1, :wallets, 1.001)',
    '\\set target case when :drawn = :source then :drawn % :wallets + 1 else :drawn end',
  ],
  'hot-target': ['\\set target 1', '\\set source random(2, :wallets)'],
} as const;

/** Transfers by `transfer` of transfer.sql, by pgbench, in a new database. @throws WrongWorkError where its books are wrong. */
export async function measureFunction(server: Postgresql, options: FunctionOptions): Promise<Measured> {
  const { wallets, clients, seconds } = options;
  await openPostgresqlBooks(server, wallets);
  const script = scriptOf(options);
  const warmUp = await server.bench(script, { clients, seconds: Math.min(warmUpSecondsMax, seconds) });
  const before = await used(server);
  const { count, perSecond, latency } = await server.bench(script, { clients, seconds });
  const after = await used(server);
  const recorded = count + warmUp.count;
  await checkPostgresqlBooks(server, wallets, recorded);
  const cpu = { postgresql: after.server - before.server, client: after.client - before.client };
  return {
    ...{ done: count, recorded, seconds, perSecond, inFlight: clients },
    cpuMicros: cpuMicrosEach(cpu, count),
    ...(latency === undefined ? {} : { answerLatency: latency }),
    note: `${server.version}, ${clients} connections`,
  };
}

/** Nothing but pgbench ends between two of these. */
async function used({ pid }: Postgresql): Promise<{ server: number; client: number }> {
  return { server: await familyCpuSeconds(pid), client: await endedChildrenCpuSeconds() };
}

function scriptOf({ pattern, wallets }: FunctionOptions): string {
  return [
    `\\set wallets ${wallets}`,
    ...pairs[pattern],
    '\\set cents random(1, 999)',
    "select transfer(1, gen_random_uuid()::text, :source, :target, :cents::numeric / 100, 'USD');",
    '',
  ].join('\n');
}
