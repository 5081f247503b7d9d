import type { Cell } from '../cells.ts';
import type { PatternName } from '../load/patterns.ts';
import { measurePost } from '../measure/post.ts';
import { productSide } from '../measure/product.ts';
import { measureReadsUnderCreates } from '../measure/reads-under-creates.ts';
import { measureRequests } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import type { Stage } from '../servers/stage.ts';
import { walletCounts, withStage } from './common.ts';
import { inFlightName, insertManyName, naiveEndToEndName, signedName } from './names.ts';
import { idleOptions, requestOptions } from './request-options.ts';

/** As many as one program of some size has. */
export const fewInFlight = 64;
/** Orders that are there to be read. */
const readableOrders = 2_000;
/** Reads a second that any process serves with ease. */
const steadyReadRate = 50;
const steadyReadConnections = 64;

export function acceptCell(options: BenchOptions, pattern: PatternName): Cell {
  return {
    name: `accept, ${pattern}`,
    role: 'product',
    unit: 'orders',
    against: [signedName('create'), insertManyName],
    measure: withStage(walletCounts(options, pattern), (stage, run) =>
      measureRequests(stage, productWeb(0, options.profile), requestOptions(options, pattern, 'create', run)),
    ),
  };
}

/** @param against what it is compared with; a rate that is served anyway is compared with nothing. */
export function endToEndCell(
  options: BenchOptions,
  pattern: PatternName,
  against: readonly string[] = [naiveEndToEndName(pattern), signedName('create')],
): Cell {
  const { workers, profile } = options;
  return {
    name: `end to end, ${pattern}${options.rate === undefined ? '' : `, ${options.rate} a second`}`,
    role: 'product',
    unit: 'orders',
    against,
    measure: withStage(walletCounts(options, pattern), (stage, run) =>
      measureRequests(stage, productWeb(workers, profile), requestOptions(options, pattern, 'create', run)),
    ),
  };
}

/** So many requests on their way at once, each answered once its order has ended: as a program waits that does one thing after the other. */
export function inFlightCell(options: BenchOptions, inFlight: number, against: readonly string[] = []): Cell {
  const { workers, profile } = options;
  return {
    name: inFlightName(inFlight),
    role: 'product',
    unit: 'orders',
    against,
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRequests(stage, productWeb(workers, profile), {
        ...requestOptions(options, 'uniform', 'create', run),
        ...{ connections: inFlight, awaitsEnd: true },
      }),
    ),
  };
}

/** Few on their way at once, beside many. */
export function inFlightCells(options: BenchOptions): readonly Cell[] {
  const many = inFlightCell(options, options.connections);
  return [many, inFlightCell(options, fewInFlight, [many.name])];
}

export function idleCell(options: BenchOptions): Cell {
  return {
    name: 'idle',
    role: 'product',
    unit: 'orders',
    // Both keep up with ten a second: what differs is the latency.
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRequests(stage, productWeb(1), idleOptions(options, run)),
    ),
  };
}

export function readsCell(options: BenchOptions): Cell {
  return {
    name: 'reads',
    role: 'product',
    unit: 'requests',
    against: [signedName('read')],
    measure: withStage(walletCounts(options, 'uniform'), async (stage, run) => {
      const given = requestOptions(options, 'uniform', 'read', run);
      const { wallets, seed } = given;
      await measurePost(stage, productSide(1), { pattern: 'uniform', orders: readableOrders, wallets, seed });
      const orderIds = await someOrderIds(stage, readableOrders);
      return measureRequests(stage, productWeb(0, options.profile), { ...given, orderIds });
    }),
  };
}

/** @param isFlooded whether creates take all that the process can give meanwhile. */
export function steadyReadsCell(options: BenchOptions, isFlooded: boolean): Cell {
  return {
    name: `reads, ${options.rate ?? steadyReadRate} a second${isFlooded ? ', under a flood of creates' : ''}`,
    role: 'product',
    unit: 'requests',
    // Both keep up with the rate: what differs is the latency.
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), async (stage, run) => {
      const creates = { ...requestOptions({ ...options, rate: undefined }, 'uniform', 'create', run) };
      const { wallets, seed } = creates;
      const posted = await measurePost(stage, productSide(1), {
        pattern: 'uniform',
        orders: readableOrders,
        wallets,
        seed,
      });
      const orderIds = await someOrderIds(stage, readableOrders);
      const ratePerSecond = options.rate ?? steadyReadRate;
      return measureReadsUnderCreates(stage, productWeb(0, options.profile), {
        reads: { ...creates, kind: 'read', ratePerSecond, connections: steadyReadConnections, orderIds },
        ...(isFlooded ? { creates } : {}),
        completedBefore: posted.recorded,
      });
    }),
  };
}

/** The newest ones. */
export async function someOrderIds({ world }: Stage, count: number): Promise<string[]> {
  const rows = await world.db
    .collection<{ _id: string }>('orders')
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(count)
    .toArray();
  return rows.map(({ _id }) => _id);
}
