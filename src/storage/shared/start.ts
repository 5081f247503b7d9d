import pRetry from 'p-retry';
import type { Logger } from '../../log.ts';
import { isTransientFault } from './transaction.ts';

const backoffMinMs = 250;
const backoffMaxMs = 5_000;

/**
 * Runs a step of a process's start, again and again with backoff, until it succeeds or `signal` aborts. The step must be safe
 * to repeat.
 * @param message what the log says of each attempt that failed and is repeated, beside its reason.
 * @throws the signal's reason, or an error that is not to be retried.
 */
export async function retryUntil<T>(
  step: () => Promise<T>,
  { shouldRetry, message }: { readonly shouldRetry: (error: Error) => boolean; readonly message: string },
  log: Logger,
  signal: AbortSignal,
): Promise<T> {
  return pRetry(step, {
    retries: Infinity,
    minTimeout: backoffMinMs,
    maxTimeout: backoffMaxMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => shouldRetry(error),
    onFailedAttempt: ({ error, attemptNumber }) => {
      if (shouldRetry(error)) log.warn({ server: 'mongodb', attempt: attemptNumber, reason: error.message }, message);
    },
  });
}

/** {@link retryUntil} of a step that is run again if MongoDB goes away meanwhile. */
export async function bringUp<T>(step: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  return retryUntil(step, { shouldRetry: isTransientFault, message: 'a step of the start failed' }, log, signal);
}
