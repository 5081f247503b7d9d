import type { Host } from './command.ts';

/**
 * What a command prints: JSON shows it as it is, a table flattens each value into a cell. `id` is there for programs,
 * as in the API's resources; a table leaves it out, since what it names (`walletId`, `workspaceId`) says it again.
 */
export type Printed = Readonly<Record<string, unknown>>;

/** Writes a result to the host's standard output: JSON, or a table with a line an item; one item alone stands field by field. */
export function print(result: Printed | readonly Printed[], asJson: boolean, { stdout }: Host): void {
  if (asJson) printLine(JSON.stringify(result, undefined, 2), stdout);
  else if (isList(result)) printLine(result.length === 0 ? 'none' : table(result), stdout);
  else printLine(columns(tableNames(result).map((name) => [name, cell(result[name])])), stdout);
}

export function printLine(text: string, stdout: Host['stdout']): void {
  stdout.write(`${text}\n`);
}

const startOfLine = '\r\x1b[K';

/** One line on standard error, rewritten by the next one, and taken away by an empty one; none where that is not a terminal. */
export function showProgress(text: string, { stderr }: Host): void {
  if (stderr.isTTY === true) stderr.write(startOfLine + text);
}

function isList(result: Printed | readonly Printed[]): result is readonly Printed[] {
  return Array.isArray(result);
}

function table(items: readonly Printed[]): string {
  const names = [...new Set(items.flatMap(tableNames))];
  return columns([names, ...items.map((item) => names.map((name) => cell(item[name])))]);
}

function tableNames(item: Printed): string[] {
  return Object.keys(item).filter((name) => name !== 'id');
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(' ');
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A name must not be able to steer the terminal.
  return text.replace(/\p{Cc}/gu, '?');
}
