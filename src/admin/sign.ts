import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { bodyHash, canonicalMessage, sign } from '../auth/signature.ts';
import type { HostedCommand } from './command.ts';
import { CommandError, UsageError } from './failures.ts';
import { readInput } from './input-file.ts';
import { parseMethod, parsePath } from './parameters.ts';

interface SignOptions {
  readonly key: string;
  readonly secret?: string;
  readonly secretFile?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** No secret is longer, and a large file that is named by mistake is not read to its end. */
const secretBytesMax = 4_096;

/** Signs a request without sending it: needs no server, changes nothing. */
export function addSignCommand(program: Command): void {
  program
    .command('sign')
    .description('show the headers and the canonical message of a request, for debugging a client')
    .requiredOption('--key <key>', 'public identifier of the key')
    .option('--secret-file <file>', 'file that holds its secret; - reads standard input')
    .addOption(
      new Option('--secret <secret>', 'the secret itself, which the shell and the process list then show').conflicts(
        'secretFile',
      ),
    )
    .requiredOption('--method <method>', 'HTTP method', parseMethod)
    .requiredOption('--path <path>', 'path as it is sent; a query string is not signed', parsePath)
    .option('--body <body>', 'body as it is sent (default: none)')
    .action(async (options: SignOptions, command: HostedCommand) => {
      const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
      const signed = signRequest(options, await secretOf(options));
      const { output } = command.host;
      if (json) output.print(signed, json);
      else output.text(`${toText(signed)}\n`);
    });
}

async function secretOf({ secret, secretFile }: SignOptions): Promise<string> {
  if (secretFile !== undefined) return readSecretFile(secretFile);
  const fromOption = secret?.trim() ?? '';
  if (fromOption === '') throw new UsageError('give --secret-file, or --secret');
  return fromOption;
}

/**
 * Reads a secret from a file, so that it stays out of the shell's history and the process list.
 * @param path of a file that holds only the secret, with or without spaces and line ends around it; `-` reads standard input.
 * @throws CommandError the file cannot be read, or holds nothing, or more than a secret.
 */
async function readSecretFile(path: string): Promise<string> {
  const { shown, content } = await readInput(path, 'secret', secretBytesMax);
  const secret = content.toString().trim();
  if (content.length > secretBytesMax || /[\r\n]/.test(secret)) {
    throw new CommandError(`${shown} holds more than a secret`);
  }
  if (secret === '') throw new CommandError(`${shown} holds no secret`);
  return secret;
}

function signRequest({ key, method, path, body = '' }: SignOptions, secret: string) {
  // oxlint-disable-next-line project/ask-a-clock -- A client's clock is what is shown here.
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const nonce = randomUUID();
  const bytes = Buffer.from(body);
  const [signedPath = path] = path.split('?', 1);
  const message = canonicalMessage({ method, path: signedPath, timestamp, nonce, body: bytes });
  return {
    canonicalMessage: message,
    bodyHash: bodyHash(bytes),
    headers: {
      'X-Api-Key': key,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Signature': sign(message, secret),
      ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    },
  };
}

function toText({ canonicalMessage: message, bodyHash: hash, headers }: ReturnType<typeof signRequest>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `canonical message:\n${message}\n\nbody hash:\n${hash}\n\nheaders:\n${lines.join('\n')}`;
}
