import { Command, CommanderError } from 'commander';
import { SettingsError } from '../config.ts';
import { catalogue, ServiceError } from '../errors.ts';
import { UsageError } from './failures.ts';
import { addKeyCommands } from './key.ts';
import { addMasterKeyCommand } from './masterKey.ts';
import { addMemberCommands } from './member.ts';
import { parseUser } from './parameters.ts';
import { addScalingCommand } from './scaling.ts';
import { addSchemaCommand } from './schema.ts';
import { addSignCommand } from './sign.ts';
import { addTransferCommands } from './transfer.ts';
import { addVerifyCommand } from './verify.ts';
import { addWalletCommands } from './wallet.ts';
import { addWorkspaceCommands } from './workspace.ts';

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

function createProgram(): Command {
  // Settings of the program hold for the commands that are added after them.
  const program = new Command('admin')
    .description('Administers workspaces, members, keys and wallets, and checks the books.')
    .usage('NOUN VERB [options]')
    .option('--json', 'print JSON instead of a table')
    .option('--as <user>', 'who does it, for the audit (default: the user of the operating system)', parseUser)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see what is allowed.')
    .exitOverride();
  addWorkspaceCommands(program);
  addMemberCommands(program);
  addKeyCommands(program);
  addWalletCommands(program);
  addTransferCommands(program);
  addVerifyCommand(program);
  addMasterKeyCommand(program);
  addSchemaCommand(program);
  addScalingCommand(program);
  addSignCommand(program);
  return program.addHelpText(
    'after',
    '\nMONGODB_URI, REDIS_URL and MASTER_KEYS name the servers; what is not set is taken from the running local stack.',
  );
}

function describe(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (error instanceof ServiceError) {
    const { code, message, when } = catalogue[error.errorName];
    return `${code} ${message}: ${when}`;
  }
  return error instanceof Error ? error.message : String(error);
}
