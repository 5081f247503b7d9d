import type { Command } from 'commander';
import { checkVersions } from '../auth/master-keys.ts';
import { opens, openSecret, sealSecret, type MasterKeys } from '../auth/secrets.ts';
import type { Collections } from '../storage/collections.ts';
import type { ApiKey, SealedSecret } from '../storage/keys/api-keys.ts';
import { CommandError } from './failures.ts';
import { refuseUnlessAll } from './ready.ts';
import { withSession, type Session } from './session.ts';

/** Anything with secrets that master keys seal: an API key, a webhook. */
type Sealed = Pick<ApiKey, 'id' | 'workspaceId' | 'secrets' | 'updatedAt'>;

interface SecretStore {
  list(): Promise<readonly Sealed[]>;
  find(one: Sealed): Promise<Sealed | undefined>;
  change(one: Sealed, secrets: readonly SealedSecret[]): Promise<Sealed | undefined>;
}

type NewSecretsOf = (one: Sealed) => readonly SealedSecret[] | undefined;

/** How often a key or webhook is read again that someone else keeps changing. */
const attemptsMax = 5;

export function addMasterKeyCommand(program: Command): void {
  const noun = program
    .command('master-key')
    .description('the keys that encrypt the secrets of API keys and webhooks at rest');

  noun
    .command('rotate')
    .description('encrypt every secret with the newest version in MASTER_KEYS; the secrets themselves stay')
    .addHelpText(
      'after',
      '\nFirst add the new version to MASTER_KEYS of every process, beside the old one; remove the old one afterwards.',
    )
    .action(withSession((_, session) => rotateMasterKey(session)));

  noun
    .command('replace')
    .description('where a master key is lost: go on with those in MASTER_KEYS, without the secrets they cannot open')
    .addHelpText(
      'after',
      '\nIts answer names the keys and webhooks that have no secret any more: give each key one by key rotate; the owners of the webhooks rotate theirs by the API.',
    )
    .action(
      withSession<object, Replaced>((_, session) => replaceMasterKeys(session), {
        question: () => 'Drop every secret that MASTER_KEYS cannot open? No client can use it again.',
        // Repeating the command would not name them.
        unseen: ({ keysWithoutSecret: keys, webhooksWithoutSecret: webhooks }) =>
          `the secrets that MASTER_KEYS cannot open were dropped; those without one now could not be shown:` +
          ` ${[...keys, ...webhooks].join(' ') || 'none'}: give each key one by key rotate; the owners of webhooks rotate theirs by the API`,
      }),
    );
}

type Replaced = Awaited<ReturnType<typeof replaceMasterKeys>>;

/**
 * May be cut short and repeated: a secret that is sealed with the newest version already stays as it is.
 * @throws CommandError a process that runs does not have that version: it could open no secret any more.
 */
async function rotateMasterKey({ collections, settings, masterKeys: checked, audited }: Session) {
  const version = Math.max(...settings.MASTER_KEYS.keys());
  // Before this version is recorded as known: the command may have been given a wrong one.
  await checkVersions(settings.MASTER_KEYS, collections);
  await refuseUnlessAll(
    collections,
    ({ masterKeyVersions: versions }) => versions.length === 0 || versions.includes(version),
    {
      lack: `without version ${version} of the master key, and could open no secret any more`,
      toDo: 'Add it to MASTER_KEYS of every process, beside the old one, restart them, and run this again',
    },
  );
  const { keys, webhooks } = secretStores(collections);
  const counts = { keys: (await keys.list()).length, webhooks: (await webhooks.list()).length };
  const isCurrent = ({ masterKeyVersion }: SealedSecret): boolean => masterKeyVersion === version;
  const resealed = await audited(
    { action: 'master-key rotate', workspaceId: null, subject: { version, ...counts } },
    async () => {
      const masterKeys = await checked();
      const resealedOf = ({ id, secrets }: Sealed): readonly SealedSecret[] | undefined =>
        secrets.every(isCurrent) ? undefined : secrets.map((secret) => reseal(secret, id, masterKeys));
      const changed = [await changeSecrets(keys, resealedOf), await changeSecrets(webhooks, resealedOf)];
      return changed.flat().length;
    },
    (count) => ({ resealed: count }),
  );
  return { masterKeyVersion: version, ...counts, resealed };
}

