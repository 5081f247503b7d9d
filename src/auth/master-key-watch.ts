import type { Logger } from '../log.ts';
import { watchSettings, type OnCompared } from '../setting-watch.ts';
import { checkMasterKeys, masterKeysRunbook, type CheckSources } from './master-key-check.ts';
import type { MasterKeys } from './secrets.ts';

const checkEveryMs = 5_000;
const checkMaxMs = 12_000;

/**
 * Checks a process's master keys against the database, at once and then every few seconds, because an administrator may
 * introduce a version that this process was not given.
 * @param onCompared called after each check that MongoDB answered.
 */
export function watchMasterKeys(masterKeys: MasterKeys, sources: CheckSources, log: Logger, onCompared: OnCompared) {
  const { wrongAtStart, untilRight, close } = watchSettings({
    settings: ['MASTER_KEYS'],
    runbook: masterKeysRunbook,
    everyMs: checkEveryMs,
    roundMaxMs: checkMaxMs,
    compare: async () => {
      await checkMasterKeys(masterKeys, sources);
      return true;
    },
    log,
    onCompared,
  });
  return {
    /**
     * Why this process may not serve yet; undefined once its keys have been found right. After that a wrong key shows only in
     * the log and the metric, and the process goes on with the secrets that it can open.
     */
    wrongSetting: wrongAtStart,
    /** Resolves once the master keys have been found right. @throws AbortError the signal aborts. */
    untilRight,
    close,
  };
}
