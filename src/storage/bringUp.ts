import pRetry from 'p-retry';
import type { Logger } from '../log.ts';
import { isTransientFault } from './transaction.ts';

const backoffMinMs = 250;
const backoffMaxMs = 5_000;

/**
 * Runs a step of a process's start; where MongoDB goes away in the middle of it, runs it again with backoff until
 * `signal` aborts. The step must be safe to repeat. @throws the signal's reason, or what MongoDB has against the step itself.
 */
export async function bringUp<T>(step: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  return pRetry(step, {
    retries: Infinity,
    minTimeout: backoffMinMs,
    maxTimeout: backoffMaxMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => isTransientFault(error),
    onFailedAttempt: ({ error, attemptNumber }) => {
      log.warn({ attempt: attemptNumber, reason: error.message }, 'a step of the start failed');
    },
  });
}
