import { setTimeout } from 'node:timers/promises';

export interface Rounds {
  /** Stops; resolves once a round under way has ended. */
  close(): Promise<void>;
}

interface RoundsOptions {
  /** From the end of a round to the start of the next. */
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  /** A round that fails is told here; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/** Runs a round again and again, one at a time, the first at once, until it is closed. */
export function startRounds({ everyMs, round, onError }: RoundsOptions): Rounds {
  const stop = new AbortController();
  const running = run();
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await round().catch(onError);
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
