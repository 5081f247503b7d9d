import type { Logger } from '../../log.ts';
import { retryUntil } from '../../retry.ts';
import { isTransientFault } from './transaction.ts';

/**
 * Runs a step of a process's start. If MongoDB goes away meanwhile, runs it again with backoff until `signal` aborts. The
 * step must be safe to repeat. @throws the signal's reason, or an error that is not due to MongoDB being away.
 */
export async function bringUp<T>(step: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  return retryUntil(step, { shouldRetry: isTransientFault, message: 'a step of the start failed', log, signal });
}
