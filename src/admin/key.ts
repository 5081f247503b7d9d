import type { Command } from 'commander';
import { newSecret, sealSecret } from '../auth/secrets.ts';
import { newId } from '../domain/ids.ts';
import { scopes, type Scope } from '../domain/scopes.ts';
import type { ApiKey } from '../storage/keys/api-keys.ts';
import { CommandError } from './failures.ts';
import { addKeyChangeCommands, keyToPrinted, keyWithSecret, type KeyWithSecret } from './key-change.ts';
import { findWorkspace } from './lookup.ts';
import { parseCidrs, parseScopes, parseUser } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface CreateOptions {
  readonly workspace: string;
  readonly owner: string;
  readonly scope: readonly Scope[];
  readonly ip?: readonly string[];
}

export function addKeyCommands(program: Command): void {
  const noun = program.command('key').description('API keys: each bound to one workspace and one of its members');

  noun
    .command('create')
    .description('make a key; its secret is shown this once')
    .requiredOption('--workspace <id>', 'the workspace it reaches')
    .requiredOption('--owner <user>', 'the member it stands on', parseUser)
    .requiredOption('--scope <scope>', `${scopes.join(', ')}; repeat for several`, parseScopes)
    .option('--ip <cidr>', 'address or CIDR it may be used from; repeat for several (default: any)', parseCidrs)
    .action(
      withSession<CreateOptions, KeyWithSecret>(createKey, {
        unseen: ({ apiKey }) =>
          `key ${apiKey} was made, but its secret could not be shown: give it another by key rotate --key ${apiKey}` +
          ` --overlap 0, or undo it by key disable --key ${apiKey}`,
      }),
    );

  noun
    .command('list')
    .description('list keys, oldest first; secrets are never shown')
    .option('--workspace <id>', 'of this workspace alone')
    .action(
      withSession<{ workspace?: string }>(async ({ workspace }, { collections }) => {
        if (workspace !== undefined) await findWorkspace(collections, workspace);
        return (await collections.apiKeys.list(workspace)).map(keyToPrinted);
      }),
    );

  addKeyChangeCommands(noun);
}

async function createKey(
  options: CreateOptions,
  { masterKeys, collections, audited, clock }: Session,
): Promise<KeyWithSecret> {
  const { workspace: workspaceId, owner: ownerId, scope: scopes, ip: ipWhitelist = [] } = options;
  await findWorkspace(collections, workspaceId);
  if (!(await collections.workspaces.isMember(workspaceId, ownerId))) {
    throw new CommandError(
      `${ownerId} is not a member of workspace ${workspaceId}; see: member add --workspace ${workspaceId} --user …`,
    );
  }
  const id = newId('apiKey', clock());
  const secret = newSecret();
  const subject = { key: id, owner: ownerId, scopes, ipWhitelist };
  const key = await audited({ action: 'key create', workspaceId, subject }, async () => {
    const sealed = sealSecret(secret, id, await masterKeys(), clock());
    const { createdAt } = sealed;
    const asked = { id, workspaceId, ownerId, scopes, ipWhitelist };
    const made: ApiKey = { ...asked, status: 'ENABLED', secrets: [sealed], createdAt, updatedAt: createdAt };
    await collections.apiKeys.insert(made);
    return made;
  });
  return keyWithSecret(key, secret);
}
