import { ServiceError } from '../errors.ts';

/** The time in which a request is to be answered. */
export interface AnswerTime {
  /** Milliseconds until it is over. */
  readonly leftMs: () => number;
  /** Stops the clock while the client still sends, which has a limit of its own. */
  readonly pausedDuring: <T>(receiving: Promise<T>) => Promise<T>;
}

/**
 * Does some work within `limitMs`. The time runs, is paused while the client sends, and is over once the work is done or the
 * limit is reached. Work that takes longer goes on, but its result is not used.
 * @throws ServiceError ANSWER_TOO_LATE the limit is reached.
 */
export function inAnswerTime<T>(limitMs: number, work: (time: AnswerTime) => Promise<T>): Promise<T> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<T>();
  let endsAt = performance.now() + limitMs;
  let isPaused = false;
  const leftMs = (): number => endsAt - performance.now();
  // Nearly every request needs only this one timer. All have the same length, and Node keeps those in one list.
  let timer: NodeJS.Timeout | undefined = setTimeout(checkTime, limitMs);

  function checkTime(): void {
    timer = undefined;
    if (isPaused) return;
    if (leftMs() > 0) timer = setTimeout(checkTime, Math.ceil(leftMs()));
    else reject(new ServiceError('ANSWER_TOO_LATE'));
  }

  async function pausedDuring<R>(receiving: Promise<R>): Promise<R> {
    const since = performance.now();
    isPaused = true;
    try {
      return await receiving;
    } finally {
      isPaused = false;
      endsAt += performance.now() - since;
      if (timer === undefined) checkTime();
    }
  }

  void work({ leftMs, pausedDuring })
    .then(resolve, reject)
    .then(() => {
      clearTimeout(timer);
    });
  return answer;
}
