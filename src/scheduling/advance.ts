import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { anywhereIn, type PostingQueue } from '../queue/posting-queue.ts';
import { advanceUnderWay, timeBy, type Advance } from '../storage/test-clocks.ts';
import { IndeterminateError, isTransientFault } from '../storage/shared/transaction.ts';
import { Bulkhead, BulkheadFullError, type BulkheadLimits } from '../waiting/bulkhead.ts';
import { nextDueOf, type TimeSources } from './test-clock.ts';

/** How long whoever puts a clock forward waits for all that comes due. */
export const advanceMaxMs = 20_000;
const lookEveryMs = 20;
const wakeEveryMs = 1_000;
/** How many clocks a process looks after at once, one of each workspace; and how many requests wait for that. */
const limits: BulkheadLimits = {
  ...{ permits: 8, slowPermits: 8, permitsOfKey: 1 },
  waiting: { max: 64, ofKeyMax: 8 },
};
const retryAfterSeconds = 1;

/** What became of putting a clock forward: `now` is where it stands, and `done` whether all has ended that was due until `to`. */
export interface Advanced extends Pick<Advance, 'from' | 'to' | 'started' | 'expired'> {
  readonly now: Date;
  readonly done: boolean;
}

export type TestTime = ReturnType<typeof createTestTime>;

/** What clients ask of the clock of their test workspace. Whoever posts the workspace puts it forward (test-clock.ts). */
export function createTestTime(sources: TimeSources, queue: Pick<PostingQueue, 'wake'>, clock: Clock) {
  const { testClocks } = sources;
  const bulkhead = new Bulkhead(limits);

  /** Begins an advance once no other is under way. @returns its id; or what became of it if it is not to begin. */
  async function begin(
    workspaceId: string,
    targetOf: (now: Date) => Date,
    leftMs: () => number,
  ): Promise<string | Advanced> {
    const id = randomUUID();
    for (;;) {
      const own = await testClocks.read(workspaceId);
      const realNow = clock();
      const now = timeBy(own, realNow);
      const to = targetOf(now);
      const other = advanceUnderWay(own, realNow);
      const advance = { id, from: now, to, started: 0, expired: 0, isDone: false };
      if (other === undefined && to <= now) return { ...advance, now, done: true };
      if (leftMs() <= 0) return { ...advance, now, done: false };
      const until = new Date(realNow.getTime() + leftMs());
      if (other === undefined && (await testClocks.begin(workspaceId, own, advance, until))) return id;
      await setTimeout(lookEveryMs);
    }
  }

  async function advance(workspaceId: string, targetOf: (now: Date) => Date, leftMs: () => number): Promise<Advanced> {
    const begun = await begin(workspaceId, targetOf, leftMs);
    if (typeof begun !== 'string') return begun;
    for (let wokenAt = -Infinity; ;) {
      if (performance.now() - wokenAt > wakeEveryMs) {
        // Redis may be away. It is woken again.
        await queue.wake(anywhereIn([workspaceId])).catch(() => undefined);
        wokenAt = performance.now();
      }
      await setTimeout(lookEveryMs);
      // Through an election too: what has begun goes on.
      const own = await testClocks.read(workspaceId).catch((error: unknown) => {
        if (leftMs() < 0 || !isTransientFault(error)) throw error;
      });
      if (own === undefined) continue;
      const advance = [own.advance, own.before].find((one) => one?.id === begun);
      if (advance === undefined) throw new IndeterminateError('the clock was put forward by others since');
      const { from, to, started, expired, isDone } = advance;
      const isOver = isDone || own.advance?.id !== begun || own.since <= clock();
      if (isOver) return { from, to, started, expired, now: timeBy(own, clock()), done: isDone };
    }
  }

  return {
    /** A test workspace's time, and when something is due next; undefined if nothing will be. */
    async read(workspaceId: string): Promise<{ readonly now: Date; readonly nextDueAt: Date | undefined }> {
      const now = (await testClocks.clockOf(workspaceId))();
      return { now, nextDueAt: await nextDueOf(sources, workspaceId) };
    },

    /**
     * Puts the clock of a test workspace forward, and waits until all that comes due has ended, up to {@link advanceMaxMs}. The
     * clock runs on from where it stands then. To come to a time that has passed changes nothing. Of two at once one waits.
     * @param targetOf where it is to go from where it stands. @throws what that does; ServiceError KEY_RATE_EXCEEDED too many wait;
     * if MongoDB is away: the clock then runs on by itself.
     */
    async advance(workspaceId: string, targetOf: (now: Date) => Date): Promise<Advanced> {
      const endsAt = performance.now() + advanceMaxMs;
      try {
        return await bulkhead.run(workspaceId, () => advance(workspaceId, targetOf, () => endsAt - performance.now()));
      } catch (error) {
        throw error instanceof BulkheadFullError ? new ServiceError('KEY_RATE_EXCEEDED', { retryAfterSeconds }) : error;
      }
    },
  };
}