/** May be cut short and repeated. */
async function replaceMasterKeys({ collections, settings, masterKeys, audited }: Session) {
  const versions = [...settings.MASTER_KEYS.keys()];
  const { keys, webhooks } = secretStores(collections);
  const openedOf = ({ id, secrets }: Sealed): readonly SealedSecret[] | undefined => {
    const opened = secrets.filter((secret) => opens(secret, id, settings.MASTER_KEYS));
    return opened.length === secrets.length ? undefined : opened;
  };
  const changed = await audited(
    { action: 'master-key replace', workspaceId: null, subject: { versions: versions.map(String) } },
    async () => {
      const made = { keys: await changeSecrets(keys, openedOf), webhooks: await changeSecrets(webhooks, openedOf) };
      // Only once nothing is sealed with another key. The check that follows records those of this command.
      await collections.keyCheckValues.clear();
      await masterKeys();
      return made;
    },
    (made) => ({ keys: made.keys.length, webhooks: made.webhooks.length }),
  );
  // A secret from before a rotation expires, or has expired.
  const without = (changed: readonly Sealed[]): string[] =>
    changed.filter(({ secrets }) => secrets.every(({ expiresAt }) => expiresAt !== null)).map(({ id }) => id);
  return {
    masterKeyVersions: versions,
    keysChanged: changed.keys.length,
    keysWithoutSecret: without(changed.keys),
    webhooksWithoutSecret: without(changed.webhooks),
  };
}

/** The same secret, valid as long as before, under the newest master key. */
function reseal(secret: SealedSecret, boundTo: string, masterKeys: MasterKeys): SealedSecret {
  const { createdAt, expiresAt } = secret;
  return { ...sealSecret(openSecret(secret, boundTo, masterKeys), boundTo, masterKeys), createdAt, expiresAt };
}

/** The stores of everything that has secrets. */
function secretStores({ apiKeys, webhookEndpoints }: Collections) {
  const keys: SecretStore = {
    list: () => apiKeys.list(),
    find: ({ id }) => apiKeys.find(id),
    change: ({ id, updatedAt }, secrets) => apiKeys.change(id, { secrets }, updatedAt),
  };
  const webhooks: SecretStore = {
    list: () => webhookEndpoints.list(),
    find: ({ workspaceId, id }) => webhookEndpoints.find(workspaceId, id),
    change: (one, secrets) => webhookEndpoints.change(one, { secrets }, one.updatedAt),
  };
  return { keys, webhooks };
}

/**
 * @param change returns the new secrets of one, given what it has; undefined if they stay.
 * @returns those that were changed, as they are now.
 * @throws CommandError somebody else keeps changing one of them; what is done stays done.
 */
async function changeSecrets(store: SecretStore, change: NewSecretsOf): Promise<Sealed[]> {
  const changed: Sealed[] = [];
  for (const one of await store.list()) {
    const now = await changeSecretsOf(store, one, change);
    if (now !== undefined) changed.push(now);
  }
  return changed;
}

/** @returns undefined if it stays as it is, or is there no more. */
async function changeSecretsOf(store: SecretStore, listed: Sealed, change: NewSecretsOf): Promise<Sealed | undefined> {
  let one: Sealed | undefined = listed;
  for (let attempt = 1; attempt <= attemptsMax && one !== undefined; attempt += 1) {
    const secrets = change(one);
    if (secrets === undefined) return undefined;
    const changed = await store.change(one, secrets);
    if (changed !== undefined) return changed;
    one = await store.find(one);
  }
  if (one === undefined) return undefined;
  throw new CommandError(`${one.id} is being changed by someone else; run this again, what is done stays done`);
}
