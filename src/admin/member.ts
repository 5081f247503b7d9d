import type { Command } from 'commander';
import { CommandError } from './failures.ts';
import { findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseNewUser, parseUser } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface MemberOptions {
  readonly workspace: string;
  readonly user: string;
}

export function addMemberCommands(program: Command): void {
  const noun = program.command('member').description('users of a workspace; a key works while its owner is one');

  noun
    .command('add')
    .description('make a user a member; adding one again changes nothing')
    .requiredOption('--workspace <id>', 'the workspace')
    .requiredOption('--user <user>', 'any text of 1 to 64 characters', parseNewUser)
    .action(withSession<MemberOptions>(addMember));

  noun
    .command('remove')
    .description("end a membership: the user's keys of this workspace stop working")
    .requiredOption('--workspace <id>', 'the workspace')
    .requiredOption('--user <user>', 'the member', parseUser)
    .action(
      withSession<MemberOptions>(removeMember, {
        question: ({ workspace, user }) =>
          `Remove ${user} from workspace ${workspace}? The keys of ${user} stop working at once.`,
      }),
    );
}

export async function addMember(
  { workspace, user }: MemberOptions,
  { collections, audited }: Session,
): Promise<Printed> {
  await findWorkspace(collections, workspace);
  await audited({ action: 'member add', workspaceId: workspace, subject: { user } }, () =>
    collections.workspaces.addMember(workspace, user),
  );
  return { workspaceId: workspace, user, isMember: true };
}

async function removeMember({ workspace, user }: MemberOptions, { collections, audited }: Session): Promise<Printed> {
  await findWorkspace(collections, workspace);
  if (!(await collections.workspaces.isMember(workspace, user))) {
    throw new CommandError(`${user} is not a member of workspace ${workspace}`);
  }
  await audited({ action: 'member remove', workspaceId: workspace, subject: { user } }, () =>
    collections.workspaces.removeMember(workspace, user),
  );
  return { workspaceId: workspace, user, isMember: false };
}
