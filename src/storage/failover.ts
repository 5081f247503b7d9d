import pRetry from 'p-retry';
import { ServiceError } from '../errors.ts';
import { serverSelectionTimeoutMs } from './connection.ts';
import { isTransientFault } from './transaction.ts';

/**
 * Does a request's work with MongoDB, and repeats it while the servers are at fault. So an election costs the client time,
 * not an error. The work must be safe to repeat.
 * @param leftMs until the request has to be answered. No attempt begins with less than {@link attemptMinMs} left.
 * @throws ServiceError UNAVAILABLE, before the work begins, if as many others are under way as may be; otherwise the error
 * of the last attempt.
 */
export type ThroughFailover = <T>(work: () => Promise<T>, leftMs: () => number) => Promise<T>;

/** From the first failure. Longer than an election usually takes; clients get an error if it takes longer. */
export const failoverMaxMs = 10_000;
/** Time for an attempt to look for a primary, and a moment more. With less left, it would end too late to answer. */
export const attemptMinMs = serverSelectionTimeoutMs + 1_000;
/** Requests that wait for MongoDB in one process, at some 10 kB each; further ones are refused at once. */
export const waitingMax = 2_048;
const backoffMinMs = 50;
const backoffMaxMs = 500;
const retryAfterSeconds = 1;

/** One for each process, because all its requests share the limit. @param max how many may be under way at once. */
export function createThroughFailover(max = waitingMax): ThroughFailover {
  let waiting = 0;
  return async (work, leftMs) => {
    if (waiting >= max) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds });
    waiting += 1;
    try {
      return await work();
    } catch (error) {
      return await goOn(Promise.reject(error as Error), work, leftMs);
    } finally {
      waiting -= 1;
    }
  };
}

/** The attempts after the first. Nearly every request succeeds at once, and is spared the making of this. */
function goOn<T>(first: Promise<T>, work: () => Promise<T>, leftMs: () => number): Promise<T> {
  return pRetry((attempt) => (attempt === 1 ? first : work()), {
    retries: Infinity,
    minTimeout: backoffMinMs,
    maxTimeout: backoffMaxMs,
    maxRetryTime: failoverMaxMs,
    randomize: true,
    shouldRetry: ({ error }) => isTransientFault(error) && leftMs() >= attemptMinMs,
  });
}
