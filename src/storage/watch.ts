import type { ConnectionCheckedInEvent, ConnectionCheckedOutEvent, MongoClient } from 'mongodb';
import pTimeout from 'p-timeout';
import type { Logger } from '../log.ts';
import { startRounds, type Rounds } from '../rounds.ts';
import { createClockWarning, readClockAheadMs } from './clock.ts';
import { openClient, type Storage } from './connection.ts';

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
/** Longer than a command waits for a connection (5 s): a look that gets none is told so. */
const answerMaxMs = 6_000;
/** Longer than any command has its connection: one on which an answer takes 10 s is dropped. */
const connectionMaxMs = 15_000;
/** So many looks in a row may fail, though after each a new client was answered. */
const failuresMax = 2;

/**
 * Looks whether MongoDB still answers through this process's client. A connection that breaks at the wrong moment can
 * leave the driver waiting for an event that never comes, its monitor too: MongoDB is then there, and this client never
 * finds it again. Told apart from MongoDB being away by trying a new client, and from a client of which more is asked than
 * MongoDB answers in time by its connections, which are all in use. The answer says what MongoDB's clock shows: where
 * `onClock` is given, one that differs from this process's by more than a second is warned of.
 */
export function watchStorage({ storage, uri, log, onStuck, onClock }: WatchTools): Rounds {
  let failures = 0;
  const areConnectionsInUse = watchConnections(storage.client);
  const warnOfClock = createClockWarning(log);

  async function isWorking(): Promise<boolean> {
    try {
      const aheadMs = await pTimeout(readClockAheadMs(storage.db), { milliseconds: answerMaxMs });
      if (onClock !== undefined) {
        onClock(aheadMs);
        warnOfClock(aheadMs);
      }
      return true;
    } catch (error) {
      return isForWantOfConnection(error) && areConnectionsInUse();
    }
  }

  return startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: 3 * answerMaxMs,
    round: async () => {
      if (await isWorking()) failures = 0;
      else if (failures === failuresMax) onStuck('the MongoDB client no longer finds the server, which is there');
      // Looks that fail while MongoDB is away say nothing: once it is back, this client may find it later than a new one.
      else failures = (await isReachable(uri)) ? failures + 1 : 0;
    },
    told: { log, what: 'looking after MongoDB' },
  });
}

/** @returns whether commands have connections now, and none has had its own for too long: such a one waits for ever. */
function watchConnections(client: MongoClient): () => boolean {
  const since = new Map<string, number>();
  const nameOf = ({ address, connectionId }: ConnectionCheckedInEvent | ConnectionCheckedOutEvent): string =>
    `${address} ${connectionId}`;
  client.on('connectionCheckedOut', (event) => since.set(nameOf(event), performance.now()));
  client.on('connectionCheckedIn', (event) => since.delete(nameOf(event)));
  return () => since.size > 0 && [...since.values()].every((at) => performance.now() - at < connectionMaxMs);
}

function isForWantOfConnection(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongoWaitQueueTimeoutError';
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
