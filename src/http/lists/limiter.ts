import { ServiceError } from '../../errors.ts';
import { Bulkhead, BulkheadFullError, type BulkheadLimits } from '../../waiting/bulkhead.ts';
import type { ThroughFailover } from '../../waiting/failover.ts';
import type { ApiRequest, ReadContext } from '../route.ts';

/** Reads a list in the time that is left. */
type Read<T> = (timeLeftMs: ApiRequest['timeLeftMs']) => Promise<T>;

export type ListLimiter = <T>(context: ReadContext, read: Read<T>) => Promise<T>;

/**
 * Few, because a list may cost MongoDB as much as thousands of single reads. Eight of one workspace, so that several replies
 * arrive together: with fewer, each reply would wake this process by itself. There are connections for all of their commands.
 */
const defaultLimits: BulkheadLimits = {
  ...{ permits: 16, slowPermits: 16, permitsOfKey: 8 },
  waiting: { max: 480, ofKeyMax: 120 },
};
/** With less time left than this, a list is not begun. */
const readMinMs = 1_000;

/**
 * Limits how many lists are read at once, in the process and of one workspace, whatever its keys (src/waiting/bulkhead.ts). A
 * permit lasts until the reading ends, through an election too, and even if the client has been answered or is gone meanwhile.
 * @returns a function that reads once it has a permit. It throws what `read` throws, and ServiceError TOO_MANY_LISTS: at once if
 * too many wait already; later if the permit comes too late to answer in time, or a workspace with fewer waiting takes its place.
 */
export function createListLimiter(throughFailover: ThroughFailover, limits = defaultLimits): ListLimiter {
  const bulkhead = new Bulkhead(limits);
  return async <T>({ workspaceId, timeLeftMs }: ReadContext, read: Read<T>): Promise<T> => {
    const readInTime = async (leftMs: () => number): Promise<T> => {
      if (leftMs() < readMinMs) throw new ServiceError('TOO_MANY_LISTS');
      return read(leftMs);
    };
    try {
      return await bulkhead.run(workspaceId, () => throughFailover(workspaceId, readInTime, timeLeftMs));
    } catch (error) {
      throw error instanceof BulkheadFullError ? new ServiceError('TOO_MANY_LISTS') : error;
    }
  };
}
