import { setTimeout as delay } from 'node:timers/promises';

/** Waits for something that a trap or a process says; throws after the time given. */
export async function within<T>(promise: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} did not happen within ${timeoutMs} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}
