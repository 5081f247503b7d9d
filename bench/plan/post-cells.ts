import { limitCountMax } from '../../src/domain/limits.ts';
import { timeOfId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { Cell } from '../cells.ts';
import type { Stage } from '../servers/stage.ts';
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

/** Posting of wallets with three limits each, which let all pass. */
export function postLimitsCell(options: BenchOptions): Cell {
  const cell = postCell(options, 'uniform');
  const { orders, seed, workers, profile } = options;
  const wallets = walletCounts(options, 'uniform');
  return {
    ...{ ...cell, name: `${cell.name}, three limits a wallet`, against: [cell.name] },
    measure: withStage(wallets, async (stage, run) => {
      await limitWallets(stage);
      const posted = { pattern: 'uniform', orders, wallets, seed: seed + run } as const;
      const beforeCheck = () => date(stage, (id) => timeOfId('wallet', id));
      return measurePost(stage, productSide(workers, profile), { ...posted, beforeCheck });
    }),
  };
}

/** As if their wallets were older than any window: so each window has to be looked for among the flows. */
async function limitWallets(stage: Stage): Promise<void> {
  const { collections, walletIds, workspaceId } = stage.world;
  await date(stage, () => new Date(0));
  const amount = new Money('1000000000');
  const limits = [
    { name: 'order', amount, window: 'order' },
    { name: 'day', amount, count: limitCountMax, window: { rolling: 'PT24H' } },
    { name: 'month', amount, window: { calendar: 'month', timeZone: 'Europe/Berlin' } },
  ] as const;
  await Promise.all(walletIds.map((id) => collections.wallets.change({ workspaceId, id, change: { limits } })));
}

/** Sets when the wallets were made. */
function date({ world: { db, walletIds } }: Stage, madeAt: (id: string) => Date) {
  const updates = walletIds.map((_id) => ({
    updateOne: { filter: { _id }, update: { $set: { createdAt: madeAt(_id) } } },
  }));
  return db.collection<{ _id: string; createdAt: Date }>('wallets').bulkWrite(updates);
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
