import { CommanderError } from 'commander';
import { SettingsError } from '../config.ts';
import { catalogue, ServiceError } from '../errors.ts';
import { UsageError } from './failures.ts';
import { createProgram } from './program.ts';

const exitCodes = { done: 0, failed: 1, wrongUsage: 2 };

process.exitCode = await run(process.argv.slice(2));

/** @returns the exit code: 0 done, 1 it could not be done, 2 wrong usage. */
async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    process.stderr.write(`error: ${describe(error)}\n`);
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
