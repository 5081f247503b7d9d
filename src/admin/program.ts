import type { Command } from 'commander';
import { addAuditCommand } from './audit.ts';
import { HostedCommand, type CommandHost } from './command.ts';
import { addConfigCommands } from './config.ts';
import { addCurrenciesCommands } from './currencies.ts';
import { addKeyCommands } from './key.ts';
import { addMasterKeyCommand } from './master-key.ts';
import { addMemberCommands } from './member.ts';
import { parseNewUser } from './parameters.ts';
import { addPostingCommands } from './posting.ts';
import { addSandboxCommand } from './sandbox.ts';
import { addSchemaCommands } from './schema.ts';
import { addSignCommand } from './sign.ts';
import { addTransferCommands } from './transfer.ts';
import { addVerifyCommand } from './verify.ts';
import { addWalletCommands } from './wallet.ts';
import { addWebhookCommands } from './webhook.ts';
import { addWorkspaceCommands } from './workspace.ts';

/** Every command. Parsing the arguments runs the one that they name. */
export function createProgram(host: CommandHost): Command {
  // Settings of the program hold for the commands that are added after them.
  const program = new HostedCommand(host, 'admin')
    .description('Administers workspaces, members, keys and wallets, and checks the books.')
    .usage('NOUN VERB [options]')
    .option('--json', 'print JSON instead of a table')
    .option('--yes', 'do not ask, where a command asks before it does what cannot be undone')
    .option('--as <user>', 'on whose behalf, for the audit, beside the user of the operating system', parseNewUser)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        host.output.text(text);
      },
      writeErr: (text) => {
        host.output.complain(text);
      },
    })
    .showHelpAfterError('Add --help to see what is allowed.')
    .exitOverride();
  addWorkspaceCommands(program);
  addSandboxCommand(program);
  addMemberCommands(program);
  addKeyCommands(program);
  addCurrenciesCommands(program);
  addWalletCommands(program);
  addTransferCommands(program);
  addWebhookCommands(program);
  addVerifyCommand(program);
  addAuditCommand(program);
  addMasterKeyCommand(program);
  addSchemaCommands(program);
  addPostingCommands(program);
  addConfigCommands(program);
  addSignCommand(program);
  return program.addHelpText(
    'after',
    '\nMONGODB_URI, REDIS_URL and MASTER_KEYS name the servers; what is not set is taken from the running local stack.',
  );
}
