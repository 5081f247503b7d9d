import { LRUCache } from 'lru-cache';
import { FairShares, type ShareLimits } from './shares.ts';

export interface BulkheadLimits {
  /** Permits for work that is quick, as far as is known. */
  readonly permits: number;
  /** Further permits, for work that is slow: it has taken long already, or is of a key whose last work did. */
  readonly slowPermits: number;
  /**
   * How much slow work beyond that leaves the quick permits all the same, so that many keys that are slow for the first time keep
   * out nobody while they are found out. None where slow work costs what it waits for.
   */
  readonly overflow?: number;
  /**
   * How many permits one key may have at once, and no more than it leaves free, so that the last ones are for keys that have
   * few; as many as there are, if absent.
   */
  readonly permitsOfKey?: number;
  /** After which work is slow. */
  readonly slowAfterMs?: number;
  /** How much work may wait in {@link Bulkhead.run}; without a limit, if absent. */
  readonly waiting?: ShareLimits;
}

/** Gives a permit back. To be called exactly once. */
export type Release = () => void;

/** There was no place left to wait for a permit, or it went to a key that has fewer. Nothing was begun. */
export class BulkheadFullError extends Error {
  override name = 'BulkheadFullError';
}

/** A command of MongoDB takes milliseconds; what takes longer than this waits for a shard without a primary, or is a long list. */
const usualSlowAfterMs = 1_000;
/** Keys that are remembered as slow. One that is forgotten is found to be slow again by its next work. */
const slowKeysMax = 10_000;

/**
 * A limited number of permits, which keys (workspaces) share: one that hangs, or floods, keeps out nobody else for long.
 * - Who waits is served round robin by key, and a key's own in their order.
 * - Nobody knows beforehand what will be slow. So work begins with a quick permit, and gives it up for a slow one once it has
 *   taken long.
 */
export class Bulkhead {
  readonly #limits: BulkheadLimits;
  readonly #onRoom: () => void;
  readonly #slowKeys = new LRUCache<string, true>({ max: slowKeysMax });
  readonly #ofKey = new Map<string, number>();
  /** A map keeps the order in which its keys were added, which is the order in which they are served. */
  readonly #lines = new Map<string, ((release: Release) => void)[]>();
  readonly #places: FairShares | undefined;
  #quick = 0;
  #slow = 0;

  /** @param onRoom called when work has ended, or left its quick permit, and who waited was served. */
  constructor(limits: BulkheadLimits, onRoom: () => void = () => undefined) {
    this.#limits = limits;
    this.#onRoom = onRoom;
    this.#places = limits.waiting && new FairShares(limits.waiting);
  }

  /** Whether a key would get a permit at once. */
  isOpenTo(key: string): boolean {
    const { permits, slowPermits, permitsOfKey } = this.#limits;
    const own = this.#ofKey.get(key) ?? 0;
    if (permitsOfKey !== undefined && own > 0 && own >= Math.min(permitsOfKey, permits - this.#quick)) return false;
    return this.#slowKeys.has(key) ? this.#slow < slowPermits : this.#quick < permits;
  }

  /** Takes a permit. Only for a key that the bulkhead {@link isOpenTo}. */
  enter(key: string): Release {
    const { slowPermits, overflow = 0, slowAfterMs = usualSlowAfterMs } = this.#limits;
    let hasSlowPermit = this.#slowKeys.has(key);
    let isSlow = false;
    this.#count(key, 1);
    if (hasSlowPermit) this.#slow += 1;
    else this.#quick += 1;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#slowKeys.set(key, true);
      if (hasSlowPermit || this.#slow >= slowPermits + overflow) return;
      hasSlowPermit = true;
      this.#slow += 1;
      this.#quick -= 1;
      this.#serve();
    }, slowAfterMs).unref();
    return () => {
      clearTimeout(timer);
      this.#count(key, -1);
      if (hasSlowPermit) this.#slow -= 1;
      else this.#quick -= 1;
      if (!isSlow) this.#slowKeys.delete(key);
      this.#serve();
    };
  }

  /** Waits for a permit, however many others do. */
  async acquire(key: string): Promise<Release> {
    // Nobody who waits may enter now, or would have; so there is no need to look through the lines.
    if (this.isOpenTo(key)) return this.enter(key);
    return new Promise((resolve) => {
      this.#lineUp(key, resolve);
    });
  }

  /**
   * Does work with a permit, and gives that back when the work ends, whatever becomes of it.
   * @throws BulkheadFullError if as many wait as may, at once; or later, if its place goes to a key that has fewer.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release =
      this.#places === undefined || this.isOpenTo(key) ? this.acquire(key) : this.#wait(key, this.#places);
    const end = await release;
    try {
      return await work();
    } finally {
      end();
    }
  }

  #wait(key: string, places: FairShares): Promise<Release> {
    return new Promise((resolve, reject) => {
      const begin = (release: Release): void => {
        leave?.();
        resolve(release);
      };
      const leave = places.take(key, () => {
        this.#withdraw(key, begin);
        reject(new BulkheadFullError('its place went to another'));
      });
      if (leave === undefined) reject(new BulkheadFullError('as many wait as may'));
      else this.#lineUp(key, begin);
    });
  }

  #lineUp(key: string, begin: (release: Release) => void): void {
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, [begin]);
    else line.push(begin);
  }

  #withdraw(key: string, begin: (release: Release) => void): void {
    const rest = (this.#lines.get(key) ?? []).filter((other) => other !== begin);
    if (rest.length === 0) this.#lines.delete(key);
    else this.#lines.set(key, rest);
  }

  #serve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [key, line] = next;
      const begin = line.shift();
      // It was served: the others come first.
      this.#lines.delete(key);
      if (line.length > 0) this.#lines.set(key, line);
      begin?.(this.enter(key));
    }
    this.#onRoom();
  }

  #next(): [key: string, line: ((release: Release) => void)[]] | undefined {
    for (const entry of this.#lines) if (this.isOpenTo(entry[0])) return entry;
    return undefined;
  }

  #count(key: string, by: 1 | -1): void {
    const own = (this.#ofKey.get(key) ?? 0) + by;
    if (own === 0) this.#ofKey.delete(key);
    else this.#ofKey.set(key, own);
  }
}
