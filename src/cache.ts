import { LRUCache } from 'lru-cache';

/** Remembers what was read lately. No entry is older than `ttlMs`; beyond `max` entries, the least recently used go. */
export class FreshCache<Value extends object | symbol> {
  readonly #values: LRUCache<string, Value>;
  /** How often something was forgotten. */
  #generation = 0;

  constructor({ max, ttlMs }: { max: number; ttlMs: number }) {
    this.#values = new LRUCache({ max, ttl: ttlMs, perf: performance });
  }

  /** Undefined if the key was not read within `ttlMs`. */
  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /**
   * Call it before a read begins, because the value's age counts from then. The function that it returns keeps what was read,
   * unless something was forgotten meanwhile: the read may have missed the change that was the reason.
   */
  begin(): (key: string, value: Value) => void {
    const start = performance.now();
    const startedIn = this.#generation;
    return (key, value) => {
      if (this.#generation === startedIn) this.#values.set(key, value, { start });
    };
  }

  /** Forgets one key, or all. */
  forget(key?: string): void {
    this.#generation += 1;
    if (key === undefined) this.#values.clear();
    else this.#values.delete(key);
  }
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
