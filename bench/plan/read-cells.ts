import type { Cell } from '../cells.ts';
import { isList, readKinds, type ReadKind } from '../load/read-kinds.ts';
import { countCreates, countReads } from '../measure/counted.ts';
import type { Measured, MongodbCost } from '../measure/measured.ts';
import { measurePost } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import { measureRequests, type RequestOptions } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import type { Servers } from '../servers/servers.ts';
import { openStage, type Stage } from '../servers/stage.ts';
import { walletCounts } from './common.ts';
import { signedName } from './names.ts';
import { someOrderIds } from './request-cells.ts';
import { requestOptions } from './request-options.ts';

/** Of each wallet, about: a list of its orders, or flows, is longer than a page. */
const ordersPerWallet = 20;
const readableOrders = 2_000;
/** Fewer than a workspace may have under way: what is refused would be measured instead. */
const listConnections = 96;

/** Each kind of read by itself, and what it costs MongoDB; and what a create and the posting of its order cost it. */
export function readCells(options: BenchOptions): readonly Cell[] {
  const books = createReadableBooks(options);
  if (options.kind !== undefined) return readKindCells(options, books, [options.kind]);
  return [...readKindCells(options, books, Object.keys(readKinds) as ReadKind[]), ...createCells(options, books)];
}

function readKindCells(options: BenchOptions, books: ReadableBooks, kinds: readonly ReadKind[]): Cell[] {
  return kinds.map((kind) => ({
    name: kind,
    role: 'product',
    unit: 'requests',
    against: [signedName('read')],
    measure: async (servers, run) => {
      const stage = await books.open(servers, run);
      const given: RequestOptions = {
        ...requestOptions(options, 'uniform', 'read', run),
        ...{ orderIds: await someOrderIds(stage, readableOrders), reads: [kind] },
        ...(isList(kind) ? { connections: Math.min(listConnections, options.connections), warmUpRequests: 4_000 } : {}),
      };
      const measured = await measureRequests(stage, productWeb(0, options.profile), given);
      return { ...measured, mongodb: await countReads(stage, given) };
    },
    close: books.close,
  }));
}

/** Two rows of one measurement. */
function createCells(options: BenchOptions, books: ReadableBooks): Cell[] {
  let counted: Awaited<ReturnType<typeof countCreates>> | undefined;
  const row = (name: string, of: (both: NonNullable<typeof counted>) => MongodbCost, isFirst: boolean): Cell => ({
    ...{ name, role: 'product', unit: 'orders', against: [] },
    measure: async (servers, run) => {
      const stage = await books.open(servers, run);
      const given = requestOptions(options, 'uniform', 'create', run);
      if (isFirst || counted === undefined) counted = await countCreates(stage, given);
      return { ...untimed, mongodb: of(counted) };
    },
  });
  return [row('create', ({ create }) => create, true), row('posted transfer', ({ transfer }) => transfer, false)];
}

const untimed: Measured = {
  done: 0,
  recorded: 0,
  seconds: 0,
  perSecond: Number.NaN,
  note: 'counted only',
  cpuMicros: {},
};

type ReadableBooks = ReturnType<typeof createReadableBooks>;

/** Books of posted orders, the same for all cells of a run. */
function createReadableBooks(options: BenchOptions) {
  let current: { readonly run: number; readonly stage: Stage } | undefined;
  const close = async (): Promise<void> => {
    const { stage } = current ?? {};
    current = undefined;
    await stage?.close();
  };
  return {
    close,
    async open(servers: Servers, run: number): Promise<Stage> {
      if (current?.run === run) return current.stage;
      await close();
      const wallets = walletCounts(options, 'uniform');
      const stage = await openStage(servers, wallets);
      current = { run, stage };
      const orders = ordersPerWallet * wallets.funded;
      await measurePost(stage, productSide(1), { pattern: 'uniform', orders, wallets, seed: options.seed + run });
      return stage;
    },
  };
}
