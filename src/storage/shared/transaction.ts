import { MongoBulkWriteError, MongoError, MongoErrorLabel, type ClientSession, type MongoClient } from 'mongodb';
import { TimeoutError } from 'p-timeout';
import { ClockLostError } from '../../clock.ts';
import { isConnectionFault, toError } from '../../errors.ts';
import { keepLatest, seeLatest } from './causality.ts';
import { majorityJournaled } from './commands.ts';
import { documentFaults, serverFaults } from './error-codes.ts';

export type { ClientSession };

/** How often the body of one transaction may run before its caller is told. */
const attemptsMax = 12;
/** No attempt begins later than this. */
const attemptsWithinMs = 10_000;
/** Below the time after which a connection counts as hung. */
const commitTimeMaxMs = 8_000;

/**
 * How long a posting's step may take: a worker that takes longer ends itself, and what was folded longer ago is not committed. It
 * is enough for a run that begins after 10 s with six commands of 10 s each, and a commit of 8 s; one that meets the limit
 * of each of its commands may need more.
 */
export const stepMaxMs = 78_000;

/** By how much two processes' clocks may differ, each of which is corrected by MongoDB's. */
const clocksApartMaxMs = 7_000;

/** What a posting writes may become visible so long after it was dated, by the clock of another process. */
export const transactionMaxMs = stepMaxMs + clocksApartMaxMs;

/**
 * Longer than it takes from a row's id to its storing, even if the servers' clocks differ. The API page tells clients that
 * poll by time to allow for the same.
 */
export const settledAfterMs = 120_000;

/** What was read before the transaction no longer holds: read afresh and run it again. */
export class StaleReadError extends Error {
  override readonly name = 'StaleReadError';
}

/** A transaction that lost against others on every attempt; nothing of it was written. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';
}

/**
 * Whether a change was made cannot be told yet: it is not on a majority, or its answer was lost, or only a part of it was read
 * and another shard does not show the rest. If it stays so, the books lack it: `verify` tells.
 */
export class IndeterminateError extends Error {
  override readonly name = 'IndeterminateError';
}

/**
 * Runs `body` in one multi-document transaction: snapshot reads, majority commit. `body` may run several times and must
 * do nothing outside MongoDB. After a transient error it runs again with a jittered backoff. If a commit's result is unknown,
 * only the commit is repeated, unless the majority took longer than {@link commitTimeMaxMs}: then the caller is told. The
 * driver's `withTransaction` does all of it; the number of runs is bounded here.
 * @param session runs one transaction at a time.
 * @param isGivenUp whether whoever waited for it was told that it failed. No run begins then, and none is committed, because a
 * change that was made since would be undone by it. A commit that was sent before is no danger: its snapshot is older, so that
 * it conflicts with such a change.
 * @throws with nothing written: TimeoutError it was given up; ContendedError after {@link attemptsMax} runs or
 * {@link attemptsWithinMs}; any error of `body`, such as a StaleReadError. And an error of the commit, which may have been applied.
 */
export async function runTransaction<T>(
  session: ClientSession,
  body: (session: ClientSession) => Promise<T>,
  isGivenUp = (): boolean => false,
): Promise<T> {
  const refuseGivenUp = (): void => {
    if (isGivenUp()) throw new TimeoutError('nobody waits for this change any more');
  };
  const startedAt = performance.now();
  let attempts = 0;
  return session.withTransaction(
    async () => {
      attempts += 1;
      const isTooLate = attempts > 1 && performance.now() - startedAt > attemptsWithinMs;
      if (attempts > attemptsMax || isTooLate) throw new ContendedError(`no commit after ${attempts - 1} attempts`);
      refuseGivenUp();
      const result = await body(session);
      // Its first command may have waited on the way, so that its snapshot is a later one.
      refuseGivenUp();
      return result;
    },
    {
      readConcern: { level: 'snapshot' },
      writeConcern: majorityJournaled,
      readPreference: 'primary',
      maxCommitTimeMS: commitTimeMaxMs,
    },
  );
}

/** {@link runTransaction} in a session of its own. It sees what this client has read by `readBefore`. */
export async function inTransaction<T>(
  client: MongoClient,
  body: (session: ClientSession) => Promise<T>,
  isGivenUp?: () => boolean,
): Promise<T> {
  return client.withSession(async (session) => {
    seeLatest(client, session);
    try {
      return await runTransaction(session, body, isGivenUp);
    } finally {
      keepLatest(client, session);
    }
  });
}

/** How many transactions a change of a wallet may lose against postings. */
const patienceMax = 5;

/**
 * Repeats a change of a wallet that is contended: the wallet may be posted again and again, so that a transaction on it loses
 * more often than others. @throws ContendedError it lost {@link patienceMax} times; whatever else `run` throws.
 */
export async function patiently<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ContendedError) || attempt === patienceMax) throw error;
    }
  }
}

/**
 * Does work for some items in one command or transaction; if MongoDB refuses a document among them, item by item, because the
 * others are not at fault. The work must be safe to repeat. @returns for each item, in order, its result or its own error.
 * @throws what is no fault of a document.
 */
export async function apart<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<(Result | Error)[]> {
  try {
    return [...(await work(items))];
  } catch (error) {
    if (!isDocumentFault(error)) throw error;
    if (items.length <= 1) return items.map(() => toError(error));
    const results: (Result | Error)[] = [];
    for (const item of items) results.push(...(await apart([item], work)));
    return results;
  }
}

/** The driver wraps a broken connection in a bulk error without write errors, and so hides that it is one. */
export async function unwrapped<T>(bulkWrite: Promise<T>): Promise<T> {
  try {
    return await bulkWrite;
  } catch (error) {
    throw error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;
  }
}

const documentFaultCodes: ReadonlySet<unknown> = new Set(Object.values(documentFaults));

/** Whether an error is the documents' own fault, and not that of servers, network or other writers. */
export function isDocumentFault(error: unknown): boolean {
  if (error instanceof StaleReadError || isTransientFault(error)) return false;
  return !(error instanceof MongoError) || documentFaultCodes.has(error.code);
}

const serverFaultCodes: ReadonlySet<unknown> = new Set(Object.values(serverFaults));

/** Whether an error came from the servers or the way to them, so that the same work may succeed later. */
export function isTransientFault(error: unknown): boolean {
  if (error instanceof ContendedError || error instanceof IndeterminateError || error instanceof TimeoutError)
    return true;
  if (error instanceof ClockLostError || isConnectionFault(error)) return true;
  if (!(error instanceof MongoError)) return false;
  if (serverFaultCodes.has(error.code)) return true;
  return (
    error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) ||
    error.hasErrorLabel(MongoErrorLabel.RetryableWriteError) ||
    error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)
  );
}
