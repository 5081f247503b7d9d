import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';

export interface Rounds {
  /** Begins the next round now, or as soon as the one under way has ended. */
  hasten(): void;
  /** Stops; resolves once a round under way has ended. */
  close(): Promise<void>;
}

interface RoundsOptions {
  /** From the end of a round to the start of the next. */
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  /** A round that hangs longer is left behind: it counts as failed, and the next one comes. */
  readonly roundMaxMs: number;
  /**
   * Told of the first round of a row that fails, and once a minute while they go on failing; the next one comes all the
   * same. A server that is away for an hour is worth a few lines of a log, not thousands.
   */
  readonly onError: (error: unknown) => void;
  /** Told of the first round that goes well after those that failed. */
  readonly onRecovered?: () => void;
}

const toldEveryMs = 60_000;

/** Runs a round again and again, one at a time, the first at once, until it is closed. */
export function startRounds({ everyMs, round, roundMaxMs, onError, onRecovered }: RoundsOptions): Rounds {
  let isClosed = false;
  let pause = new AbortController();
  let toldAt: number | undefined;
  const running = run();

  function tell(error: unknown): void {
    if (toldAt !== undefined && performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    onError(error);
  }

  function recover(): void {
    if (toldAt !== undefined) onRecovered?.();
    toldAt = undefined;
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      pause = new AbortController();
      await pTimeout(round(), { milliseconds: roundMaxMs }).then(recover, tell);
      await setTimeout(everyMs, undefined, { signal: pause.signal }).catch(() => undefined);
    }
  }
  return {
    hasten() {
      pause.abort();
    },
    async close() {
      isClosed = true;
      pause.abort();
      await running;
    },
  };
}
