import type { Cell } from '../cells.ts';
import type { EarlierOrders } from '../measure/check-books.ts';
import { measurePost } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import { measureRequests } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import type { Stage } from '../servers/stage.ts';
import { walletCounts } from './common.ts';
import { openGrowingBooks, type GrowingBooks } from './growing-books.ts';
import { someOrderIds } from './request-cells.ts';
import { requestOptions } from './request-options.ts';

const readableOrders = 2_000;

/**
 * Posting, creates and reads in books of each size. Each kind is measured at all sizes in turn, within a minute or so: a
 * machine has faster and slower minutes, and none of them is to favour a size. The largest books are kept from run to
 * run; the others, to which a run adds as much as they have, are filled anew.
 */
export function growthCells(options: BenchOptions): readonly Cell[] {
  const sizes = [...new Set(options.stored)];
  const shelf = createShelf(sizes, options);
  return Object.entries(measurements(options)).flatMap(([kind, { unit, measure }]) =>
    sizes.map((size): Cell => ({
      name: nameAt(kind, size),
      role: 'product',
      unit,
      against: size === sizes[0] ? [] : [nameAt(kind, sizes[0] ?? size)],
      measure: async (_servers, run) => {
        const books = await shelf.booksOf(size, run);
        return books.measure((stage, earlier) => measure(stage, earlier, run));
      },
      close: shelf.close,
    })),
  );
}

function nameAt(kind: string, size: number): string {
  return `${kind}, ${size.toLocaleString('en-US')} orders stored`;
}

interface Measurement {
  readonly unit: Cell['unit'];
  readonly measure: (stage: Stage, earlier: EarlierOrders, run: number) => ReturnType<Cell['measure']>;
}

function measurements(options: BenchOptions): Readonly<Record<string, Measurement>> {
  const { workers, orders, seed, warmUp: warmUpOrders } = options;
  const wallets = walletCounts(options, 'uniform');
  return {
    post: {
      unit: 'orders',
      measure: (stage, earlier, run) => {
        const given = { pattern: 'uniform', wallets, orders, seed: seed + run, warmUpOrders, earlier } as const;
        return measurePost(stage, productSide(workers), given);
      },
    },
    'end to end': {
      unit: 'orders',
      measure: (stage, earlier, run) =>
        measureRequests(stage, productWeb(workers), { ...requestOptions(options, 'uniform', 'create', run), earlier }),
    },
    reads: {
      unit: 'requests',
      measure: async (stage, _earlier, run) => {
        const orderIds = await someOrderIds(stage, readableOrders);
        return measureRequests(stage, productWeb(0), { ...requestOptions(options, 'uniform', 'read', run), orderIds });
      },
    },
  };
}

/** The books of every size, filled when a run begins, so that nothing is filled between what is compared. */
function createShelf(sizes: readonly number[], options: BenchOptions) {
  const shelf = new Map<number, GrowingBooks>();
  let filledFor: number | undefined;

  const fillFor = async (run: number): Promise<void> => {
    for (const size of sizes.toReversed()) {
      const books = shelf.get(size);
      if (books === undefined) shelf.set(size, await openGrowingBooks(size, options));
      else if (size !== sizes.at(-1)) await books.refill();
    }
    filledFor = run;
  };

  return {
    async booksOf(size: number, run: number): Promise<GrowingBooks> {
      if (filledFor !== run) await fillFor(run);
      const books = shelf.get(size);
      if (books === undefined) throw new Error(`there are no books of ${size} orders`);
      return books;
    },
    close: async (): Promise<void> => {
      const all = [...shelf.values()];
      shelf.clear();
      await Promise.allSettled(all.map((books) => books.close()));
    },
  };
}
