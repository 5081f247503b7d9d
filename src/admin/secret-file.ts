import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { CommandError } from './failures.ts';

/** No secret is longer, and a large file that is named by mistake is not read to its end. */
const secretBytesMax = 4_096;
const standardInput = 0;

/**
 * Reads a secret from a file, so that it stays out of the shell's history and the process list.
 * @param path of a file that holds only the secret, with or without a line end; `-` reads standard input.
 * @throws CommandError the file cannot be read, or holds nothing, or more than a secret.
 */
export async function readSecretFile(path: string): Promise<string> {
  const source = path === '-' ? { fd: standardInput, autoClose: false } : {};
  const shown = path === '-' ? 'standard input' : path;
  let content: string;
  try {
    content = await text(createReadStream(path, { ...source, end: secretBytesMax }));
  } catch (cause) {
    throw new CommandError(`${shown}: the secret cannot be read`, { cause });
  }
  const secret = content.replace(/\r?\n$/, '');
  if (Buffer.byteLength(content) > secretBytesMax || /[\r\n]/.test(secret)) {
    throw new CommandError(`${shown} holds more than a secret`);
  }
  if (secret === '') throw new CommandError(`${shown} holds no secret`);
  return secret;
}
