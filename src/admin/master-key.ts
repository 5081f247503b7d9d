import type { Command } from 'commander';
import { opens } from '../auth/master-key-check.ts';
import { openSecret, sealSecret } from '../auth/secrets.ts';
import type { MasterKeys } from '../auth/secrets.ts';
import type { ApiKey, SealedSecret } from '../storage/api-keys.ts';
import { confirm } from './confirm.ts';
import { CommandError } from './failures.ts';
import { findKey } from './lookup.ts';
import type { Printed } from './output.ts';
import { withSession } from './session.ts';
import type { Session } from './session.ts';

export function addMasterKeyCommand(program: Command): void {
  const noun = program.command('master-key').description('the keys that encrypt API secrets at rest');

  noun
    .command('rotate')
    .description('encrypt every API secret with the newest version in MASTER_KEYS; the secrets themselves stay')
    .addHelpText(
      'after',
      '\nFirst add the new version to MASTER_KEYS of every process, beside the old one; remove the old one afterwards.',
    )
    .action(withSession((_, session) => rotateMasterKey(session)));

  noun
    .command('replace')
    .description('where a master key is lost: go on with those in MASTER_KEYS, without the secrets they cannot open')
    .addHelpText('after', '\nIts answer names the keys that have no secret any more: give each one by key rotate.')
    .option('--yes', 'do not ask')
    .action(
      withSession<{ yes?: boolean }>((_, session) => replaceMasterKeys(session), {
        before: ({ yes }) =>
          confirm('Drop every API secret that MASTER_KEYS cannot open? No client can use it again.', yes),
      }),
    );
}

/** How often a key that someone else changes meanwhile is read again. */
const attemptsMax = 5;

/** May be cut short and repeated: what is sealed with the newest version already is left as it is. */
async function rotateMasterKey({ collections, settings, masterKeys: checked, audited }: Session): Promise<Printed> {
  const version = Math.max(...settings.MASTER_KEYS.keys());
  const keys = await collections.apiKeys.list();
  const change = { action: 'master-key rotate', workspaceId: null, subject: { version, keys: keys.length } };
  const isCurrent = ({ masterKeyVersion }: SealedSecret): boolean => masterKeyVersion === version;
  const resealed = await audited(
    change,
    async () => {
      const masterKeys = await checked();
      const changed = await changeSecrets(keys, collections, ({ id, secrets }) =>
        secrets.every(isCurrent) ? undefined : secrets.map((secret) => reseal(secret, id, masterKeys)),
      );
      return changed.length;
    },
    (count) => ({ resealed: count }),
  );
  return { masterKeyVersion: version, keys: keys.length, resealed };
}

/** May be cut short and repeated. */
async function replaceMasterKeys({ collections, settings, masterKeys, audited }: Session): Promise<Printed> {
  const { apiKeys, masterKeyCanaries } = collections;
  const versions = [...settings.MASTER_KEYS.keys()];
  const changed = await audited(
    { action: 'master-key replace', workspaceId: null, subject: { versions: versions.map(String) } },
    async () => {
      await masterKeyCanaries.clear();
      const keys = await changeSecrets(await apiKeys.list(), collections, ({ id, secrets }) => {
        const opened = secrets.filter((secret) => opens(secret, id, settings.MASTER_KEYS));
        return opened.length === secrets.length ? undefined : opened;
      });
      await masterKeys();
      return keys;
    },
    (keys) => ({ keys: keys.length }),
  );
  const without = changed.filter(({ secrets }) => secrets.length === 0);
  return { masterKeyVersions: versions, keysChanged: changed.length, keysWithoutSecret: without.map(({ id }) => id) };
}

/**
 * @param change the secrets that a key has from now on, worked out from what it has; undefined where they stay.
 * @returns the keys that were changed, as they are now.
 */
async function changeSecrets(
  found: readonly ApiKey[],
  collections: Session['collections'],
  change: (key: ApiKey) => readonly SealedSecret[] | undefined,
): Promise<ApiKey[]> {
  const changed: ApiKey[] = [];
  for (let key of found) {
    for (let attempt = 1; ; attempt += 1) {
      const secrets = change(key);
      if (secrets === undefined) break;
      const done = await collections.apiKeys.change(key.id, { secrets }, key.updatedAt);
      if (done !== undefined) {
        changed.push(done);
        break;
      }
      if (attempt === attemptsMax) {
        throw new CommandError(
          `key ${key.id} is being changed by someone else; run this again, what is done stays done`,
        );
      }
      key = await findKey(collections, key.id);
    }
  }
  return changed;
}

/** The same secret, valid as long as before, under the newest master key. */
function reseal(secret: SealedSecret, keyId: string, masterKeys: MasterKeys): SealedSecret {
  const { createdAt, expiresAt } = secret;
  return { ...sealSecret(openSecret(secret, keyId, masterKeys), keyId, masterKeys), createdAt, expiresAt };
}
