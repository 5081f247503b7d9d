import type { PatternName } from '../load/patterns.ts';
import { saturatingRate } from '../load/schedule.ts';
import type { RequestOptions } from '../measure/requests.ts';
import type { BenchOptions } from '../options.ts';
import { walletCounts } from './common.ts';

/** Slow enough for one create to be over before the next one comes. */
const idleRate = 10;
const idleConnections = 4;

export function requestOptions(
  options: BenchOptions,
  pattern: PatternName,
  kind: 'create' | 'read',
  run: number,
): RequestOptions {
  return {
    kind,
    pattern,
    wallets: walletCounts(options, pattern),
    ratePerSecond: options.rate ?? saturatingRate,
    seconds: options.seconds,
    connections: options.connections,
    seed: options.seed + run,
    warmUpRequests: options.warmUp,
  };
}

/** One create at a time. */
export function idleOptions(options: BenchOptions, run: number): RequestOptions {
  const given = requestOptions(options, 'uniform', 'create', run);
  return { ...given, ratePerSecond: options.rate ?? idleRate, connections: idleConnections };
}
