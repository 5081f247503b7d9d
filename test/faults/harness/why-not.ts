import type { Fault } from './fault.ts';
import type { Stack } from './stack.ts';

/** Why a fault cannot be had on a stack; undefined where it can. */
export function whyNot({ needs, pair }: Fault, stack: Stack): string | undefined {
  if (pair !== undefined) return whyNot(pair[0], stack) ?? whyNot(pair[1], stack);
  if (needs === 'its own MongoDB' && !stack.mongodb.isOwn) return 'MONGODB_URI names a server that is not ours to kill';
  if (needs === 'fail points' && !stack.hasFailPoints) return 'this MongoDB has no fail points (enableTestCommands)';
  if (needs === 'redis proxies' && stack.redis.address === undefined)
    return 'the nodes of a Redis Cluster name each other, past any proxy';
  return undefined;
}
