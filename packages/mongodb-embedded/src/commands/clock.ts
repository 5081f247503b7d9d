import { Binary, Long, Timestamp } from 'bson';
import { asDocument, type Document } from '../semantics/values.ts';
import type { Engine } from './context.ts';

/** The time of the last commit as operation time: seconds, and the number of the commit within the run. */
export function timestampOf({ startedAt, transactions }: Pick<Engine, 'startedAt' | 'transactions'>): Timestamp {
  // Counted from the start, so that it never runs ahead of the clock by more than a second nor backward.
  const seconds = Math.max(Math.floor(Date.now() / 1000), Math.floor(startedAt / 1000));
  return new Timestamp({ t: seconds, i: (transactions.lastCommit() % 0xffffffff) + 1 });
}

/** Takes in the time that a client knows, perhaps of an earlier run. Source: manual, "Causal Consistency". */
export function learnClusterTime(engine: Engine, command: Document): void {
  const time = asDocument(command['$clusterTime'])?.['clusterTime'];
  if (time instanceof Timestamp && time.greaterThan(latestOf(engine))) engine.learntTime = time;
}

/** The latest time that is known here: no client may ask for what is later. */
export function latestOf(engine: Engine): Timestamp {
  const own = timestampOf(engine);
  return engine.learntTime?.greaterThan(own) === true ? engine.learntTime : own;
}

/** What every reply of a replica set carries, for causally consistent sessions. */
export function clusterTime(engine: Engine): Record<string, unknown> {
  const signature = { hash: new Binary(new Uint8Array(20)), keyId: Long.ZERO };
  return { operationTime: timestampOf(engine), $clusterTime: { clusterTime: latestOf(engine), signature } };
}
