import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { toError } from '../errors.ts';
import { parseJsonObject } from '../http/json.ts';
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

/**
 * Reads one JSON object.
 * @param toDo what is said of a larger file, beside that it is.
 * @throws CommandError it cannot be read, or is larger; ServiceError it is not one JSON object.
 */
export async function readJson(
  path: string,
  what: string,
  bytesMax: number,
  toDo = '',
): Promise<Record<string, unknown>> {
  const { shown, content } = await readInput(path, what, bytesMax);
  if (content.length > bytesMax) throw new CommandError(`${shown} is larger than ${bytesMax / 1_024} KiB${toDo}`);
  return parseJsonObject(content);
}
