import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { toError } from '../errors.ts';
import { CommandError, UsageError } from './failures.ts';

const required = ['sourceWalletId', 'targetWalletId', 'amount', 'currency'];
const optional = ['bizId', 'description', 'reference', 'executeAt'];

/** A row with its quotes and line ends. None of a transfer is longer; without a limit, a quote left open takes in the whole file. */
const rowBytesMax = 16_384;

/** A file of transfers whose header is right. */
export interface ImportFile {
  readonly path: string;
  readonly bytes: number;
  /** The columns, in the file's order. */
  readonly columns: readonly string[];
  /** For the bizIds of rows that have none. */
  readonly name: string | undefined;
}

export interface ImportRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Looks at a file and its header.
 * @param name for the bizIds of its rows; needed unless the file has a column of them.
 * @throws CommandError it cannot be read, or its header is wrong; UsageError its rows would have no bizIds.
 */
export async function openImportFile(path: string, name: string | undefined): Promise<ImportFile> {
  const found = await stat(path).catch(cannotBeRead(path));
  if (!found.isFile()) throw new CommandError(`${path} is no file, which can be read twice`);
  const columns = await headerOf(path);
  if (name === undefined && !columns.includes('bizId')) {
    throw new UsageError(
      `${path} has no column bizId: give --name, a name of the file that no other import has. The bizId of a row is then that ` +
        'name with its line, such as NAME-2, so that nothing is made twice when the file is imported again',
    );
  }
  return { path, bytes: found.size, columns, name };
}

/**
 * The rows of a file as they are read; one at a time is held.
 * @param hash takes in the whole file. @param onRead told how many bytes more were read.
 * @throws CommandError the file is not UTF-8, no CSV of RFC 4180, or has a row with more or fewer cells than its header.
 */
export async function* readRows(
  { path, columns }: Pick<ImportFile, 'path' | 'columns'>,
  hash?: Hash,
  onRead?: (bytes: number) => void,
): AsyncGenerator<ImportRow, void, undefined> {
  const rows = parsedRows(path, hash, onRead);
  await rows.next();
  for await (const row of rows) {
    const count = row.cells.length;
    if (count !== columns.length) {
      throw new CommandError(`${path}, line ${row.line}: it has ${count} cells, and the header ${columns.length}`);
    }
    yield row;
  }
}

/** What a row asks for: an empty cell is left out, and so is a bizId that there is none for. */
export function bodyOf({ columns, name }: ImportFile, { line, cells }: ImportRow): Readonly<Record<string, string>> {
  const given = columns.map((column, index) => [column, cells[index] ?? ''] as const).filter(([, cell]) => cell !== '');
  return { ...(name === undefined ? {} : { bizId: `${name}-${line}` }), ...Object.fromEntries(given) };
}

async function headerOf(path: string): Promise<readonly string[]> {
  for await (const { cells, line } of parsedRows(path)) {
    const at = `${path}, line ${line}`;
    const allowed = [...required, ...optional];
    const unknown = cells.find((column) => !allowed.includes(column));
    if (unknown !== undefined)
      throw new CommandError(`${at}: there is no column "${unknown}"; there are ${allowed.join(', ')}`);
    const twice = cells.find((column, index) => cells.indexOf(column) < index);
    if (twice !== undefined) throw new CommandError(`${at}: the column ${twice} comes twice`);
    const missing = required.filter((column) => !cells.includes(column));
    if (missing.length > 0) throw new CommandError(`${at}: the columns ${missing.join(', ')} are missing`);
    return cells;
  }
  throw new CommandError(`${path} is empty: its first line has to name its columns`);
}

/** What stands between commas, row by row, the header too. Lines without anything are passed over. */
async function* parsedRows(
  path: string,
  hash?: Hash,
  onRead?: (bytes: number) => void,
): AsyncGenerator<ImportRow, void, undefined> {
  let next = 1;
  const parser = parse({
    record_delimiter: ['\r\n', '\n'],
    // Their number is judged here, with the line.
    relax_column_count: true,
    max_record_size: rowBytesMax,
    // Called as soon as a row is parsed, so that the line is right also where the next one cannot be.
    on_record: (cells) => {
      const line = next;
      next += 1 + cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      return cells.length === 1 && cells[0] === '' ? null : [String(line), ...cells];
    },
  });
  const fed = pipeline(Readable.from(textOf(path, hash, onRead)), parser);
  fed.catch(() => undefined);
  try {
    for await (const [line, ...cells] of parser as AsyncIterable<string[]>) yield { line: Number(line), cells };
  } catch (error) {
    throw describe(error, path, next);
  }
}

/** Without its byte order mark. */
async function* textOf(path: string, hash?: Hash, onRead?: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash?.update(chunk);
    onRead?.(chunk.length);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE: 'a quote within a cell that does not begin with one; double it, and put the cell in quotes',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by neither a comma nor the end of the line',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${rowBytesMax} bytes; is a quote not closed?`,
};

/** @param line on which the row begins that is being read. */
function describe(error: unknown, path: string, line: number): Error {
  if (error instanceof CsvError) {
    return new CommandError(`${path}, line ${line}: ${faults[error.code] ?? error.message}`, { cause: error });
  }
  const { code } = error as { code?: unknown };
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new CommandError(`${path}, line ${line} or soon after it: this is not UTF-8`, { cause: error });
  }
  return new CommandError(`${path} cannot be read: ${toError(error).message}`, { cause: error });
}

function cannotBeRead(path: string) {
  return (cause: Error): never => {
    throw new CommandError(`${path} cannot be read: ${cause.message}`, { cause });
  };
}
