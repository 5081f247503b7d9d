import type { Cell } from '../cells.ts';
import type { PatternName } from '../load/patterns.ts';
import { measurePost } from '../measure/post.ts';
import { measureRequests } from '../measure/requests.ts';
import { naiveWeb } from '../measure/sides.ts';
import { naiveSide } from '../naive/side.ts';
import type { BenchOptions } from '../options.ts';
import type { Servers } from '../servers/servers.ts';
import { bestOf, walletCounts, withStage } from './common.ts';
import { naiveEndToEndName, naiveIdleName, naivePostName } from './names.ts';
import { idleOptions, requestOptions } from './request-options.ts';

const concurrencies = [1, 4, 8, 16] as const;
/** Orders for each trial of a concurrency, and the most that a run of the baseline takes. */
const trialOrders = 150;
const ordersMax = 600;
/** It takes far longer to post what it accepted. */
const arrivalSecondsMax = 1;
/** None of its work is shared, so that more would only wait. */
const connectionsMax = 256;

/** One job and one transaction an order, at the concurrency that suits it best: tried out before the first run. */
export function naivePostCell(options: BenchOptions, pattern: PatternName): Cell {
  const best = createBestConcurrency(options, pattern);
  const orders = Math.min(options.orders, ordersMax);
  return {
    name: naivePostName(pattern),
    role: 'baseline',
    unit: 'orders',
    against: [],
    measure: async (servers, run) =>
      measureNaive(options, pattern, await best(servers), orders, options.seed + run)(servers, run),
  };
}

export function naiveEndToEndCell(options: BenchOptions, pattern: PatternName): Cell {
  const best = createBestConcurrency(options, pattern);
  const wallets = walletCounts(options, pattern);
  return {
    name: naiveEndToEndName(pattern),
    role: 'baseline',
    unit: 'orders',
    against: [],
    measure: async (servers, run) => {
      const side = naiveWeb(await best(servers));
      const given = requestOptions(options, pattern, 'create', run);
      const seconds = Math.min(given.seconds, arrivalSecondsMax);
      const connections = Math.min(given.connections, connectionsMax);
      const order = { ...given, seconds, connections };
      return withStage(wallets, (stage) => measureRequests(stage, side, order))(servers, run);
    },
  };
}

export function naiveIdleCell(options: BenchOptions): Cell {
  return {
    name: naiveIdleName,
    role: 'baseline',
    unit: 'orders',
    against: [],
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRequests(stage, naiveWeb(1), idleOptions(options, run)),
    ),
  };
}

function measureNaive(
  options: BenchOptions,
  pattern: PatternName,
  concurrency: number,
  orders: number,
  seed: number,
): Cell['measure'] {
  const wallets = walletCounts(options, pattern);
  return withStage(wallets, (stage) =>
    measurePost(stage, naiveSide(concurrency), { pattern, orders, wallets, seed }).then((measured) => ({
      ...measured,
      note: `${concurrency} at once`,
    })),
  );
}

/** Found out once a pattern and plan, whichever cell asks first. */
const found = new WeakMap<BenchOptions, Map<PatternName, Promise<number>>>();

function createBestConcurrency(options: BenchOptions, pattern: PatternName): (servers: Servers) => Promise<number> {
  const byPattern = found.get(options) ?? new Map<PatternName, Promise<number>>();
  found.set(options, byPattern);
  return (servers) => {
    const known = byPattern.get(pattern);
    if (known !== undefined) return known;
    const orders = Math.min(options.orders, trialOrders);
    const find = bestOf(concurrencies, (concurrency) =>
      measureNaive(options, pattern, concurrency, orders, options.seed)(servers, 0),
    );
    const finding = options.naiveAtOnce === undefined ? find() : Promise.resolve(options.naiveAtOnce);
    byPattern.set(pattern, finding);
    return finding;
  };
}
