import type { Host } from './command.ts';

/**
 * What a command prints. JSON shows it as it is; a table flattens each value into a cell. `id` is for programs, as in the
 * API's resources. A table leaves it out, because another column (`walletId`, `workspaceId`) has the same value.
 */
export type Printed = Readonly<Record<string, unknown>>;

/** Prints a result on standard output: as JSON, or as a table with a line for each item, or a single item field by field. */
export function print(result: Printed | readonly Printed[], asJson: boolean, { stdout }: Host): void {
  if (asJson) printLine(JSON.stringify(result, undefined, 2), stdout);
  else if (isList(result)) printLine(result.length === 0 ? 'none' : table(result), stdout);
  else printLine(columns(tableNames(result).map((name) => [name, cell(result[name])])), stdout);
}

export function printLine(text: string, stdout: Host['stdout']): void {
  stdout.write(`${text}\n`);
}

const startOfLine = '\r\x1b[K';

/** Shows a line on standard error, if that is a terminal. The next one overwrites it; an empty one removes it. */
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
  // A name must not be able to control the terminal.
  return text.replace(/\p{Cc}/gu, '?');
}
