import { startRounds, type Rounds } from '../rounds.ts';

interface WatchedConsumer {
  /** How many jobs it has begun in its life. */
  readonly begun: () => number;
  /** How many it has begun and not ended. */
  readonly inHand: () => number;
  /** Whether jobs wait that it may take. */
  readonly hasWaiting: () => Promise<boolean>;
  /** Opens another one in its place. */
  readonly replace: () => void;
  /** The pause between looks, and the longest that a look may take. */
  readonly lookEveryMs: number;
}

/** How many looks in a row must find jobs that wait, and none begun since the look before. */
const stuckLooksMax = 2;

/**
 * Replaces a consumer that takes none of the jobs that wait. If a node of a cluster dies at the wrong moment, the connection
 * on which BullMQ waits for jobs may never come back, without any error. Source: BullMQ's issue 4138.
 */
export function watchConsumer({ begun, inHand, hasWaiting, replace, lookEveryMs }: WatchedConsumer): Rounds {
  let isClosed = false;
  let begunBefore = -1;
  let stuckLooks = 0;
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: lookEveryMs,
    round: async () => {
      const [looks, isIdle] = [stuckLooks + 1, begun() === begunBefore && inHand() === 0];
      // Reset first, so that a look that fails, because Redis is away, ends the row.
      stuckLooks = 0;
      begunBefore = begun();
      if (!isIdle || !(await hasWaiting()) || begun() !== begunBefore || isClosed) return;
      if (looks < stuckLooksMax) stuckLooks = looks;
      else replace();
    },
  });
  return {
    ...rounds,
    close() {
      isClosed = true;
      return rounds.close();
    },
  };
}
