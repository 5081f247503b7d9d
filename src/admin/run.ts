import { CommanderError } from 'commander';
import { SettingsError } from '../config.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { CommandHost, Host } from './command.ts';
import { UnseenError, UsageError } from './failures.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

const usualConnectTimeoutMs = 10_000;
const exitCodes = { done: 0, failed: 1, wrongUsage: 2 };
/** The reader of standard output has seen enough, as `head` does. */
const readerLeft = 'EPIPE';

/**
 * Runs a command line, such as `['wallet', 'list', '--workspace', 'ws_1']`. Several may run at once. Never throws.
 * @returns the exit code: 0 done, 1 it could not be done or its answer could not be written, 2 wrong usage. A reader of
 * standard output that leaves changes it only where a secret was lost with it.
 */
export async function runCommand(args: readonly string[], host: Host): Promise<number> {
  const { env, connectTimeoutMs = usualConnectTimeoutMs } = host;
  const output = createOutput(host);
  const { code, isToldUnseen } = await run(args, { env, connectTimeoutMs, output });
  const failure = await output.failure();
  if (failure === undefined || failure.code === readerLeft || isToldUnseen) return code;
  output.complain(`error: standard output failed: ${failure.message}; what was asked was carried out nevertheless\n`);
  return code === exitCodes.done ? exitCodes.failed : code;
}

async function run(args: readonly string[], host: CommandHost): Promise<{ code: number; isToldUnseen: boolean }> {
  try {
    await createProgram(host).parseAsync(args, { from: 'user' });
    return { code: exitCodes.done, isToldUnseen: false };
  } catch (error) {
    const isToldUnseen = error instanceof UnseenError;
    if (error instanceof CommanderError) {
      return { code: error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage, isToldUnseen };
    }
    host.output.complain(`error: ${describe(error)}\n`);
    return { code: error instanceof UsageError ? exitCodes.wrongUsage : exitCodes.failed, isToldUnseen };
  }
}

/** Never a stack trace. */
export function describe(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (error instanceof ServiceError) {
    const { code, message, when } = catalogue[error.errorName];
    return `${code} ${message}: ${when}`;
  }
  // A refused connection is an error with an empty message, and with one error for each address that was tried.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}
