import pRetry from 'p-retry';
import { ServiceError } from '../errors.ts';
import { serverSelectionTimeoutMs } from './connection.ts';
import { isTransientFault } from './transaction.ts';

/**
 * Does some work of a request with MongoDB, again and again while it fails for the servers' sake, so that an election costs
 * the client time and not an error. The work must be safe to repeat.
 * @param leftMs until the request is to be answered. No attempt begins with less than {@link attemptMinMs} left.
 * @throws ServiceError UNAVAILABLE, before the work begins, where {@link waitingMax} others are under way; else what the
 * last attempt failed with.
 */
export type ThroughFailover = <T>(work: () => Promise<T>, leftMs: () => number) => Promise<T>;

/** From the first failure: longer than a replica set usually takes to elect a primary; what lasts longer is told to clients. */
export const failoverMaxMs = 10_000;
/** An attempt may look for a primary for so long, and needs a moment after that: what is sent later has no reader left. */
export const attemptMinMs = serverSelectionTimeoutMs + 1_000;
/** Requests that wait for MongoDB in one process, at some 10 kB each; further ones are refused at once. */
export const waitingMax = 2_048;
const backoffMinMs = 50;
const backoffMaxMs = 500;
const retryAfterSeconds = 1;

/** Of one process: all its requests share the bound. */
export function createThroughFailover(): ThroughFailover {
  let waiting = 0;
  return async (work, leftMs) => {
    if (waiting >= waitingMax) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds });
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

/** Attempts that follow one that failed: nearly every request has none, and makes nothing for them. */
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
