import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 10_000;
const INTERVAL_MS = 20;

/**
 * Tries until `condition` gives something other than false, null or undefined, and returns that. What it throws
 * counts as "not yet", and is the cause of the error when the time is up.
 */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { timeoutMs = TIMEOUT_MS, intervalMs = INTERVAL_MS, what = 'The condition' } = {},
): Promise<NonNullable<Exclude<Value, false>>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      cause = undefined;
      if (value !== false && value !== null && value !== undefined) return value as NonNullable<Exclude<Value, false>>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms.`, { cause });
    await delay(intervalMs);
  }
}
