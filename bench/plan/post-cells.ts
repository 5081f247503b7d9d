import type { Cell } from '../cells.ts';
import type { PatternName } from '../load/patterns.ts';
import { measurePost } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import type { BenchOptions } from '../options.ts';
import { walletCounts, withStage } from './common.ts';
import { insertManyName, naivePostName } from './names.ts';

/** Posting orders of many legs, beside transfers. */
export function postLegsCell(options: BenchOptions, legs: number): Cell {
  const cell = postCell(options, 'uniform');
  const { orders, seed, workers, profile } = options;
  const wallets = walletCounts(options, 'uniform');
  return {
    ...{ ...cell, name: `${cell.name}, ${legs} legs an order`, against: [cell.name] },
    measure: withStage(wallets, (stage, run) =>
      measurePost(stage, productSide(workers, profile), {
        ...{ pattern: 'uniform', legs, orders: Math.ceil(orders / legs), wallets, seed: seed + run },
      }),
    ),
  };
}

/** Posting by the product's workers. @param alsoAgainst further cells that it is compared with. */
export function postCell(options: BenchOptions, pattern: PatternName, alsoAgainst: readonly string[] = []): Cell {
  const { orders, seed, workers, profile } = options;
  const wallets = walletCounts(options, pattern);
  return {
    name: `post, ${pattern}${workers === 1 ? '' : `, ${workers} workers`}`,
    role: 'product',
    unit: 'orders',
    against: [naivePostName(pattern), insertManyName, ...alsoAgainst],
    measure: withStage(wallets, (stage, run) =>
      measurePost(stage, productSide(workers, profile), { pattern, orders, wallets, seed: seed + run }),
    ),
  };
}
