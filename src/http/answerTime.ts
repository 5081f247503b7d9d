import { ServiceError } from '../errors.ts';

/** The time in which a request is to be answered. */
export interface AnswerTime {
  /** Milliseconds until it is over. */
  readonly leftMs: () => number;
  /** It stands still meanwhile: for what the client still sends, which has a limit of its own. */
  readonly standStill: <T>(receiving: Promise<T>) => Promise<T>;
}

const retryAfterSeconds = 1;

/**
 * Does some work in so many milliseconds; what takes longer is left to itself.
 * @throws ServiceError UNAVAILABLE the time is over.
 */
export async function inAnswerTime<T>(limitMs: number, work: (time: AnswerTime) => Promise<T>): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = (): void => {
    reject(new ServiceError('UNAVAILABLE', { retryAfterSeconds }));
  };
  let endsAt = performance.now() + limitMs;
  let timer = setTimeout(end, limitMs);
  const time: AnswerTime = {
    leftMs: () => endsAt - performance.now(),
    async standStill(receiving) {
      clearTimeout(timer);
      const leftMs = time.leftMs();
      try {
        return await receiving;
      } finally {
        endsAt = performance.now() + leftMs;
        timer = setTimeout(end, leftMs);
      }
    },
  };
  try {
    return await Promise.race([work(time), over]);
  } finally {
    clearTimeout(timer);
  }
}
