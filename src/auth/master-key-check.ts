import type { Collections } from '../storage/collections.ts';
import type { MasterKeyCanary } from '../storage/keys/master-key-canaries.ts';
import { WrongSettingError } from '../wrong-setting.ts';
import { openSecret, sealSecret, type MasterKeys } from './secrets.ts';

/** The heading of their entry in docs/operations.md. */
export const masterKeysRunbook = 'MasterKeysWrong';

export type CheckSources = Pick<Collections, 'apiKeys' | 'webhookEndpoints' | 'masterKeyCanaries'>;

/** The text of every canary, and the name that it is bound to. */
const canaryText = 'canary';

/**
 * Checks that these are the master keys of this database: each opens the canary of its version, no version is absent
 * that a secret was sealed with, and at least one is known already, unless none was recorded yet. A new version is
 * recorded, so that a process with another key under the same number is found out. Safe to repeat, and to run from
 * several processes at once.
 * @throws WrongSettingError they are not; it names the version.
 */
export async function checkMasterKeys(masterKeys: MasterKeys, sources: CheckSources): Promise<void> {
  const { apiKeys, masterKeyCanaries } = sources;
  const canaries = await masterKeyCanaries.all();
  // A version has its canary before anything is sealed with it. A database of an earlier release has no canaries.
  const introduced = canaries.size === 0 ? await everyVersion(sources) : [...canaries.keys()];
  const absent = await usedOf(
    introduced.filter((version) => !masterKeys.has(version)),
    sources,
  );
  if (absent.length > 0) refuse(`has no version ${absent.join(', ')}, with which secrets are sealed`);

  if (canaries.size > 0 && ![...masterKeys.keys()].some((version) => canaries.has(version))) {
    refuse(`has no version that this database knows (${[...canaries.keys()].join(', ')})`);
  }
  for (const [version, key] of masterKeys) {
    const own = new Map([[version, key]]);
    const canary = canaries.get(version);
    // Without canaries, one of the secrets serves as well.
    const sample = canary === undefined ? await apiKeys.oneSealedWith(version) : undefined;
    if (sample !== undefined && !opens(sample.secret, sample.keyId, own)) refuseVersion(version);
    const recorded = canary ?? (await masterKeyCanaries.record(sealSecret(canaryText, canaryText, own)));
    if (!opens(recorded, canaryText, own)) refuseVersion(version);
  }
}

/** Every version that secrets are sealed with. Reads all of them. */
async function everyVersion({ apiKeys, webhookEndpoints }: CheckSources): Promise<number[]> {
  const used = await Promise.all([apiKeys.masterKeyVersions(), webhookEndpoints.masterKeyVersions()]);
  return [...new Set(used.flat())];
}

/** Those of the versions that secrets are sealed with. */
async function usedOf(versions: number[], { apiKeys, webhookEndpoints }: CheckSources): Promise<number[]> {
  const isUsed = async (version: number): Promise<boolean> =>
    (await apiKeys.oneSealedWith(version)) !== undefined || (await webhookEndpoints.areSealedWith(version));
  const areUsed = await Promise.all(versions.map(isUsed));
  return versions.filter((_, index) => areUsed[index]);
}

/** Whether one of the master keys sealed this, bound to that name. */
export function opens(
  sealed: Pick<MasterKeyCanary, 'masterKeyVersion' | 'sealed'>,
  boundTo: string,
  masterKeys: MasterKeys,
): boolean {
  try {
    openSecret(sealed, boundTo, masterKeys);
    return true;
  } catch {
    return false;
  }
}

function refuseVersion(version: number): never {
  refuse(`has another key as version ${version} than this database was given first`);
}

function refuse(what: string): never {
  throw new WrongSettingError('MASTER_KEYS', masterKeysRunbook, [what]);
}
