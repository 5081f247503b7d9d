import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongWorkError } from '../measure/wrong-work.ts';
import type { Postgresql } from './postgresql.ts';

const startBalance = 1_000_000_000;

/** What the database is made of. */
export const readSchema = (): Promise<string> => readFile(join(import.meta.dirname, 'transfer.sql'), 'utf8');

/** Empties the database, and makes wallets with money, with ids from 1. */
export async function openPostgresqlBooks(server: Postgresql, wallets: number): Promise<void> {
  await server.query('drop schema public cascade; create schema public');
  await server.query(await readSchema());
  await server.query(
    `insert into wallets (id, workspace_id, currency, balance) select id, 1, 'USD', ${startBalance} from generate_series(1, ${wallets}) id`,
  );
}

/** @throws WrongWorkError where so many transfers have not left these books. */
export async function checkPostgresqlBooks(server: Postgresql, wallets: number, transfers: number): Promise<void> {
  const found = await server.query(`
    select
      (select count(*) from orders where status = 'COMPLETED'),
      (select count(*) from flows),
      (select sum(balance) = ${startBalance}::numeric * ${wallets} from wallets),
      (select bool_and(balance = ${startBalance} + coalesce(moved, 0) and sequence = coalesce(number, 0)) from wallets left join (
        select wallet_id, count(*) number, sum(case direction when 'DEBIT' then -amount else amount end) moved
        from flows group by wallet_id) of_wallet on wallet_id = id)`);
  const expected = [transfers, 2 * transfers, 't', 't'].join('|');
  if (found !== expected) throw new WrongWorkError(`PostgreSQL's books are ${found}, and have to be ${expected}`);
}
