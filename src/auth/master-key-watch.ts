import { once } from 'node:events';
import { SettingsError } from '../config.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import { checkMasterKeys, type CheckSources } from './master-key-check.ts';
import type { MasterKeys } from './secrets.ts';

const checkEveryMs = 5_000;
const checkMaxMs = 12_000;

/**
 * Checks a process's master keys against the database, at once and then every few seconds, because an administrator may
 * introduce a version that this process was not given.
 * @param onChecked told of each check that MongoDB answered.
 */
export function watchMasterKeys(
  masterKeys: MasterKeys,
  sources: CheckSources,
  log: Logger,
  onChecked: (areRight: boolean) => void,
) {
  const found = new AbortController();
  let wrong = 'MASTER_KEYS: not checked yet';
  const rounds = startRounds({
    everyMs: checkEveryMs,
    roundMaxMs: checkMaxMs,
    round: async () => {
      try {
        await checkMasterKeys(masterKeys, sources);
      } catch (error) {
        if (error instanceof SettingsError) {
          wrong = error.message;
          onChecked(false);
        }
        throw error;
      }
      onChecked(true);
      found.abort();
    },
    told: { log, what: 'the check of MASTER_KEYS' },
  });
  return {
    /**
     * Why this process may not serve yet; undefined once its keys have been found right. After that, only log and metric
     * tell of a wrong key, and the process goes on with the secrets that it can open.
     */
    wrongSetting: () => (found.signal.aborted ? undefined : wrong),
    /** Resolves once the master keys have been found right. @throws AbortError the signal aborts. */
    async untilRight(signal: AbortSignal): Promise<void> {
      if (!found.signal.aborted) await once(found.signal, 'abort', { signal });
    },
    close: () => rounds.close(),
  };
}
