import type { EarlierOrders } from '../measure/check-books.ts';
import type { Measured } from '../measure/measured.ts';
import { measurePost } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import { startServers, type Servers } from '../servers/servers.ts';
import { openStage, type Stage } from '../servers/stage.ts';
import type { BenchOptions } from '../options.ts';
import { walletCounts } from './common.ts';

/** Orders that are posted in one go to fill the books. */
const fillOrdersMax = 20_000;

/** Books that hold so many orders, in servers of their own. */
export interface GrowingBooks {
  /**
   * Measures in them, and counts what that leaves there.
   * @throws whatever `measure` throws; the books are not to be used after that.
   */
  measure(measure: (stage: Stage, earlier: EarlierOrders) => Promise<Measured>): Promise<Measured>;
  /** Forgets everything, and fills them again. */
  refill(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Fills books by posting real orders. Servers of their own: the embedded engine has one index for all databases, and a
 * small one beside a large one would be looked up as slowly.
 */
export async function openGrowingBooks(size: number, options: BenchOptions): Promise<GrowingBooks> {
  const servers = await startServers(options.mongodbPid);
  try {
    let books = await fill(servers, size, options);
    return {
      measure: (measure) => books.measure(measure),
      async refill() {
        await books.stage.close();
        books = await fill(servers, size, options);
      },
      async close() {
        try {
          await books.stage.close();
        } finally {
          await servers.close();
        }
      },
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

async function fill(
  servers: Servers,
  size: number,
  options: BenchOptions,
): Promise<Pick<GrowingBooks, 'measure'> & { readonly stage: Stage }> {
  const wallets = walletCounts(options, 'uniform');
  const stage = await openStage(servers, wallets);
  let completed = 0;
  let unknown = 0;
  try {
    while (completed < size) {
      const orders = Math.min(fillOrdersMax, size - completed);
      const given = { pattern: 'uniform', wallets, orders, seed: completed, warmUpOrders: 0 } as const;
      // The measurement that follows checks the whole books.
      await measurePost(stage, productSide(options.workers), { ...given, isChecked: false });
      completed += orders;
    }
  } catch (error) {
    await stage.close().catch(() => undefined);
    throw error;
  }
  return {
    stage,
    async measure(measure) {
      const measured = await measure(stage, { completed, failed: 0, unknown });
      completed += measured.recorded;
      unknown += measured.unanswered ?? 0;
      return measured;
    },
  };
}
