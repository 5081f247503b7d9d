import { createHash } from 'node:crypto';
import type { BatchLine } from '../accepting/batch.ts';
import { Money, formatMoney } from '../domain/money.ts';
import type { Wallet } from '../domain/wallet.ts';
import { catalogue, ServiceError, type ErrorName } from '../errors.ts';
import { previewerOf } from './accepting.ts';
import { readRows, type ImportFile, type ImportRow } from './import-file.ts';
import { pagesOf } from './pages.ts';
import type { Session } from './session.ts';

/** How the rows of a file would end, if they were posted now and in their sequence. */
export interface Foreseen {
  readonly rows: number;
  /** Rows whose orders are recorded already. They are in no other count. */
  readonly known: number;
  readonly completed: number;
  readonly failed: number;
  readonly failedByCode: Readonly<Record<string, number>>;
  readonly refused: number;
  readonly refusedByCode: Readonly<Record<string, number>>;
  /** Of the amounts of those that would be COMPLETED. */
  readonly sumsByCurrency: Readonly<Record<string, string>>;
  readonly sha256: string;
}

const pageRows = 500;
/** So many of the rows that would not be COMPLETED are shown one by one. */
const shownMax = 20;

/**
 * Reads the whole file, and tells how its rows would end, each with the balances that those before it leave. Nothing is
 * stored. One wallet is held for each that the file names.
 */
export async function foresee(
  file: ImportFile,
  workspaceId: string,
  read: (row: ImportRow) => BatchLine,
  session: Session,
): Promise<Foreseen> {
  const { host, currencies } = session;
  const previewer = previewerOf(session);
  const wallets = new Map<string, Wallet>();
  const [failed, refused] = [new Map<string, number>(), new Map<string, number>()];
  const sums = new Map<string, Money>();
  const counts = { rows: 0, known: 0, completed: 0 };
  const hash = createHash('sha256');
  let bytes = 0;

  function show({ line }: ImportRow, what: string, errorName: ErrorName, field?: string): void {
    const by = what === 'fail' ? failed : refused;
    const { code } = catalogue[errorName];
    by.set(code, (by.get(code) ?? 0) + 1);
    const shown = totalOf(failed) + totalOf(refused);
    if (shown > shownMax) return;
    const at = field === undefined ? '' : `, ${field}`;
    host.output.progress('');
    host.output.complain(`line ${line} would ${what}: ${code} ${errorName}${at}\n`);
    if (shown === shownMax) host.output.complain('further ones are only counted\n');
  }

  const rows = readRows(file, hash, (more) => {
    bytes += more;
  });
  for await (const page of pagesOf(rows, pageRows)) {
    const ends = await previewer.preview(workspaceId, page.map(read), wallets);
    for (const [index, row] of page.entries()) {
      const end = ends[index];
      counts.rows += 1;
      if (end === undefined) continue;
      if (end instanceof ServiceError) show(row, 'be refused', end.errorName, end.field);
      else if (end.isReplay) counts.known += 1;
      else if (end.failure !== null) show(row, 'fail', end.failure);
      else {
        counts.completed += 1;
        const { currency, amount } = end.order;
        sums.set(currency, (sums.get(currency) ?? new Money(0)).plus(amount));
      }
    }
    host.output.progress(`preview: ${counts.rows} rows, ${Math.floor((100 * bytes) / file.bytes)} % of the file`);
  }
  host.output.progress('');
  return {
    ...counts,
    failed: totalOf(failed),
    failedByCode: Object.fromEntries(failed),
    refused: totalOf(refused),
    refusedByCode: Object.fromEntries(refused),
    sumsByCurrency: Object.fromEntries(
      [...sums].map(([currency, sum]) => [currency, formatMoney(sum, currencies.get(currency) ?? 0)]),
    ),
    sha256: hash.digest('hex'),
  };
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
