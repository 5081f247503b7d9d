import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import type { Collections } from '../storage/collections.ts';

/** Of how many workspaces a count is remembered, and for how long. */
const workspacesMax = 10_000;
const countedEveryMs = 1_000;
const retryAfterSeconds = 5;

/** How many orders of a workspace may be SCHEDULED. */
export const scheduledMax = 100_000;

export type ScheduledLimit = ReturnType<typeof createScheduledLimit>;

/**
 * Limits how many orders of a workspace are SCHEDULED. They are counted at most once a second, when the workspace schedules one;
 * what this process lets through in between is added. So several processes may together exceed the limit by what they accept
 * in a second.
 * @returns a function to call before a SCHEDULED order of a workspace is recorded. It throws ServiceError SCHEDULED_FULL once
 * there are as many as may be; and if MongoDB does not answer. A test workspace expects the order from then on.
 */
export function createScheduledLimit(
  { countOf }: Pick<Collections['dueOrders'], 'countOf'>,
  { expect }: Pick<Collections['testClocks'], 'expect'>,
  max = scheduledMax,
) {
  const counted = new LRUCache<string, { orders: number }>({
    max: workspacesMax,
    ttl: countedEveryMs,
    perf: performance,
    fetchMethod: async (workspaceId) => ({ orders: await countOf(workspaceId, 'SCHEDULED', max) }),
  });
  return async (workspaceId: string, executeAt: Date): Promise<void> => {
    const lately = await counted.forceFetch(workspaceId);
    if (lately.orders >= max) throw new ServiceError('SCHEDULED_FULL', { retryAfterSeconds });
    lately.orders += 1;
    await expect(workspaceId, executeAt);
  };
}
