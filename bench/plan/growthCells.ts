import type { Cell } from '../cells.ts';
import type { Measured } from '../measure/measured.ts';
import { measurePost } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import { measureRequests } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import { openStage } from '../servers/stage.ts';
import type { Stage } from '../servers/stage.ts';
import { walletCounts } from './common.ts';
import { someOrderIds } from './requestCells.ts';
import { requestOptions } from './requestOptions.ts';

/** Orders that are posted in one go to fill the books. */
const fillOrdersMax = 20_000;
const readableOrders = 2_000;

interface Growing {
  readonly stage: Stage;
  /** Orders posted so far, those that funded the wallets not counted. */
  completed: number;
}

/**
 * Posting and reading in one and the same database, filled by posting real orders up to each size in turn. Each run
 * begins anew.
 */
export function growthCells(options: BenchOptions): readonly Cell[] {
  let growing: Growing | undefined;
  const sizes = options.stored;
  const first = sizes[0] ?? 0;

  const cellsAt = (size: number): Cell[] => {
    const against = (kind: string): string[] => (size === first ? [] : [nameAt(kind, first)]);
    return [
      {
        name: nameAt('post', size),
        role: 'product',
        unit: 'orders',
        against: against('post'),
        async measure(servers, run) {
          growing ??= { stage: await openStage(servers, walletCounts(options, 'uniform')), completed: 0 };
          await fill(growing, size, options);
          return post(growing, { orders: options.orders, isChecked: true, seed: options.seed + run }, options);
        },
      },
      {
        name: nameAt('reads', size),
        role: 'product',
        unit: 'requests',
        against: against('reads'),
        async measure(_servers, run) {
          if (growing === undefined) throw new Error('posting comes first at every size');
          const { stage } = growing;
          const orderIds = await someOrderIds(stage, readableOrders);
          const given = { ...requestOptions(options, 'uniform', 'read', run), orderIds };
          const measured = await measureRequests(stage, productWeb(0), given);
          if (size === sizes.at(-1)) {
            growing = undefined;
            await stage.close();
          }
          return measured;
        },
      },
    ];
  };
  return sizes.flatMap(cellsAt);
}

function nameAt(kind: string, size: number): string {
  return `${kind}, ${size.toLocaleString('en-US')} orders stored`;
}

/** Real orders, posted; the measurement that follows checks the whole books. */
async function fill(growing: Growing, size: number, options: BenchOptions): Promise<void> {
  while (growing.completed < size) {
    const orders = Math.min(fillOrdersMax, size - growing.completed);
    await post(growing, { orders, isChecked: false, seed: growing.completed }, options);
  }
}

async function post(
  growing: Growing,
  wanted: { orders: number; seed: number; isChecked: boolean },
  options: BenchOptions,
): Promise<Measured> {
  const { stage, completed } = growing;
  const measured = await measurePost(stage, productSide(options.workers), {
    pattern: 'uniform',
    wallets: walletCounts(options, 'uniform'),
    earlier: { completed, failed: 0 },
    ...wanted,
  });
  growing.completed += measured.recorded;
  return measured;
}
