export interface ShareLimits {
  /** How many places there are. */
  readonly max: number;
  /** How many of them one key may hold, even if nobody else wants one. */
  readonly ofKeyMax: number;
  /**
   * Who has held a place for longer loses it to a key that has none, if nobody has more than one. So places that hang, however
   * many keys hold them, keep out nobody. If absent, a place is kept.
   */
  readonly heldMaxMs?: number;
}

/** Gives a place back. Does nothing once the place was lost. */
export type Leave = () => void;

interface PlaceHolder {
  readonly key: string;
  readonly since: number;
  /** Forgotten once the place is free: V8 chains a set's former tables, and those that grew old keep alive what they hold. */
  onLost: (() => void) | undefined;
}

/**
 * A limited number of places, which keys (workspaces) share. If all are taken, a key may take one from the key that has most, if
 * that has more than it would then have itself; the newest holder there has to go. So each of `k` keys that want places gets
 * `max / k` of them, rounded down, however many the others took before. One that is alone may have `ofKeyMax`.
 */
export class FairShares {
  readonly #limits: ShareLimits;
  /** All holders, in the order in which they came. */
  readonly #holders = new Set<PlaceHolder>();
  readonly #ofKey = new Map<string, Set<PlaceHolder>>();
  /** The keys that hold one place, two, and so on; the last ones hold most, and are found without a search. */
  readonly #keysBySize: Set<string>[] = [];

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place. @param onLost called if the place is lost to another key.
   * @returns undefined if the key may have no further place now.
   */
  take(key: string, onLost: () => void): Leave | undefined {
    const own = this.#ofKey.get(key)?.size ?? 0;
    if (own >= this.#limits.ofKeyMax) return undefined;
    if (this.#holders.size >= this.#limits.max) {
      const loser = this.#loserTo(own);
      if (loser === undefined) return undefined;
      const { onLost: tell } = loser;
      this.#remove(loser);
      tell?.();
    }
    const holder = { key, since: performance.now(), onLost };
    this.#add(holder);
    return () => {
      this.#remove(holder);
    };
  }

  /** Who has to go for a key that holds `own`. */
  #loserTo(own: number): PlaceHolder | undefined {
    const [most = ''] = this.#keysBySize.at(-1) ?? [];
    const ofMost = [...(this.#ofKey.get(most) ?? [])];
    if (ofMost.length > own + 1) return ofMost.at(-1);
    const [oldest] = this.#holders;
    const { heldMaxMs = Infinity } = this.#limits;
    return own === 0 && oldest !== undefined && performance.now() - oldest.since > heldMaxMs ? oldest : undefined;
  }

  #add(holder: PlaceHolder): void {
    const { key } = holder;
    // Looked up now: who was pushed out may have taken or left a place meanwhile.
    const own = this.#ofKey.get(key) ?? new Set();
    this.#ofKey.set(key, own.add(holder));
    this.#holders.add(holder);
    this.#resize(key, own.size - 1, own.size);
  }

  #remove(holder: PlaceHolder): void {
    if (!this.#holders.delete(holder)) return;
    holder.onLost = undefined;
    const own = this.#ofKey.get(holder.key);
    own?.delete(holder);
    const left = own?.size ?? 0;
    if (left === 0) this.#ofKey.delete(holder.key);
    this.#resize(holder.key, left + 1, left);
  }

  #resize(key: string, from: number, to: number): void {
    this.#keysBySize[from - 1]?.delete(key);
    if (to > 0) (this.#keysBySize[to - 1] ??= new Set()).add(key);
    while (this.#keysBySize.at(-1)?.size === 0) this.#keysBySize.pop();
  }
}
