import { leastIdAt, timeOfId } from '../domain/ids.ts';
import { settledAfterMs, transactionMaxMs } from '../storage/shared/transaction.ts';
import type { Replay } from '../storage/webhooks/endpoints.ts';

/*
 * A replay has two parts. First it sends every entry that it finds, in their order. But a transaction that began before the
 * endpoint was enabled may become visible later, behind what was sent already: its entry does not name the endpoint, so
 * nobody else would send it. So a replay stays open until no such entry can come any more, and then sends the late ones.
 */

/** Where a replay since a time begins. Entries have the times of the workers that wrote them, whose clocks may be off. */
export function startOfReplay(since: Date): string {
  return entryAt(since.getTime() - settledAfterMs);
}

/** @param before the endpoint's replay, if it is at its late part: what it waits for is sent by the new one. */
export function beginReplay(from: string, before: Replay | null, now: Date): Replay {
  const [after = from] = [from, ...(before === null ? [] : [lateStart(before)])].sort();
  return { from, after, to: entryAt(now.getTime() + settledAfterMs + 1) };
}

/** What follows once nothing is left between `after` and `to`; null: the replay has ended. */
export function nextPart(replay: Replay): Replay | null {
  return replay.isLate === true ? null : { ...replay, after: lateStart(replay), isLate: true };
}

/** From when on the late part can be sent: the clock has passed the replay's end by the longest transaction. */
export function lateAt(replay: Replay): Date {
  return new Date(endOf(replay) + transactionMaxMs);
}

/** No entry before this was still to come when the replay began. */
function lateStart(replay: Replay): string {
  const start = entryAt(endOf(replay) - 2 * settledAfterMs);
  return replay.from > start ? replay.from : start;
}

/** The time, in milliseconds, up to which a replay reaches. */
function endOf({ to }: Replay): number {
  return timeOfId('webhookBatch', to).getTime() - 1;
}

/** An id before that of every entry that is written from a time on. */
function entryAt(ms: number): string {
  return leastIdAt('webhookBatch', new Date(ms));
}
