import type { Random } from '../../bench/load/random.ts';
import { heldBy, type Asked, type Leg, type LegModel, type Order } from './legs.ts';

/* Orders with legs, at random: most can be posted, and some cannot. */

/** By code: how many decimals it has. */
export const decimals: Readonly<Record<string, number>> = { JPY: 0, USD: 2, BTC: 8 };
export const legsMax = 100;
/** An amount has no more digits than that. */
const digitsMax = 30;

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

const below = (random: Random, count: number): number => Math.floor(random() * count);

function digits(random: Random, count: number): bigint {
  const text = Array.from({ length: count }, () => below(random, 10)).join('');
  return BigInt(text) + 1n;
}

function countOf(random: Random): number {
  const kind = random();
  if (kind < 0.25) return 1;
  if (kind < 0.93) return 2 + below(random, 3);
  return kind < 0.99 ? 5 + below(random, 16) : 21 + below(random, legsMax - 20);
}

/** What wallets have left, while legs are drawn that go on from there. */
class Purse {
  readonly #model: LegModel;
  readonly #left = new Map<string, bigint>();

  constructor(model: LegModel) {
    this.#model = model;
  }

  left(name: string): bigint {
    const { balance, held } = this.#model.wallet(name);
    return this.#left.get(name) ?? balance - held;
  }

  move({ source, target, amount }: Leg): void {
    this.#left.set(source, this.left(source) - amount);
    this.#left.set(target, this.left(target) + amount);
  }
}

export class Drawer {
  readonly #random: Random;
  readonly #model: LegModel;
  /** The wallets of each currency: the world outside, then usual ones, then one that is frozen. */
  readonly #wallets: Readonly<Record<string, readonly string[]>>;

  constructor(random: Random, model: LegModel, wallets: Readonly<Record<string, readonly string[]>>) {
    this.#random = random;
    this.#model = model;
    this.#wallets = wallets;
  }

  /** @param usable orders that may be referred to. */
  draw(usable: readonly string[]): Asked {
    const random = this.#random;
    if (random() < 0.6 || usable.length === 0) return { type: 'JOURNAL', legs: this.#legs(countOf(random)) };
    if (random() < 0.35) return this.#plain();
    const held = usable.filter((id) => this.#model.order(id).type === 'HOLD' && heldBy(this.#model.order(id)) > 0n);
    const of = pick(random, held.length > 0 && random() < 0.6 ? held : usable);
    const parent = this.#model.order(of);
    return parent.type === 'HOLD' ? this.#useOf(of, parent) : this.#reversalOf(of, parent);
  }

  #plain(): Asked {
    const random = this.#random;
    const type = pick(random, ['TRANSFER', 'DEPOSIT', 'WITHDRAWAL', 'HOLD', 'HOLD', 'HOLD'] as const);
    const [currency, [world = '', ...own]] = pick(random, Object.entries(this.#wallets));
    const known = random() < 0.05 ? own : own.slice(0, -1);
    const [source = '', target = ''] = known.toSorted(() => random() - 0.5);
    const isOut = type === 'WITHDRAWAL' || (type === 'HOLD' && random() < 0.2);
    const sides = { source: type === 'DEPOSIT' ? world : source, target: isOut ? world : target };
    return { type, leg: { ...sides, currency, amount: this.#amount(new Purse(this.#model), sides.source, true) } };
  }

  #legs(count: number): Leg[] {
    const random = this.#random;
    const purse = new Purse(this.#model);
    const isCareful = random() < 0.8;
    const legs: Leg[] = [];
    while (legs.length < count) {
      const last = legs.at(-1);
      if (last !== undefined && random() < 0.1) legs.push(last);
      else {
        const [currency, names] = pick(random, Object.entries(this.#wallets));
        // A frozen one is the last, and rare.
        const known = random() < 0.005 ? names : names.slice(0, -1);
        const source = last?.currency === currency && random() < 0.3 ? last.target : pick(random, known);
        const target = pick(
          random,
          known.filter((name) => name !== source),
        );
        legs.push({ source, target, currency, amount: this.#amount(purse, source, isCareful) });
      }
      purse.move(legs.at(-1)!);
    }
    return legs;
  }

  #amount(purse: Purse, source: string, isCareful: boolean): bigint {
    const random = this.#random;
    const { kind } = this.#model.wallet(source);
    const left = purse.left(source);
    const any = digits(random, random() < 0.6 ? 1 + below(random, 6) : 1 + below(random, digitsMax - 1));
    if (kind !== 'USUAL' || (!isCareful && random() < 0.1) || left <= 0n) return any;
    if (random() < 0.1) return capped(left);
    return capped(any > left ? 1n + (any % left) : any);
  }

  #useOf(of: string, hold: Order): Asked {
    const random = this.#random;
    const rest = heldBy(hold);
    const amount = random() < 0.4 || rest === 0n ? {} : { amount: this.#part(rest) };
    const kind = random();
    if (kind < 0.25) return { type: 'RELEASE', of, ...amount };
    const capture = { type: 'CAPTURE', of, isFinal: random() < 0.4 } as const;
    if (kind < 0.45) return { ...capture, ...amount };
    const { source, currency } = hold.legs[0]!;
    const names = this.#wallets[currency]!.slice(1).filter((name) => name !== source);
    let left = rest;
    const legs = Array.from({ length: Math.min(countOf(random), 40) }, () => {
      const known = random() < 0.02 ? names : names.slice(0, -1);
      const part = this.#part(left > 0n ? left : 1n);
      left -= part;
      return { amount: part, ...(random() < 0.3 ? {} : { target: pick(random, known) }) };
    });
    return { ...capture, legs };
  }

  #reversalOf(of: string, parent: Order): Asked {
    const random = this.#random;
    const left = parent.legs.map(({ amount }, place) => amount - parent.reversed[place]!);
    const partOf = (leg: number) => (random() < 0.4 || left[leg] === 0n ? {} : { amount: this.#part(left[leg]!) });
    if (!parent.hasLegs) return { type: 'REVERSAL', of, ...partOf(0) };
    if (random() < 0.4) return { type: 'REVERSAL', of };
    const places = [...left.keys()].filter((leg) => random() < 0.6 && (left[leg]! > 0n || random() < 0.02));
    const named = places.length === 0 ? [0] : places.toSorted(() => random() - 0.5);
    return { type: 'REVERSAL', of, legs: named.map((leg) => ({ leg, ...partOf(leg) })) };
  }

  /** Of what is left, now and then a little more. */
  #part(left: bigint): bigint {
    const random = this.#random;
    if (random() < 0.03) return capped(left + 1n);
    return capped(random() < 0.3 ? left : 1n + (digits(random, digitsMax - 1) % left));
  }
}

function capped(amount: bigint): bigint {
  const most = 10n ** BigInt(digitsMax) - 1n;
  return amount > most ? most : amount;
}
