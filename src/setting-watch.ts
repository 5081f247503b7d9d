import { once } from 'node:events';
import type { Logger } from './log.ts';
import { startRounds } from './rounds.ts';
import { WrongSettingError, type WrongSetting } from './config.ts';
import type { SettingName } from './settings.ts';

/** Called with the settings that were compared, and which of them is wrong, if one is. */
export type OnCompared = (settings: readonly SettingName[], wrong: WrongSetting | undefined) => void;

interface Compared {
  readonly settings: readonly SettingName[];
  /** The heading of their entry in docs/operations.md. */
  readonly runbook: string;
  /** From the end of a comparison to the next, and the longest that one may take. */
  readonly everyMs: number;
  readonly roundMaxMs: number;
}

/**
 * Compares settings of this process with what others have, at once and then again and again, whatever was found before.
 * @param compare is given what the comparisons before found. It returns true if the settings are right; false if that cannot
 * be decided now, and what was found before stays. It throws a WrongSettingError if one is wrong. After any other error what
 * was found before stays.
 * @param onCompared not called before the first comparison that could decide.
 */
export function watchSettings(
  { settings, runbook, everyMs, roundMaxMs }: Compared,
  compare: (wrong: WrongSetting | undefined) => Promise<boolean>,
  onCompared: OnCompared,
  log: Logger,
) {
  const names = settings.join(' and ');
  const found = new AbortController();
  const notCompared: WrongSetting = { setting: undefined, runbook, message: `${names}: not compared yet` };
  let wrong: WrongSetting | undefined = notCompared;

  async function round(): Promise<void> {
    try {
      if (await compare(wrong)) {
        wrong = undefined;
        found.abort();
      }
    } catch (error) {
      if (!(error instanceof WrongSettingError)) throw error;
      wrong = error;
      onCompared(settings, wrong);
      throw error;
    }
    if (wrong !== notCompared) onCompared(settings, wrong);
  }

  const rounds = startRounds({ everyMs, roundMaxMs, round, logged: { log, what: `the comparison of ${names}` } });
  return {
    /** What is wrong, as of the last comparison that could tell. */
    wrongNow: (): WrongSetting | undefined => wrong,
    /** The same until all has been found right once, and nothing from then on. Log and metric still tell of it. */
    wrongAtStart: (): WrongSetting | undefined => (found.signal.aborted ? undefined : wrong),
    /** Resolves once all has been found right. @throws AbortError the signal aborts. */
    untilRight: async (signal: AbortSignal): Promise<void> => {
      if (!found.signal.aborted) await once(found.signal, 'abort', { signal });
    },
    /** Stops; resolves once a comparison under way has ended. */
    close: (): Promise<void> => rounds.close(),
  };
}
