import type { Collections } from '../storage/collections.ts';
import { WrongSettingError } from '../settings/config.ts';
import { opens, sealSecret, type MasterKeys } from './secrets.ts';

type Sources = Pick<Collections, 'apiKeys' | 'webhookEndpoints' | 'masterKeyCanaries'>;

/** The text of every canary, and the name that it is bound to. */
const canaryText = 'canary';

/**
 * Checks that these are the master keys of this database: each opens the canary of its version, no version is absent
 * that a secret was sealed with, and at least one is known already, unless none was recorded yet. A new version is
 * recorded, before anything is sealed with it, so that a process with another key under the same number is found out. Safe
 * to repeat, and to run from several processes at once.
 * @throws WrongSettingError they are not; it names the version.
 */
export async function checkMasterKeys(masterKeys: MasterKeys, sources: Sources): Promise<void> {
  const { masterKeyCanaries } = sources;
  const canaries = await checkVersions(masterKeys, sources);
  for (const [version, key] of masterKeys) {
    const own = new Map([[version, key]]);
    const canary = canaries.get(version) ?? (await masterKeyCanaries.record(sealSecret(canaryText, canaryText, own)));
    if (opens(canary, canaryText, own)) continue;
    refuse(`has another key as version ${version} than this database was given first`);
  }
}

/** The part of {@link checkMasterKeys} that records nothing: it goes by the versions' numbers alone. @returns the canaries. */
export async function checkVersions(masterKeys: MasterKeys, sources: Sources) {
  const canaries = await sources.masterKeyCanaries.all();
  const known = [...canaries.keys()];
  const absent = await usedOf(
    known.filter((version) => !masterKeys.has(version)),
    sources,
  );
  if (absent.length > 0) refuse(`has no version ${absent.join(', ')}, with which secrets are sealed`);
  if (known.length > 0 && !known.some((version) => masterKeys.has(version))) {
    refuse(`has no version that this database knows (${known.join(', ')})`);
  }
  return canaries;
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
async function usedOf(versions: number[], { apiKeys, webhookEndpoints }: Sources): Promise<number[]> {
  const isUsed = async (version: number): Promise<boolean> =>
    (await apiKeys.areSealedWith(version)) || (await webhookEndpoints.areSealedWith(version));
  const areUsed = await Promise.all(versions.map(isUsed));
  return versions.filter((_, index) => areUsed[index]);
}

function refuse(what: string): never {
  throw new WrongSettingError('MASTER_KEYS', [what]);
}
