import type { Collections } from '../storage/collections.ts';
import { WrongSettingError } from '../settings/config.ts';
import { opens, sealSecret, type MasterKeys } from './secrets.ts';

type SealedCollections = Pick<Collections, 'apiKeys' | 'webhookEndpoints' | 'keyCheckValues'>;

/** The text of every check value, and the name that it is bound to; those that are stored have it. */
const checkText = 'canary';

/**
 * Checks that these are the master keys of this database: each opens the check value of its version, no version is absent
 * that a secret was sealed with, and at least one is known already, unless none was recorded yet. A new version is
 * recorded, before anything is sealed with it, so that a process with another key under the same number is found out. Safe
 * to repeat, and to run from several processes at once.
 * @throws WrongSettingError they are not; it names the version.
 */
export async function checkMasterKeys(masterKeys: MasterKeys, sources: SealedCollections): Promise<void> {
  const { keyCheckValues } = sources;
  const checkValues = await checkVersions(masterKeys, sources);
  for (const [version, key] of masterKeys) {
    const own = new Map([[version, key]]);
    const checkValue = checkValues.get(version) ?? (await keyCheckValues.record(sealSecret(checkText, checkText, own)));
    if (opens(checkValue, checkText, own)) continue;
    refuse(`has another key as version ${version} than this database was given first`);
  }
}

/** The part of {@link checkMasterKeys} that records nothing: it goes by the versions' numbers alone. @returns the check values. */
export async function checkVersions(masterKeys: MasterKeys, sources: SealedCollections) {
  const checkValues = await sources.keyCheckValues.all();
  const recorded = [...checkValues.keys()];
  const absent = await usedOf(
    recorded.filter((version) => !masterKeys.has(version)),
    sources,
  );
  if (absent.length > 0) refuse(`has no version ${absent.join(', ')}, with which secrets are sealed`);
  if (recorded.length > 0 && !recorded.some((version) => masterKeys.has(version))) {
    refuse(`has no version that this database knows (${recorded.join(', ')})`);
  }
  return checkValues;
}

/**
 * The master keys to seal with: those up to the newest version that every process that runs has too, so that nobody is left
 * with a secret that he cannot open while a new version is being introduced. (A process that shares no version cannot open
 * the others either, and does not count.)
 */
export async function keysToSeal(
  masterKeys: MasterKeys,
  { processReports }: Pick<Collections, 'processReports'>,
): Promise<MasterKeys> {
  const others = (await processReports.running())
    .map(({ startedWith }) => startedWith?.masterKeyVersions ?? [])
    .filter((versions) => versions.some((version) => masterKeys.has(version)));
  const shared = [...masterKeys.keys()].filter((version) => others.every((versions) => versions.includes(version)));
  if (shared.length === 0) return masterKeys;
  const newest = Math.max(...shared);
  return new Map([...masterKeys].filter(([version]) => version <= newest));
}

/** Those of the versions that secrets are sealed with. */
async function usedOf(versions: number[], { apiKeys, webhookEndpoints }: SealedCollections): Promise<number[]> {
  const isUsed = async (version: number): Promise<boolean> =>
    (await apiKeys.areSealedWith(version)) || (await webhookEndpoints.areSealedWith(version));
  const areUsed = await Promise.all(versions.map(isUsed));
  return versions.filter((_, index) => areUsed[index]);
}

function refuse(what: string): never {
  throw new WrongSettingError('MASTER_KEYS', what);
}
