import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { toError } from '../errors.ts';
import { CommandError } from './failures.ts';

const standardInput = 0;

/**
 * Reads what an option names a file for.
 * @param path `-` reads standard input. @param what is in it. @param bytesMax one byte more is read, so that a larger one shows.
 * @throws CommandError it cannot be read.
 */
export async function readInput(path: string, what: string, bytesMax: number) {
  const source = path === '-' ? { fd: standardInput, autoClose: false } : {};
  const shown = path === '-' ? 'standard input' : path;
  try {
    return { shown, content: await buffer(createReadStream(path, { ...source, end: bytesMax })) };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : toError(cause).message;
    throw new CommandError(`${shown}: the ${what} cannot be read (${code})`, { cause });
  }
}
