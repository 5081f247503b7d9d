import { terminalLine } from '../terminal-text.ts';

/**
 * Where a spreadsheet takes what follows for the begin of a formula, in its full-width forms too: in some locales it begins a
 * cell after each semicolon, and leaves out quotes.
 */
const beforeFormulas = /(^|;"*)(?=[=+\-@\t\r＝＋－＠])/g;
const plainDecimal = /^-?\d+(\.\d+)?$/;

/**
 * A row of CSV, as of RFC 4180, with its line end. What a spreadsheet would take for a formula gets an apostrophe before it,
 * unless the cell is a plain decimal.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`;
}

/** No control characters either, because standard output may be a terminal. */
function harmless(cell: string): string {
  return terminalLine(plainDecimal.test(cell) ? cell : cell.replaceAll(beforeFormulas, "$1'"));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
