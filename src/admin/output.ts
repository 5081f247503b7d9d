import type { Writable } from 'node:stream';
import { terminalJson, terminalLine, terminalText } from '../terminal-text.ts';

/**
 * What a command prints. JSON shows it as it is; a table flattens each value into a cell. `id` is for programs, as in the
 * API's resources. A table leaves it out, because another column (`walletId`, `workspaceId`) has the same value.
 */
export type Printed = Readonly<Record<string, unknown>>;

export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

const startOfLine = '\r\x1b[K';

/**
 * All that a command shows passes through here, so that no text of a tenant, a receiver or a server can control the
 * operator's terminal: such characters are escaped in JSON, and otherwise replaced. Nothing here throws. If standard
 * output fails, the command goes on, and {@link Output.failure} says so.
 */
export class Output {
  readonly #stdout: Streams['stdout'];
  readonly #stderr: Streams['stderr'];
  #written: Promise<unknown> = Promise.resolve();
  #failure: NodeJS.ErrnoException | undefined;

  constructor({ stdout, stderr }: Streams) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    // The write's callback reports a failure. Without a listener the event would end the process with a stack trace.
    for (const stream of new Set([stdout, stderr])) stream.on('error', () => undefined);
  }

  /** Prints a result: as JSON, or as a table with a line for each item, or a single item field by field. */
  print(result: Printed | readonly Printed[], asJson: boolean): void {
    if (asJson) this.json(result, 2);
    else if (isList(result)) this.#write(`${result.length === 0 ? 'none' : table(result)}\n`);
    else this.#write(`${columns(tableNames(result).map((name) => [name, cell(result[name])]))}\n`);
  }

  /** Prints one line of a list that is printed bit by bit. */
  line(text: string): void {
    this.#write(`${terminalLine(text)}\n`);
  }

  /** The same as JSON. */
  json(value: unknown, indent?: number): void {
    this.#write(`${terminalJson(JSON.stringify(value, undefined, indent))}\n`);
  }

  /** Prints text of several lines, which ends its last one itself. */
  text(text: string): void {
    this.#write(terminalText(text));
  }

  /**
   * Prints text that is safe as it is, and waits until it is written, so that what follows need not be held.
   * @returns whether more can be printed: not if standard output has failed, such as a pipe whose reader left.
   */
  async whole(text: string): Promise<boolean> {
    this.#write(text);
    return (await this.failure()) === undefined;
  }

  /** Says something on standard error, because standard output may be read by a program. */
  complain(text: string): void {
    this.#stderr.write(terminalText(text));
  }

  /** Shows a line on standard error, if that is a terminal. The next one overwrites it; an empty one removes it. */
  progress(text: string): void {
    if (this.#stderr.isTTY === true) this.#stderr.write(startOfLine + terminalLine(text));
  }

  /** Waits until all is written. @returns why standard output failed, if it did. */
  async failure(): Promise<NodeJS.ErrnoException | undefined> {
    await this.#written;
    return this.#failure;
  }

  #write(text: string): void {
    if (this.#failure !== undefined) return;
    this.#written = new Promise<void>((resolve) => {
      this.#stdout.write(text, (error) => {
        this.#failure ??= error ?? undefined;
        resolve();
      });
    });
  }
}

function isList(result: Printed | readonly Printed[]): result is readonly Printed[] {
  return Array.isArray(result);
}

function table(items: readonly Printed[]): string {
  const names = [...new Set(items.flatMap(tableNames))];
  return columns([names.map(terminalLine), ...items.map((item) => names.map((name) => cell(item[name])))]);
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
  return terminalLine(typeof value === 'string' ? value : JSON.stringify(value));
}
