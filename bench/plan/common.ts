import type { Cell } from '../cells.ts';
import type { PatternName, WalletCounts } from '../load/patterns.ts';
import type { Measured } from '../measure/measured.ts';
import type { BenchOptions } from '../options.ts';
import type { Servers } from '../servers/servers.ts';
import { openStage, type Stage } from '../servers/stage.ts';

/** One wallet without money to so many with. */
const fundedPerUnfunded = 10;

export function walletCounts({ wallets }: BenchOptions, pattern: PatternName): WalletCounts {
  return { funded: wallets, unfunded: pattern === 'unfunded' ? Math.ceil(wallets / fundedPerUnfunded) : 0 };
}

/** Measures in a database of its own, which is gone afterwards. */
export function withStage(
  wallets: WalletCounts,
  measure: (stage: Stage, run: number) => Promise<Measured>,
): Cell['measure'] {
  return async (servers: Servers, run: number) => {
    const stage = await openStage(servers, wallets);
    try {
      return await measure(stage, run);
    } finally {
      await stage.close();
    }
  };
}

/** Tries each once, when first asked. @returns the one with the highest rate. */
export function bestOf(tried: readonly number[], measure: (value: number) => Promise<Measured>): () => Promise<number> {
  let found: Promise<number> | undefined;
  const find = async (): Promise<number> => {
    let best = { value: tried[0] ?? 1, perSecond: 0 };
    if (tried.length === 1) return best.value;
    for (const value of tried) {
      const { perSecond } = await measure(value);
      if (perSecond > best.perSecond) best = { value, perSecond };
    }
    return best.value;
  };
  return () => (found ??= find());
}
