import { Binary, Long, Timestamp } from 'bson';
import type { Engine } from './context.ts';

/** The time of the last commit as operation time: seconds, and the number of the commit within the run. */
export function timestampOf({ startedAt, transactions }: Pick<Engine, 'startedAt' | 'transactions'>): Timestamp {
  // Counted from the start, so that it never runs ahead of the clock by more than a second nor backward.
  const seconds = Math.max(Math.floor(Date.now() / 1000), Math.floor(startedAt / 1000));
  return new Timestamp({ t: seconds, i: (transactions.lastCommit() % 0xffffffff) + 1 });
}

/** What every reply of a replica set carries, for causally consistent sessions. */
export function clusterTime(engine: Engine): Record<string, unknown> {
  const time = timestampOf(engine);
  const signature = { hash: new Binary(new Uint8Array(20)), keyId: Long.ZERO };
  return { operationTime: time, $clusterTime: { clusterTime: time, signature } };
}
