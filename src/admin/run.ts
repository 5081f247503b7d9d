import { CommanderError } from 'commander';
import { SettingsError } from '../settings/config.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { Host } from './command.ts';
import { UnseenError, UsageError } from './failures.ts';
import { Output } from './output.ts';
import { createProgram } from './program.ts';

const usualConnectTimeoutMs = 10_000;
/** A key is remembered for a second, and a request answered within 14. */
const usualRequestsEndMs = 16_000;
const exitCodes = { done: 0, failed: 1, wrongUsage: 2 };
/** The reader of standard output has seen enough, as `head` does. */
const readerLeft = 'EPIPE';

/**
 * Runs a command line, such as `['wallet', 'list', '--workspace', 'ws_1']`. Several may run at once. Never throws.
 * @returns the exit code: 0 done, 1 it could not be done or its answer could not be written, 2 wrong usage. A reader of
 * standard output that leaves changes it only where a secret was lost with it.
 */
export async function runCommand(args: readonly string[], host: Host): Promise<number> {
  const { env, connectTimeoutMs = usualConnectTimeoutMs, requestsEndMs = usualRequestsEndMs } = host;
  const output = new Output(host);
  const program = createProgram({ env, connectTimeoutMs, requestsEndMs, output });
  const error: unknown = await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  // Commander prints what is wrong by itself.
  if (error !== undefined && !(error instanceof CommanderError)) output.complain(`error: ${describe(error)}\n`);
  const code = codeOf(error);
  const failure = await output.failure();
  if (failure === undefined || failure.code === readerLeft || error instanceof UnseenError) return code;
  output.complain(`error: standard output failed: ${failure.message}; what was asked was carried out nevertheless\n`);
  return code === exitCodes.done ? exitCodes.failed : code;
}

function codeOf(error: unknown): number {
  if (error === undefined) return exitCodes.done;
  // Help is an error of Commander's with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  return error instanceof UsageError ? exitCodes.wrongUsage : exitCodes.failed;
}

/** Never a stack trace. */
export function describe(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (error instanceof ServiceError) {
    const { code, message, when, value: valueNote } = catalogue[error.errorName];
    const { field, value } = error;
    const what = value === undefined ? when : `${when} (${valueNote}: ${value})`;
    return [`${code} ${message}`, field, what].filter((part) => part !== undefined).join(': ');
  }
  // A refused connection is an error with an empty message, and with one error for each address that was tried.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}
