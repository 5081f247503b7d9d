import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import { checkPostgresqlBooks, openPostgresqlBooks } from '../../bench/peers/postgresql-books.ts';
import {
  latencyOf,
  postgresqlPrograms,
  startPostgresql,
  transactionsOf,
  type Postgresql,
} from '../../bench/peers/postgresql.ts';
import { openSession } from '../../bench/peers/session.ts';
import { latencyAt } from '../../bench/load/latency.ts';
import { coresBusy } from '../../bench/report/table.ts';
import { WrongWorkError } from '../../bench/measure/wrong-work.ts';

test('what pgbench prints and logs is read', () => {
  const output = 'number of transactions actually processed: 120\ntps = 61.5 (without initial connection time)\n';
  expect(transactionsOf(output)).toEqual({ count: 120, perSecond: 61.5 });
  expect(() => transactionsOf('aborted')).toThrow('unknown');
  const latency = latencyOf(['0 1 1000 0 1700000000 1\n1 2 3000 0 1700000000 2\n', '2 1 2000 0 1700000000 3\n']);
  expect(latency).toMatchObject({ count: 3, maxMs: expect.closeTo(3, 1) as number });
  expect(latency && latencyAt(latency, 50)).toBeCloseTo(2, 1);
});

test('cores are busy as long as all processes together', () => {
  expect(coresBusy({ cpuMicros: { mongodb: 300, worker: 100 }, perSecond: 2_000 })).toBeCloseTo(0.8);
});

const programs = postgresqlPrograms();

describe.skipIf(programs === undefined)('the function for batches', () => {
  let server: Postgresql;
  beforeAll(async () => {
    server = await startPostgresql(programs ?? '');
  });
  afterAll(() => server.close());

  const wallets = 6;
  const random = createRandom(1);
  const below = (count: number): number => Math.floor(random() * count);
  /** Of wallets with little money, one of another currency and one that is closed; biz_ids come again. */
  const transfers = Array.from({ length: 400 }, (_, index) => {
    const source = 1 + below(wallets);
    const target = 1 + ((source + below(wallets - 1)) % wallets);
    return { bizId: `biz ${index - (index % 10 === 9 ? below(30) : 0)}`, source, target, amount: 1 + below(40) };
  });
  const list = (values: readonly unknown[]): string => `'{${values.join(',')}}'`;
  const batchOf = (some: typeof transfers): string => {
    const lists = (['bizId', 'source', 'target', 'amount'] as const).map((name) =>
      list(some.map((each) => each[name])),
    );
    return `select transfer_batch(1, ${lists.join(', ')}, 'USD')`;
  };
  const open = async (): Promise<void> => {
    await openPostgresqlBooks(server, wallets);
    await server.query(`update wallets set balance = 100, credit_limit = 10 * (id % 2);
      update wallets set currency = 'EUR' where id = 5; update wallets set status = 'CLOSED' where id = 6`);
  };
  const left = async (): Promise<string> => {
    const parts = [
      'select id, balance, sequence from wallets order by id',
      'select biz_id, status, failure from orders order by id',
      `select wallet_id, sequence, biz_id, direction, flows.amount, balance_after from flows join orders on id = order_id
        order by wallet_id, sequence`,
    ];
    return (await Promise.all(parts.map((part) => server.query(part)))).join('\n');
  };

  test('does what the transfers do one by one, in their order', async () => {
    await open();
    const calls = transfers.map(
      ({ bizId, source, target, amount }) => `transfer(1, '${bizId}', ${source}, ${target}, ${amount}, 'USD')`,
    );
    const answers: string[] = [];
    const session = openSession(server.psql);
    for (const call of calls) answers.push(await session.ask(`select ${call}`));
    session.close();
    const expected = await left();
    for (const status of ['COMPLETED', 'INSUFFICIENT_FUNDS', 'CURRENCY_MISMATCH', 'WALLET_NOT_ACTIVE'])
      expect(expected).toContain(status);

    await open();
    const batched: string[] = [];
    for (let at = 0; at < transfers.length; at += 64)
      batched.push(...(await server.query(batchOf(transfers.slice(at, at + 64)))).slice(1, -1).split(','));
    expect(batched).toEqual(answers);
    expect(await left()).toBe(expected);
  });

  test('refuses one that names no two wallets, and posts the others', async () => {
    await openPostgresqlBooks(server, 3);
    const given = [
      { bizId: 'one', source: 1, target: 9, amount: 1 },
      { bizId: 'two', source: 1, target: 2, amount: 1 },
      { bizId: 'three', source: 3, target: 3, amount: 1 },
    ];
    expect(await server.query(batchOf(given))).toBe('{REFUSED,COMPLETED,REFUSED}');
    await checkPostgresqlBooks(server, 3, 1);
    await expect(checkPostgresqlBooks(server, 3, 2)).rejects.toThrow(WrongWorkError);
  });

  test('a statement that PostgreSQL refuses ends its session', async () => {
    const session = openSession(server.psql);
    expect(await session.ask('select 1')).toBe('1');
    await expect(session.ask('select 1 / 0')).rejects.toThrow('refused');
  });
});
