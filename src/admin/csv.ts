import { terminalLine } from '../terminal-text.ts';

/** What a spreadsheet takes for the begin of a formula, in its full-width forms too. */
const formulaBegins = /^[=+\-@\t\r＝＋－＠]/;
const plainDecimal = /^-?\d+(\.\d+)?$/;

/**
 * A row of CSV, as of RFC 4180, with its line end. A cell that a spreadsheet would take for a formula gets an apostrophe before
 * it, unless it is a plain decimal.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`;
}

/** No control characters either, because standard output may be a terminal. */
function harmless(cell: string): string {
  return terminalLine(formulaBegins.test(cell) && !plainDecimal.test(cell) ? `'${cell}` : cell);
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
