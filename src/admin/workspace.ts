import type { Command } from 'commander';
import { newId } from '../domain/ids.ts';
import type { Workspace } from '../storage/workspaces.ts';
import { orFail } from './failures.ts';
import { findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseName } from './parameters.ts';
import { withSession, type Session } from './session.ts';

export function addWorkspaceCommands(program: Command): void {
  const noun = program.command('workspace').description('containers that own wallets, orders and keys');

  noun
    .command('create')
    .description('make a workspace')
    .requiredOption('--name <name>', 'its name, for people', parseName)
    .action(
      withSession<{ name: string }>(async ({ name }, { collections, audited, clock }) => {
        const workspaceId = newId('workspace', clock());
        const workspace = await audited({ action: 'workspace create', workspaceId, subject: { name } }, () =>
          collections.workspaces.create(name, workspaceId),
        );
        return toPrinted(workspace);
      }),
    );

  noun
    .command('list')
    .description('list the workspaces, oldest first')
    .action(withSession(async (_, { collections }) => (await collections.workspaces.list()).map(toPrinted)));

  noun
    .command('delete')
    .description('delete a workspace: its keys stop working, its books stay')
    .requiredOption('--workspace <id>', 'its id')
    .option('--yes', 'do not ask')
    .action(
      withSession<{ workspace: string }>(({ workspace }, session) => deleteWorkspace(workspace, session), {
        question: ({ workspace }) => `Delete workspace ${workspace}? Its keys stop working at once.`,
      }),
    );
}

async function deleteWorkspace(id: string, { collections, audited }: Session): Promise<Printed> {
  await findWorkspace(collections, id);
  const deleted = await audited({ action: 'workspace delete', workspaceId: id, subject: {} }, async () =>
    orFail(await collections.workspaces.delete(id), `workspace ${id} was deleted by someone else in the meantime`),
  );
  return { ...toPrinted(deleted), deletedAt: deleted.deletedAt };
}

function toPrinted({ id, name, createdAt }: Workspace): Printed {
  return { id, workspaceId: id, name, createdAt };
}
