import pTimeout from 'p-timeout';
import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Rounds } from '../rounds.ts';
import { createClockWarning, readClockAheadMs } from './clock.ts';
import { openClient } from './connection.ts';
import type { Storage } from './connection.ts';

interface WatchTools {
  readonly storage: Storage;
  readonly uri: string;
  readonly log: Logger;
  /** Told, with a sentence for the log, where the client is stuck. */
  readonly onStuck: (what: string) => void;
  /** Told at each look how far this process's clock is ahead of MongoDB's. One watch of a process looks at the clocks. */
  readonly onClock?: (aheadMs: number) => void;
}

const lookEveryMs = 2_500;
const answerMaxMs = 5_000;
/** So many looks in a row must fail before a new client is tried. */
const failuresMax = 2;

/**
 * Looks whether MongoDB still answers through this process's client. A connection that breaks at the wrong moment can
 * leave the driver waiting for an event that never comes, its monitor too: MongoDB is then there, and this client never
 * finds it again. Told apart from MongoDB being away by trying a new client. The answer says what MongoDB's clock shows:
 * where `onClock` is given, one that differs from this process's by more than a second is warned of.
 */
export function watchStorage({ storage, uri, log, onStuck, onClock }: WatchTools): Rounds {
  let failures = 0;
  const warnOfClock = createClockWarning(log);
  return startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: 3 * answerMaxMs,
    round: async () => {
      const asking = readClockAheadMs(storage.db).catch(() => undefined);
      const aheadMs = await pTimeout(asking, { milliseconds: answerMaxMs, fallback: () => undefined });
      failures = aheadMs === undefined ? failures + 1 : 0;
      if (aheadMs !== undefined && onClock !== undefined) {
        onClock(aheadMs);
        warnOfClock(aheadMs);
      }
      if (failures < failuresMax || !(await isReachable(uri))) return;
      // The old client may have found it too in the meantime.
      if (await pTimeout(storage.isUp(), { milliseconds: answerMaxMs, fallback: () => false })) return;
      onStuck('the MongoDB client no longer finds the server, which is there');
    },
    told: { log, what: 'looking after MongoDB' },
  });
}

async function isReachable(uri: string): Promise<boolean> {
  try {
    const client = await openClient(uri, answerMaxMs);
    await client.close();
    return true;
  } catch {
    return false;
  }
}
