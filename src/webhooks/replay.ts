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
  return outboxStart(new Date(since.getTime() - settledAfterMs));
}

/** @param before the endpoint's replay, if it is at its late part: what it waits for is sent by the new one. */
export function beginReplay(from: string, before: Replay | null, now: Date): Replay {
  const after = before === null ? from : earlier(from, lateStart(before));
  return { from, after, to: outboxEnd(new Date(now.getTime() + settledAfterMs)) };
}

/** What follows once nothing is left between `after` and `to`; null: the replay has ended. */
export function nextPart(replay: Replay): Replay | null {
  return replay.isLate === true ? null : { ...replay, after: lateStart(replay), isLate: true };
}

/** From when on the late part can be sent: the clock has passed the replay's end by the longest transaction. */
export function lateAt({ to }: Replay): Date {
  return new Date(timeOfOutboxEnd(to).getTime() + transactionMaxMs);
}

/** No entry before this was still to come when the replay began. */
function lateStart({ from, to }: Replay): string {
  const start = outboxStart(new Date(timeOfOutboxEnd(to).getTime() - 2 * settledAfterMs));
  return from > start ? from : start;
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

/** The time up to which an end of {@link outboxEnd} reaches. */
function timeOfOutboxEnd(end: string): Date {
  return new Date(timeOfId('webhookBatch', end).getTime() - 1);
}

/** After every entry that was written until a time. */
function outboxEnd(time: Date): string {
  return outboxStart(new Date(time.getTime() + 1));
}

/** Before every entry that is written from a time on. */
function outboxStart(time: Date): string {
  return leastIdAt('webhookBatch', time);
}
