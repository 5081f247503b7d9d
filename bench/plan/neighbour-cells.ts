import type { Cell } from '../cells.ts';
import { measureTestClock } from '../measure/test-clock.ts';
import { measureNeighbour } from '../measure/noisy-neighbour.ts';
import type { BenchOptions } from '../options.ts';
import { walletCounts, withStage } from './common.ts';
import { requestOptions } from './request-options.ts';

/** A workspace beside one that floods: in another bucket, and in its own. */
export function neighbourCells(options: BenchOptions): readonly Cell[] {
  const { workers, delay: delayMs } = options;
  return [false, true].map((isSameBucket) => ({
    name: `beside a flood in ${isSameBucket ? 'its own' : 'another'} bucket`,
    role: 'product',
    unit: 'orders',
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureNeighbour(stage, {
        ...{ isSameBucket, workers, delayMs },
        flood: requestOptions(options, 'uniform', 'create', run),
      }),
    ),
  }));
}

/** A workspace beside a test workspace whose clock is put forward. */
export function testClockCell(options: BenchOptions): Cell {
  const { workers, orders, delay: delayMs } = options;
  return {
    ...{ name: 'beside a test workspace', role: 'product', unit: 'orders', against: [] },
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureTestClock(stage, {
        workers,
        delayMs,
        orders,
        transfers: requestOptions(options, 'uniform', 'create', run),
      }),
    ),
  };
}
