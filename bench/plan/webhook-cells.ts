import type { Cell } from '../cells.ts';
import { measurePost, type PostingSide } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import type { BenchOptions } from '../options.ts';
import { webhookSide } from '../webhooks/side.ts';
import { walletCounts, withStage } from './common.ts';

/** Posting of a workspace without a webhook, with one whose events are sent later, and with one that is told meanwhile. */
export function webhookCells(options: BenchOptions): readonly Cell[] {
  const { orders, seed, workers, profile, warmUp: warmUpOrders } = options;
  const wallets = walletCounts(options, 'uniform');
  const cell = (name: string, against: readonly string[], sideOf: () => PostingSide): Cell => ({
    ...{ name, role: 'product', unit: 'orders', against },
    measure: withStage(wallets, (stage, run) =>
      measurePost(stage, sideOf(), { pattern: 'uniform', orders, wallets, seed: seed + run, warmUpOrders }),
    ),
  });
  const without = 'post, no webhook';
  return [
    cell(without, [], () => productSide(workers, profile)),
    cell('post, a webhook, told later', [without], () => webhookSide(workers, 'later', profile)),
    cell('post, a webhook, told meanwhile', [without], () => webhookSide(workers, 'meanwhile', profile)),
  ];
}
