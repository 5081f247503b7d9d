/**
 * A value that costs a query, asked for at most once in `ttlMs` however many ask: who comes while it is on its way shares
 * the answer. A failure is shared too, and not remembered.
 */
export function cached<T>(read: () => Promise<T>, ttlMs: number): () => Promise<T> {
  let current: Promise<T> | undefined;
  let staleAt = 0;
  return () => {
    if (current !== undefined && performance.now() < staleAt) return current;
    const reading = read();
    current = reading;
    staleAt = Infinity;
    reading.then(
      () => {
        staleAt = performance.now() + ttlMs;
      },
      () => {
        current = undefined;
      },
    );
    return reading;
  };
}
