import pRetry from 'p-retry';
import type { Logger } from './log.ts';

interface RetryOptions {
  readonly shouldRetry: (error: Error) => boolean;
  /** What the log says of each attempt that failed and is repeated, beside its reason. */
  readonly message: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const backoffMinMs = 250;
const backoffMaxMs = 5_000;

/**
 * Runs a step of a process's start, again and again with backoff, until it succeeds. The step must be safe to repeat.
 * @throws the signal's reason, or an error that is not to be retried.
 */
export async function retryUntil<T>(step: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { shouldRetry, message, log, signal } = options;
  return pRetry(step, {
    retries: Infinity,
    minTimeout: backoffMinMs,
    maxTimeout: backoffMaxMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => shouldRetry(error),
    onFailedAttempt: ({ error, attemptNumber }) => {
      if (shouldRetry(error)) log.warn({ attempt: attemptNumber, reason: error.message }, message);
    },
  });
}
