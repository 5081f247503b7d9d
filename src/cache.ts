import { LRUCache } from 'lru-cache';

/** Remembers what was read lately. No entry is older than `ttlMs`; beyond `max` entries, the least recently used go. */
export function createFreshCache<Value extends object | symbol>({ max, ttlMs }: { max: number; ttlMs: number }) {
  const cache = new LRUCache<string, Value>({ max, ttl: ttlMs, perf: performance });
  let generation = 0;
  return {
    /** Undefined if the key was not read within `ttlMs`. */
    get: (key: string): Value | undefined => cache.get(key),
    /**
     * Call it before a read begins, because the value's age counts from then. The function that it returns keeps what the
     * read found, unless something was forgotten meanwhile: the read may have missed the change that was the reason.
     */
    begin() {
      const start = performance.now();
      const startedIn = generation;
      return (key: string, value: Value): void => {
        if (generation === startedIn) cache.set(key, value, { start });
      };
    },
    /** Forgets one key, or all. */
    forget: (key?: string): void => {
      generation += 1;
      if (key === undefined) cache.clear();
      else cache.delete(key);
    },
  };
}

/**
 * Reads a value at most once in `ttlMs`, however many callers ask. Callers that arrive during a read share its result. A
 * failure is shared too, but not remembered.
 */
export function createSharedRead<Value extends object | string | number>(
  read: () => Promise<Value>,
  ttlMs: number,
): () => Promise<Value> {
  const cache = new LRUCache<'value', Value>({ max: 1, ttl: ttlMs, perf: performance, fetchMethod: read });
  return () => cache.forceFetch('value');
}
