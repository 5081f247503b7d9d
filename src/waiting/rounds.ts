import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { Logger } from '../log.ts';
import { isOfServer } from '../errors.ts';

export type Rounds = ReturnType<typeof startRounds>;

interface RoundsOptions {
  /** From the end of a round to the start of the next. */
  readonly everyMs: number;
  /** Resolves to {@link idle} if it did not try what the rounds do, so that nobody knows whether it works. */
  readonly round: () => Promise<unknown>;
  /** A round that takes longer is abandoned: it counts as failed, and the next one begins. */
  readonly roundMaxMs: number;
  /** What the rounds do, and the log for failures; absent if failures show elsewhere. */
  readonly logged?: { readonly log: Logger; readonly what: string };
}

export const idle = Symbol('idle');

/**
 * Runs a round again and again until it is closed: one at a time, the first at once, and the next one even after a failure.
 * It logs each failure, of which the log leaves out most, and the first success after one that was not a server's.
 */
export function startRounds({ everyMs, round, roundMaxMs, logged }: RoundsOptions) {
  let isClosed = false;
  let pause = new AbortController();
  let failingSince: number | undefined;
  /** Whether it failed for more than that a server is away, which is told by whoever watches the servers. */
  let isOwnFault = false;
  const first = Promise.withResolvers<undefined>();
  const running = run();

  function fail(err: unknown): void {
    failingSince ??= performance.now();
    isOwnFault ||= !isOfServer(err);
    logged?.log.warn({ work: logged.what, err }, `${logged.what} failed; tried again`);
  }

  function recover(done: unknown): void {
    if (done === idle) return;
    if (failingSince !== undefined && isOwnFault && logged !== undefined) {
      const awayMs = Math.round(performance.now() - failingSince);
      logged.log.warn({ event: 'recovered', work: logged.what, awayMs }, `${logged.what} works again`);
    }
    failingSince = undefined;
    isOwnFault = false;
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
    runNow(): void {
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
