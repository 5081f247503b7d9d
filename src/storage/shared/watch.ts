import type { ConnectionCheckedInEvent, ConnectionCheckedOutEvent, Db, MongoClient } from 'mongodb';
import pTimeout from 'p-timeout';
import { aheadOf, createClockWarning, systemClock, type CorrectedClock, type ServerTime } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { startRounds, type Rounds } from '../../rounds.ts';
import { serverSelectionTimeoutMs, type Storage } from './connection.ts';
import { bringUp } from './start.ts';

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
 * client that is only overloaded, whose connections are all in use.
 * @param onStuck called, with a sentence for the log, if the client is stuck.
 * @param look asks MongoDB something.
 */
export function watchStorage(
  storage: Storage,
  onStuck: (what: string) => void,
  log: Logger,
  look: () => Promise<unknown> = () => storage.db.command({ ping: 1 }),
  limits: Partial<typeof usualLimits> = {},
): Rounds {
  const { lookEveryMs, answerMaxMs, newClientMaxMs, connectionMaxMs } = { ...usualLimits, ...limits };
  let failures = 0;
  const areConnectionsInUse = watchConnections(storage.client, connectionMaxMs);

  async function isWorking(): Promise<boolean> {
    try {
      await pTimeout(look(), { milliseconds: answerMaxMs });
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
      else failures = (await storage.isFoundByNewClient(answerMaxMs, newClientMaxMs)) ? failures + 1 : 0;
    },
    logged: { log, what: 'looking after MongoDB' },
  });
}

/**
 * {@link watchStorage} of a process that starts. Each look corrects the process's clock by MongoDB's; the first one is made
 * before this resolves.
 * @param onClock told at each look how far this machine's own clock is ahead of MongoDB's. Absent in a thread, whose process
 * looks at the clock too, and warns of a difference of more than a second.
 * @throws the signal's reason.
 */
export async function startStorageWatch(
  storage: Storage,
  { clock, onClock }: { readonly clock: CorrectedClock; readonly onClock?: (aheadMs: number) => void },
  onStuck: (what: string) => void,
  log: Logger,
  signal: AbortSignal,
): Promise<Rounds> {
  const warnOfClock = createClockWarning(log);
  const look = async (): Promise<void> => {
    const aheadMs = await correctClock(storage.db, clock);
    if (onClock === undefined) return;
    onClock(aheadMs);
    warnOfClock(aheadMs);
  };
  await bringUp(look, log, signal);
  return watchStorage(storage, onStuck, log, look);
}

/**
 * MongoDB's time (the primary's or the mongos's), as of now. The server reads its clock at an unknown moment between question
 * and answer. That is the doubt, so that a slow network never makes a right clock look wrong. Source: MongoDB manual,
 * "isMaster", `localTime`.
 * @throws the driver's error if MongoDB does not answer.
 */
export async function readServerTime(db: Db): Promise<ServerTime> {
  const askedAt = performance.now();
  const { localTime } = (await db.command({ isMaster: 1 })) as { localTime: Date };
  const doubtMs = (performance.now() - askedAt) / 2;
  return { serverMs: localTime.getTime() + doubtMs, doubtMs };
}

/**
 * Corrects a clock by MongoDB's.
 * @returns how far this machine's own clock is ahead of MongoDB's, at least; negative if it is behind.
 * @throws the driver's error if MongoDB does not answer.
 */
export async function correctClock(db: Db, clock: CorrectedClock): Promise<number> {
  const time = await readServerTime(db);
  clock.correct(time);
  return aheadOf(time, systemClock().getTime());
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
