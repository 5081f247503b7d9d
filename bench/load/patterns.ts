import type { Random } from './random.ts';
import { createZipf } from './zipf.ts';

/** Wallets of one transfer, by their place in the list of wallets; those from `funded` on have no money. */
export interface Pair {
  readonly source: number;
  readonly target: number;
}

export interface WalletCounts {
  /** Wallets with plenty of money. */
  readonly funded: number;
  /** Wallets without any; nothing is ever sent to them. */
  readonly unfunded: number;
}

export type PatternName = keyof typeof patterns;

/** One transfer in this many comes from a wallet without funds, in the pattern of that name. */
const unfundedEvery = 20;
const zipfExponent = 1;

type NextPair = (index: number) => Pair;

/** Who pays whom. */
export const patterns = {
  uniform: {
    about: 'every wallet as often as every other',
    create: ({ funded }: WalletCounts, random: Random): NextPair => uniformPairs(funded, random),
  },
  zipf: {
    about: `few wallets in most transfers (Zipf, exponent ${zipfExponent.toFixed(1)})`,
    create: ({ funded }: WalletCounts, random: Random): NextPair => {
      const draw = createZipf(funded, zipfExponent, random);
      return () => apart(draw(), draw(), funded);
    },
  },
  'hot-target': {
    about: 'one wallet receives every transfer',
    create: ({ funded }: WalletCounts, random: Random): NextPair => {
      return () => ({ source: 1 + below(funded - 1, random), target: 0 });
    },
  },
  'hot-source': {
    about: 'one wallet pays every transfer',
    create: ({ funded }: WalletCounts, random: Random): NextPair => {
      return () => ({ source: 0, target: 1 + below(funded - 1, random) });
    },
  },
  ab: {
    about: 'two wallets pay each other by turns',
    create: (): NextPair => (index) => (index % 2 === 0 ? { source: 0, target: 1 } : { source: 1, target: 0 }),
  },
  unfunded: {
    about: `as uniform, but one transfer in ${unfundedEvery} comes from a wallet without funds`,
    create: ({ funded, unfunded }: WalletCounts, random: Random): NextPair => {
      const nextUniform = uniformPairs(funded, random);
      return (index) => {
        const pair = nextUniform(index);
        return isUnfundedTurn(index) ? { ...pair, source: funded + below(unfunded, random) } : pair;
      };
    },
  },
} as const;

/** Whether a pattern's transfer of this index has to end FAILED. */
export function expectsFailure(name: PatternName, index: number): boolean {
  return name === 'unfunded' && isUnfundedTurn(index);
}

function isUnfundedTurn(index: number): boolean {
  return index % unfundedEvery === unfundedEvery - 1;
}

function uniformPairs(count: number, random: Random): NextPair {
  return () => apart(below(count, random), below(count, random), count);
}

function below(count: number, random: Random): number {
  return Math.floor(random() * count);
}

/** Source and target differ in every order. */
function apart(source: number, target: number, count: number): Pair {
  return { source, target: source === target ? (target + 1) % count : target };
}
