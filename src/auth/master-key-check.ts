import { SettingsError } from '../config.ts';
import type { Collections } from '../storage/collections.ts';
import type { MasterKeyCanary } from '../storage/master-key-canaries.ts';
import { openSecret, sealSecret, type MasterKeys } from './secrets.ts';

export type CheckSources = Pick<Collections, 'apiKeys' | 'webhookEndpoints' | 'masterKeyCanaries'>;

/** The text of every canary, and the name that it is bound to. */
const canaryText = 'canary';

/**
 * Checks that these are the master keys of this database: each opens the canary of its version, no version is absent
 * that a secret was sealed with, and at least one is known already, unless none was recorded yet. A new version is
 * recorded, so that a process with another key under the same number is found out. Safe to repeat, and to run from
 * several processes at once.
 * @throws SettingsError they are not; it names MASTER_KEYS and the version.
 */
export async function checkMasterKeys(
  masterKeys: MasterKeys,
  { apiKeys, webhookEndpoints, masterKeyCanaries }: CheckSources,
): Promise<void> {
  const [canaries, ...used] = await Promise.all([
    masterKeyCanaries.all(),
    apiKeys.masterKeyVersions(),
    webhookEndpoints.masterKeyVersions(),
  ]);
  const inUse = [...new Set(used.flat())];
  const absent = inUse.filter((version) => !masterKeys.has(version));
  if (absent.length > 0) refuse(`has no version ${absent.join(', ')}, with which secrets are sealed`);

  const known = [...masterKeys.keys()].filter((version) => canaries.has(version) || inUse.includes(version));
  if (known.length === 0 && canaries.size > 0) {
    refuse(`has no version that this database knows (${[...canaries.keys()].join(', ')})`);
  }
  for (const [version, key] of masterKeys) {
    const own = new Map([[version, key]]);
    const canary = canaries.get(version);
    // A database of an earlier release has secrets but no canaries. One of the secrets serves as well.
    const sample = canary === undefined ? await apiKeys.oneSealedWith(version) : undefined;
    if (sample !== undefined && !opens(sample.secret, sample.keyId, own)) refuseVersion(version);
    const recorded = canary ?? (await masterKeyCanaries.record(sealSecret(canaryText, canaryText, own)));
    if (!opens(recorded, canaryText, own)) refuseVersion(version);
  }
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
  throw new SettingsError(`wrong settings:\n  MASTER_KEYS ${what} (docs/operations.md, "MasterKeysWrong")`);
}
