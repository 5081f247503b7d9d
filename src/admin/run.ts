import { CommanderError } from 'commander';
import { SettingsError } from '../config.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { Host } from './command.ts';
import { UsageError } from './failures.ts';
import { createProgram } from './program.ts';

const exitCodes = { done: 0, failed: 1, wrongUsage: 2 };

/**
 * Runs a command line, such as `['wallet', 'list', '--workspace', 'ws_1']`. Several may run at once.
 * @returns the exit code: 0 done, 1 it could not be done, 2 wrong usage.
 */
export async function runCommand(args: readonly string[], host: Host): Promise<number> {
  try {
    await createProgram(host).parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    host.stderr.write(`error: ${describe(error)}\n`);
    return error instanceof UsageError ? exitCodes.wrongUsage : exitCodes.failed;
  }
}

function describe(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (error instanceof ServiceError) {
    const { code, message, when } = catalogue[error.errorName];
    return `${code} ${message}: ${when}`;
  }
  return error instanceof Error ? error.message : String(error);
}
