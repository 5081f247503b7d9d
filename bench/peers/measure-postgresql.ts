import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { WrongWorkError } from '../measure/wrong-work.ts';
import { familyCpuSeconds } from '../servers/process-times.ts';
import { readSchema, type Postgresql } from './postgresql.ts';

/** Who pays whom, as in `bench/load/patterns.ts`. */
export type PostgresqlPattern = 'uniform' | 'hot-target';

export interface PostgresqlOptions {
  readonly pattern: PostgresqlPattern;
  readonly wallets: number;
  /** Connections at once. */
  readonly clients: number;
  /** Transfers of one transaction. */
  readonly perTransaction: number;
  readonly seconds: number;
}

const warmUpSeconds = 2;
const startBalance = 1_000_000_000;

const pairs: Readonly<Record<PostgresqlPattern, readonly string[]>> = {
  uniform: [
    '\\set source random(1, :wallets)',
    '\\set other random(1, :wallets - 1)',
    '\\set target case when :other >= :source then :other + 1 else :other end',
  ],
  'hot-target': ['\\set target 1', '\\set source random(2, :wallets)'],
};

/** Transfers by the function of transfer.sql, by pgbench, in a new database. @throws WrongWorkError where its books are wrong. */
export async function measurePostgresql(server: Postgresql, options: PostgresqlOptions): Promise<Measured> {
  const { wallets, clients, perTransaction, seconds } = options;
  await server.query('drop schema public cascade; create schema public');
  await server.query(await readSchema());
  await server.query(
    `insert into wallets (id, workspace_id, currency, balance) select id, 1, 'USD', ${startBalance} from generate_series(1, ${wallets}) id`,
  );
  const script = scriptOf(options);
  const warmUp = transactionsOf(await server.bench(script, { clients, seconds: warmUpSeconds }));
  const before = await familyCpuSeconds(server.pid);
  const result = transactionsOf(await server.bench(script, { clients, seconds }));
  const used = (await familyCpuSeconds(server.pid)) - before;
  const done = result.count * perTransaction;
  const recorded = done + warmUp.count * perTransaction;
  await checkBooks(server, wallets, recorded);
  return {
    done,
    recorded,
    seconds,
    perSecond: result.perSecond * perTransaction,
    cpuMicros: cpuMicrosEach({ postgresql: used }, done),
    note: `${server.version}, ${clients === 1 ? 'one client' : `${clients} clients`}`,
  };
}

function scriptOf({ pattern, wallets, perTransaction }: PostgresqlOptions): string {
  const transfer = [
    ...pairs[pattern],
    '\\set cents random(1, 999)',
    "select transfer(1, gen_random_uuid()::text, :source, :target, :cents::numeric / 100, 'USD');",
  ];
  const all = Array.from({ length: perTransaction }, () => transfer).flat();
  const transaction = perTransaction === 1 ? all : ['begin;', ...all, 'commit;'];
  return `\\set wallets ${wallets}\n${transaction.join('\n')}\n`;
}

function transactionsOf(output: string): { count: number; perSecond: number } {
  const [, count] = /^number of transactions actually processed: (\d+)/m.exec(output) ?? [];
  const [, perSecond] = /^tps = ([\d.]+)/m.exec(output) ?? [];
  if (count === undefined || perSecond === undefined) throw new Error(`pgbench said something unknown:\n${output}`);
  return { count: Number(count), perSecond: Number(perSecond) };
}

async function checkBooks(server: Postgresql, wallets: number, orders: number): Promise<void> {
  const found = await server.query(`
    select
      (select count(*) from orders where status = 'COMPLETED'),
      (select count(*) from flows),
      (select sum(balance) = ${startBalance}::numeric * ${wallets} from wallets),
      (select bool_and(balance = ${startBalance} + coalesce(moved, 0) and sequence = coalesce(number, 0)) from wallets left join (
        select wallet_id, count(*) number, sum(case direction when 'DEBIT' then -amount else amount end) moved
        from flows group by wallet_id) of_wallet on wallet_id = id)`);
  const expected = [orders, 2 * orders, 't', 't'].join('|');
  if (found !== expected) throw new WrongWorkError(`PostgreSQL's books are ${found}, and have to be ${expected}`);
}
