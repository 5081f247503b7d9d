import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';

export interface Rounds {
  /** Stops; resolves once a round under way has ended. */
  close(): Promise<void>;
}

interface RoundsOptions {
  /** From the end of a round to the start of the next. */
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  /** A round that hangs longer is left behind: it counts as failed, and the next one comes. */
  readonly roundMaxMs: number;
  /** A round that fails is told here; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/** Runs a round again and again, one at a time, the first at once, until it is closed. */
export function startRounds({ everyMs, round, roundMaxMs, onError }: RoundsOptions): Rounds {
  const stop = new AbortController();
  const running = run();
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await pTimeout(round(), { milliseconds: roundMaxMs }).catch(onError);
      await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
