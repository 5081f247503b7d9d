import { Money } from '../../src/domain/money.ts';
import { newOrder, type Leg, type Order } from '../../src/orders/order.ts';
import { sweeperLease } from '../../src/posting/sweep.ts';
import { createRandom } from '../load/random.ts';
import { expectsFailure, patterns, type PatternName } from '../load/patterns.ts';
import { cpuSeconds, cpuSince } from '../servers/process-times.ts';
import type { Stage } from '../servers/stage.ts';
import { currency } from '../servers/workspace.ts';
import { checkBooks, type EarlierOrders } from './check-books.ts';
import { record } from './enqueue.ts';
import { groupFigures } from './group-figures.ts';
import { cpuMicrosEach, type Measured } from './measured.ts';
import { watchPosted, type PostedWatch } from './posted-watch.ts';

/** Who posts: the product's workers, or those of a baseline. */
export interface PostingSide {
  /** Brings these orders to its workers, in their order. */
  enqueue(stage: Stage, orders: readonly Order[]): Promise<void>;
  /** Orders that are posted before the clock runs, so that what is measured is compiled code. */
  readonly warmUpOrders: number;
  /** Starts the workers; their process ids by name. */
  start(stage: Stage): Promise<{ pids: Record<string, number>; stop(): Promise<void> }>;
  /** Checks what else is to come of so many orders, once they are posted. @returns further figures. */
  readonly finish?: (orders: number) => Promise<Record<string, number>>;
}

export interface PostOptions {
  readonly pattern: PatternName;
  /** Legs of each order; undefined: each is a transfer. */
  readonly legs?: number;
  readonly orders: number;
  readonly wallets: { readonly funded: number; readonly unfunded: number };
  readonly seed: number;
  /** Without it nothing is checked, and the figures are not to be shown. */
  readonly isChecked?: boolean;
  /** Undefined: as many as the side says. */
  readonly warmUpOrders?: number | undefined;
  readonly earlier?: EarlierOrders;
  /** Undoes what was prepared, and would not stand the check. */
  readonly beforeCheck?: () => Promise<unknown>;
}

/** Longer than a measurement takes. */
const leaseMs = 3_600_000;
const amountCentsMax = 999;

/**
 * Posting alone: the workers run, the orders are recorded, and the clock runs from the first job's enqueuing until every
 * order is COMPLETED or FAILED.
 */
export async function measurePost(stage: Stage, side: PostingSide, options: PostOptions): Promise<Measured> {
  const watch = await watchPosted(stage.servers.redisUrl, stage.prefix);
  // Orders that wait for their job on purpose are not lost: nobody is to sweep them.
  await stage.world.collections.leases.take(sweeperLease, 'bench', leaseMs);
  const workers = await side.start(stage);
  const pids = { ...stage.servers.pids, ...workers.pids };
  const warmUpOrders = options.warmUpOrders ?? side.warmUpOrders;
  const all = makeOrders(stage, options, warmUpOrders + options.orders);
  try {
    await post(stage, side, watch, all.slice(0, warmUpOrders));
    const orders = all.slice(warmUpOrders);
    const before = await cpuSeconds(pids);
    const seconds = await post(stage, side, watch, orders);
    const used = cpuSince(before, await cpuSeconds(pids));
    const figures = await side.finish?.(all.length);
    await workers.stop();
    await options.beforeCheck?.();
    if (options.isChecked ?? true) await check(stage, options, all.length);
    const groups = await groupFigures(stage, beforeFirst(orders));
    return {
      done: orders.length,
      recorded: all.length,
      seconds,
      perSecond: orders.length / seconds,
      cpuMicros: cpuMicrosEach(used, orders.length),
      ...(groups === undefined ? {} : { groups }),
      ...(figures === undefined ? {} : { figures }),
    };
  } finally {
    watch.close();
    await workers.stop().catch(() => undefined);
  }
}

/** @returns seconds from the first job's enqueuing to the last terminal state. */
async function post(stage: Stage, side: PostingSide, watch: PostedWatch, orders: readonly Order[]): Promise<number> {
  await record(stage, orders);
  const ids = orders.map(({ id }) => id);
  const startedAt = performance.now();
  await side.enqueue(stage, orders);
  await watch.untilAll(ids);
  return (performance.now() - startedAt) / 1000;
}

/** How many of a pattern's first orders have to end FAILED. */
function failuresOf(pattern: PatternName, orders: number): number {
  let failed = 0;
  for (let index = 0; index < orders; index += 1) if (expectsFailure(pattern, index)) failed += 1;
  return failed;
}

function makeOrders({ world }: Stage, { pattern, legs, wallets, seed }: PostOptions, count: number): Order[] {
  const random = createRandom(seed);
  const nextPair = patterns[pattern].create(wallets, random);
  const walletAt = (index: number): string => world.walletIds[index] ?? '';
  const legOf = (index: number): Leg => {
    const { source, target } = nextPair(index);
    return {
      sourceWalletId: walletAt(source),
      targetWalletId: walletAt(target),
      amount: new Money(1 + Math.floor(random() * amountCentsMax)).dividedBy(100).toFixed(),
      currency,
    };
  };
  const { workspaceId } = world;
  return Array.from({ length: count }, (_, index) =>
    newOrder(
      legs === undefined
        ? { type: 'TRANSFER', workspaceId, ...legOf(index) }
        : {
            ...{ type: 'JOURNAL', workspaceId },
            legs: Array.from({ length: legs }, (__, leg) => legOf(index * legs + leg)),
          },
    ),
  );
}

async function check(stage: Stage, { pattern, earlier, legs }: PostOptions, orders: number): Promise<void> {
  const failed = failuresOf(pattern, orders);
  await checkBooks(stage, {
    completed: orders - failed + (earlier?.completed ?? 0),
    failed: failed + (earlier?.failed ?? 0),
    pending: 0,
    unknown: earlier?.unknown ?? 0,
    legs,
  });
}

/** An id that comes just before the first order's. */
function beforeFirst([first]: readonly Order[]): string {
  return (first?.id ?? '').slice(0, -1);
}
