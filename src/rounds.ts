import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { Logger } from './log.ts';

export type Rounds = ReturnType<typeof startRounds>;

interface RoundsOptions {
  /** From the end of a round to the start of the next. */
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  /** A round that takes longer is abandoned: it counts as failed, and the next one begins. */
  readonly roundMaxMs: number;
  /** What the rounds do, and the log for failures; absent if failures show elsewhere. */
  readonly logged?: { readonly log: Logger; readonly what: string };
}

/**
 * Runs a round again and again until it is closed: one at a time, the first at once, and the next one even after a failure.
 * It logs each failure, which the log limits to a few lines, and the first success after one.
 */
export function startRounds({ everyMs, round, roundMaxMs, logged }: RoundsOptions) {
  let isClosed = false;
  let pause = new AbortController();
  let isFailing = false;
  const first = Promise.withResolvers<undefined>();
  const running = run();

  function fail(err: unknown): void {
    isFailing = true;
    logged?.log.warn({ err }, `${logged.what} failed; tried again`);
  }

  function recover(): void {
    if (isFailing) logged?.log.info(`${logged.what} works again`);
    isFailing = false;
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      pause = new AbortController();
      await pTimeout(round(), { milliseconds: roundMaxMs }).then(recover, fail);
      first.resolve(undefined);
      await setTimeout(everyMs, undefined, { signal: pause.signal }).catch(() => undefined);
    }
  }
  return {
    /** Resolves once the first round has ended, well or not. */
    first: first.promise,
    /** Begins the next round now, or as soon as the one under way has ended. */
    hasten(): void {
      pause.abort();
    },
    /** Stops; resolves once a round under way has ended. */
    async close(): Promise<void> {
      isClosed = true;
      pause.abort();
      await running;
    },
  };
}
