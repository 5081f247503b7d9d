import type { ConnectionCheckedInEvent, ConnectionCheckedOutEvent, MongoClient } from 'mongodb';
import pTimeout from 'p-timeout';
import { createClock, type CorrectedClock } from '../../clock.ts';
import { createClockWarning } from '../../clock-warning.ts';
import type { Logger } from '../../log.ts';
import { startRounds, type Rounds } from '../../rounds.ts';
import { bringUp } from './bring-up.ts';
import { correctClock } from './clock.ts';
import { openClient, serverSelectionTimeoutMs, type Storage } from './connection.ts';

interface WatchTools {
  readonly storage: Storage;
  readonly uri: string;
  readonly log: Logger;
  /** Called, with a sentence for the log, if the client is stuck. */
  readonly onStuck: (what: string) => void;
  /** Corrected at each look. Only one watch of a process needs it. */
  readonly clock?: CorrectedClock;
  /** Told at each look how far this machine's own clock is ahead of MongoDB's. */
  readonly onClock?: (aheadMs: number) => void;
  readonly limits?: Partial<typeof usualLimits>;
}

const usualLimits = {
  /** The pause between looks. */
  lookEveryMs: 2_500,
  /** Longer than a command waits for a connection (5 s), so that a look without one gets the driver's error for that. */
  answerMaxMs: 6_000,
  /** How long a new client looks for the server. */
  newClientMaxMs: serverSelectionTimeoutMs,
  /** Longer than any command keeps its connection, which is dropped if an answer takes 10 s. */
  connectionMaxMs: 15_000,
};
/** How many looks in a row may fail although a new client is answered after each. */
const failuresMax = 2;

/**
 * Looks whether MongoDB still answers through this process's client. A connection that breaks at the wrong moment can
 * leave the driver, its monitor too, waiting for an event that never comes: MongoDB is there, but this client never
 * finds it again. That is told apart from MongoDB being away, when a new client gets no answer either, and from a
 * client that is only overloaded, whose connections are all in use. The answer has MongoDB's time, by which `clock` is
 * corrected; a difference of more than a second is warned of.
 */
export function watchStorage(tools: WatchTools): Rounds {
  const { storage, uri, log, onStuck, clock = createClock(), onClock } = tools;
  const { lookEveryMs, answerMaxMs, newClientMaxMs, connectionMaxMs } = { ...usualLimits, ...tools.limits };
  let failures = 0;
  const areConnectionsInUse = watchConnections(storage.client, connectionMaxMs);
  const warnOfClock = createClockWarning(log);

  async function isReachable(): Promise<boolean> {
    try {
      const client = await openClient(uri, answerMaxMs, { serverSelectionTimeoutMS: newClientMaxMs });
      await client.close();
      return true;
    } catch {
      return false;
    }
  }

  async function isWorking(): Promise<boolean> {
    try {
      const aheadMs = await pTimeout(correctClock(storage.db, clock), { milliseconds: answerMaxMs });
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
      // Failures while MongoDB is away do not count: once it is back, this client may find it later than a new one does.
      else failures = (await isReachable()) ? failures + 1 : 0;
    },
    logged: { log, what: 'looking after MongoDB' },
  });
}

/** {@link watchStorage} of a process that starts: its clock is corrected before this resolves. @throws the signal's reason. */
export async function startStorageWatch(
  tools: WatchTools & Required<Pick<WatchTools, 'clock'>>,
  signal: AbortSignal,
): Promise<Rounds> {
  const aheadMs = await bringUp(() => correctClock(tools.storage.db, tools.clock), tools.log, signal);
  tools.onClock?.(aheadMs);
  return watchStorage(tools);
}

/** @returns whether connections are in use, and none for so long that its command must be stuck. */
function watchConnections(client: MongoClient, connectionMaxMs: number): () => boolean {
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
