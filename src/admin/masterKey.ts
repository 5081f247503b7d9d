import type { Command } from 'commander';
import { openSecret, sealSecret } from '../auth/secrets.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import type { ApiKey, SealedSecret } from '../storage/apiKeys.ts';
import { CommandError } from './failures.ts';
import { findKey } from './lookup.ts';
import type { Printed } from './output.ts';
import { withSession } from './session.ts';
import type { Session } from './session.ts';

export function addMasterKeyCommand(program: Command): void {
  program
    .command('master-key')
    .description('the keys that encrypt API secrets at rest')
    .command('rotate')
    .description('encrypt every API secret with the newest version in MASTER_KEYS; the secrets themselves stay')
    .addHelpText(
      'after',
      '\nFirst add the new version to MASTER_KEYS of every process, beside the old one; remove the old one afterwards.',
    )
    .action(withSession((_, session) => rotateMasterKey(session)));
}

/** How often a key that someone else changes meanwhile is read again. */
const attemptsMax = 5;

/** May be cut short and repeated: what is sealed with the newest version already is left as it is. */
async function rotateMasterKey(session: Session): Promise<Printed> {
  const { collections, settings, audited } = session;
  const version = Math.max(...settings.MASTER_KEYS.keys());
  const keys = await collections.apiKeys.list();
  const change = { action: 'master-key rotate', workspaceId: null, subject: { version, keys: keys.length } };
  const resealed = await audited(
    change,
    async () => {
      let count = 0;
      for (const key of keys) count += (await reseal(key, session)) ? 1 : 0;
      return count;
    },
    (count) => ({ resealed: count }),
  );
  return { masterKeyVersion: version, keys: keys.length, resealed };
}

/** @returns whether anything of the key was to be sealed anew. */
async function reseal(found: ApiKey, { collections, settings }: Session): Promise<boolean> {
  const newest = Math.max(...settings.MASTER_KEYS.keys());
  let key = found;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (key.secrets.every(({ masterKeyVersion }) => masterKeyVersion === newest)) return false;
    const { id } = key;
    const secrets = key.secrets.map((secret) => resealed(secret, id, settings.MASTER_KEYS));
    if ((await collections.apiKeys.change(id, { secrets }, key.updatedAt)) !== undefined) return true;
    key = await findKey(collections, id);
  }
  throw new CommandError(`key ${key.id} is being changed by someone else; run this again, what is done stays done`);
}

/** The same secret, valid as long as before, under the newest master key. */
function resealed(secret: SealedSecret, keyId: string, masterKeys: MasterKeys): SealedSecret {
  const { createdAt, expiresAt } = secret;
  return { ...sealSecret(openSecret(secret, keyId, masterKeys), keyId, masterKeys), createdAt, expiresAt };
}
