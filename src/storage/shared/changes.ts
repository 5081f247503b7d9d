import type { ClientSession, MongoClient } from 'mongodb';
import { createBatchers } from '../../waiting/batcher.ts';
import { apart, inTransaction, patiently } from './transaction.ts';

export interface WorkspaceChange {
  readonly workspaceId: string;
  /** Until whoever asks is told that it took too long; absent for the administrator, who waits. */
  readonly timeLeftMs?: () => number;
}

/** They share a transaction, but not so many that it takes long beside postings of their wallets. */
const sizeMax = 50;

/**
 * Changes of a workspace that come at once share a transaction. A posting that knew their wallets before is folded again.
 * @param makeAll makes changes of a workspace; it may run several times.
 * @returns makes one, and throws ContendedError if its wallets were posted too often meanwhile, or TimeoutError if no time was
 * left: nothing was then changed, nor will be, unless the commit was sent by then.
 */
export function createChanges<Change extends WorkspaceChange, Result>(
  client: MongoClient,
  makeAll: (workspaceId: string, changes: readonly Change[], session: ClientSession) => Promise<readonly Result[]>,
): (change: Change) => Promise<Result> {
  return createBatchers(
    ({ workspaceId }) => workspaceId,
    (changes: readonly Change[], isGivenUp, workspaceId) =>
      apart(changes, (some) =>
        patiently(() => inTransaction(client, (session) => makeAll(workspaceId, some, session), isGivenUp)),
      ),
    { sizeMax, inFlightMax: 1, timeLeftMs: ({ timeLeftMs }) => timeLeftMs?.() ?? Infinity },
  );
}
