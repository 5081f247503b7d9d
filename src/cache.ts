import { LRUCache } from 'lru-cache';

/** What was read lately: no entry is older than `ttlMs`, and beyond `max` those go that were not asked for the longest. */
export function createFreshCache<Value extends object | symbol>({ max, ttlMs }: { max: number; ttlMs: number }) {
  const cache = new LRUCache<string, Value>({ max, ttl: ttlMs, perf: performance });
  let generation = 0;
  return {
    /** Undefined where nothing was read, or only longer ago. */
    get: (key: string): Value | undefined => cache.get(key),
    /**
     * To be called before a read begins, for that is when its age counts from. What the read finds is kept by the function
     * returned, unless everything was forgotten in between: then the read may have missed why.
     */
    begin() {
      const start = performance.now();
      const startedIn = generation;
      return (key: string, value: Value): void => {
        if (generation === startedIn) cache.set(key, value, { start });
      };
    },
    forget: (): void => {
      generation += 1;
      cache.clear();
    },
  };
}

/**
 * A value that costs a query, asked for at most once in `ttlMs` however many ask: who comes while it is on its way shares
 * the answer. A failure is shared too, and not remembered.
 */
export function createSharedRead<Value extends object | string | number>(
  read: () => Promise<Value>,
  ttlMs: number,
): () => Promise<Value> {
  const cache = new LRUCache<'value', Value>({ max: 1, ttl: ttlMs, perf: performance, fetchMethod: read });
  return () => cache.forceFetch('value');
}
