import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

/** A command to MongoDB, as {@link countingOptions} has a process say it. */
export interface CountedCommand {
  readonly name: string;
  /** Empty where the command is of none. */
  readonly collection: string;
  readonly namesWorkspace: boolean;
  /** Documents in the answer. */
  readonly read: number;
  /** Documents inserted, or matched by updates. */
  readonly written: number;
  /** Of the command and its answer, as BSON. */
  readonly bytes: number;
}

export const commandMark = '"event":"mongodb-command"';

/** Node's option for a process that says each of its commands. */
export const countingOptions = `--import=${pathToFileURL(join(import.meta.dirname, 'count-commands.ts')).href}`;

const books = new Set(['orders', 'wallets', 'flows']);

/** @returns the command that a line of a process's output says; undefined for other lines. */
export function commandIn(line: string): CountedCommand | undefined {
  if (!line.includes(commandMark)) return undefined;
  return (JSON.parse(line) as { counted: CountedCommand }).counted;
}

/**
 * Whether a command is there for a client's request, or for the posting of its order: those that look after the process
 * itself (its keys, what waits, who is alive) come as often without any request.
 */
export function isOfRequest({ name, collection, namesWorkspace }: CountedCommand): boolean {
  return name === 'commitTransaction' || (books.has(collection) && namesWorkspace);
}

/** What some commands moved together. */
export interface CommandSum {
  readonly commands: number;
  readonly read: number;
  readonly written: number;
  readonly bytes: number;
}

export function sumOf(commands: readonly CountedCommand[]): CommandSum {
  const sum = { commands: commands.length, read: 0, written: 0, bytes: 0 };
  for (const { read, written, bytes } of commands) {
    sum.read += read;
    sum.written += written;
    sum.bytes += bytes;
  }
  return sum;
}
