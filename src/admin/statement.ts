import type { Command } from 'commander';
import type { Wallet } from '../domain/wallet.ts';
import type { StatementEntry } from '../orders/order.ts';
import type { Presenter } from '../orders/present.ts';
import { openStatements, type Statements } from '../reading/statements.ts';
import { csvRow } from './csv.ts';
import { UsageError } from './failures.ts';
import { findWallet } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseTime } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface StatementOptions {
  readonly wallet: string;
  readonly from: Date;
  readonly to: Date;
  readonly csv?: true;
}

/** Flows printed beside the figures; the CSV has all. */
const shownMax = { table: 100, json: 1_000 } as const;
/** Flows that are read, and written, at once. */
const pageSize = 1_000;

export function addStatementCommand(noun: Command): void {
  noun
    .command('statement')
    .description('what moved on a wallet in a range of time, oldest first; EXTERNAL wallets too')
    .requiredOption('--wallet <id>', 'its id')
    .requiredOption('--from <time>', 'at this time or later, such as 2026-01-31 or 2026-01-31T12:00:00Z', parseTime)
    .requiredOption('--to <time>', 'before this time, which must have passed', parseTime)
    .option('--csv', 'print every flow of the range as CSV, however many there are')
    .action(withSession<StatementOptions>(printStatement));
}

async function printStatement(options: StatementOptions, session: Session): Promise<Printed | Printed[] | undefined> {
  const { from, to, csv } = options;
  const { collections, host, isJson, present, storage } = session;
  if (from > to) throw new UsageError('--from is later than --to');
  const wallet = await findWallet(collections, options.wallet);
  const now = (await collections.testClocks.clockOf(wallet.workspaceId))();
  if (to > now) throw new UsageError(`--to has not passed yet: it is ${now.toISOString()} now`);
  const statements = openStatements(storage.db);
  const [opening, closing] = await statements.standingsBefore(wallet, [from, to] as const);
  const settledUntil = await statements.settledUntil(wallet, now);
  const whole = present.statement({ wallet, from, to, opening, closing, settledUntil });
  const range = { first: opening.sequence + 1, last: closing.sequence };
  if (settledUntil.getTime() < to.getTime() - 1) {
    host.output.complain(`what was posted after ${whole.settledUntil} may still grow\n`);
  }
  if (csv === true) {
    // Behind the rows, so that a stream that was cut can be told from a whole one.
    if (await printCsv(statements, wallet, range, session)) host.output.complain(`${figuresOf(whole)}\n`);
    return undefined;
  }
  const shown = shownMax[isJson ? 'json' : 'table'];
  const first = await statements.entries(wallet, {
    ...range,
    last: Math.min(range.last, range.first + shown - 1),
  });
  if (whole.count > shown) host.output.complain(`there are ${whole.count} flows; --csv prints all of them\n`);
  if (isJson) return { ...whole, items: first.map(present.statementEntry) };
  host.output.print(whole, false);
  host.output.line('');
  return first.map((entry) => rowOf(entry, present));
}

/** Holds one page at a time, and ends early if the reader of standard output leaves. @returns whether all was written. */
async function printCsv(
  statements: Statements,
  wallet: Wallet,
  range: { readonly first: number; readonly last: number },
  { host: { output }, present }: Session,
): Promise<boolean> {
  let hasReader = await output.whole(csvRow(Object.keys(columns)));
  for (let { first } = range; hasReader && first <= range.last; first += pageSize) {
    const last = Math.min(range.last, first + pageSize - 1);
    const entries = await statements.entries(wallet, { first, last });
    const rows = entries.map((entry) => Object.values(rowOf(entry, present)));
    hasReader = await output.whole(rows.map((cells) => csvRow(cells.map((cell) => String(cell ?? '')))).join(''));
  }
  return hasReader;
}

/** In one line. */
function figuresOf(whole: ReturnType<Presenter['statement']>): string {
  const { openingBalance, closingBalance, debits, credits, count, settledUntil } = whole;
  const figures = { openingBalance, closingBalance, debits, credits, count, settledUntil };
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** Each with the field that it shows. */
const columns = {
  sequence: 'sequence',
  time: 'createdAt',
  direction: 'direction',
  amount: 'amount',
  balanceAfter: 'balanceAfter',
  transferId: 'transferId',
  type: 'type',
  bizId: 'bizId',
  reference: 'reference',
  description: 'description',
  counterparty: 'counterpartyWalletId',
} as const;

function rowOf(entry: StatementEntry, present: Presenter): Record<string, string | number | null> {
  const shown = present.statementEntry(entry);
  return Object.fromEntries(Object.entries(columns).map(([column, field]) => [column, shown[field]]));
}
