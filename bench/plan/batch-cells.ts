import type { Cell } from '../cells.ts';
import { measureInsertBatches } from '../limits/insert-many.ts';
import type { Batch } from '../load/load-order.ts';
import { saturatingRate } from '../load/schedule.ts';
import { measureRequests } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import { walletCounts, withStage } from './common.ts';
import { acceptCell } from './request-cells.ts';
import { requestOptions } from './request-options.ts';

/** As many lines as a request may have. */
const plain: Batch = { lines: 500, isAtomic: false };
const atomic: Batch = { lines: 100, isAtomic: true };

/** Orders that come in batches, beside creates of which as many are on their way at once, and beside their recording alone. */
export function batchCells(options: BenchOptions): readonly Cell[] {
  const single = { ...acceptCell(options, 'uniform'), against: [] };
  return [single, ...[plain, atomic].flatMap((batch) => cellsOf(options, batch, single.name))];
}

function cellsOf(options: BenchOptions, batch: Batch, singleName: string): readonly Cell[] {
  const { lines } = batch;
  const limitName = `limit: insertMany of orders, ${lines} a batch`;
  const wallets = walletCounts(options, 'uniform');
  const limit: Cell = {
    ...{ name: limitName, role: 'limit', unit: 'orders', against: [] },
    measure: withStage(wallets, (stage) => measureInsertBatches(stage, lines)),
  };
  const accept: Cell = {
    name: `accept, ${batch.isAtomic ? 'atomic ' : ''}batches of ${lines}`,
    role: 'product',
    unit: 'orders',
    against: [singleName, limitName],
    measure: withStage(wallets, (stage, run) => {
      const given = requestOptions(options, 'uniform', 'create', run);
      return measureRequests(stage, productWeb(0, options.profile), {
        ...given,
        batch,
        ratePerSecond: (options.rate ?? saturatingRate) / lines,
        connections: Math.ceil(options.connections / lines),
      });
    }),
  };
  return [limit, accept];
}
