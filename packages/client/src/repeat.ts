import { ApiError, ConnectionError, UnexpectedAnswerError, type ClientError } from './errors.ts';

const backoffBaseMs = 250;
const backoffMaxMs = 8_000;
/** Who is asked to wait longer is told so, instead of standing still. */
const retryAfterMaxSeconds = 60;
/** Answers of what stands before the service, or of the service, that a later try may not get. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * How long to wait before a request is sent again: the server's Retry-After, and full jitter on a doubling time above it, so
 * that those who failed together do not come back together. Undefined where a repetition would not help, or may do a thing twice.
 * Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 * @param attempt 1 after the first try.
 * @param isRepeatable whether doing it twice is as good as once; if not, only what surely was not done is repeated.
 */
export function pauseBefore(error: unknown, attempt: number, isRepeatable: boolean): number | undefined {
  if (!isPassing(error, isRepeatable)) return undefined;
  const retryAfterSeconds = (error as { retryAfterSeconds?: number }).retryAfterSeconds ?? 0;
  if (retryAfterSeconds > retryAfterMaxSeconds) return undefined;
  return retryAfterSeconds * 1000 + Math.random() * Math.min(backoffMaxMs, backoffBaseMs * 2 ** attempt);
}

function isPassing(error: unknown, isRepeatable: boolean): error is ClientError {
  if (error instanceof ApiError && error.status === 429) return true;
  if (!isRepeatable) return false;
  if (error instanceof ConnectionError) return true;
  // A proxy or browser may send the same bytes twice: a new nonce mends that.
  if (error instanceof ApiError && error.reason === 'NONCE_REUSED') return true;
  return (error instanceof ApiError || error instanceof UnexpectedAnswerError) && passing.has(error.status);
}

/** Resolves after `ms`; an aborted signal rejects with its reason, at once. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
