import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { createListTurns } from '../../../src/http/lists/turns.ts';
import type { BulkheadLimits } from '../../../src/waiting/bulkhead.ts';
import { createThroughFailover } from '../../../src/waiting/failover.ts';
import { isTransientFault } from '../../../src/storage/shared/transaction.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Never. */
const slowAfterMs = 2_000_000_000;
const limits: BulkheadLimits = {
  ...{ permits: 3, slowPermits: 3, permitsOfKey: 2, slowAfterMs },
  waiting: { max: 4, ofKeyMax: 2 },
};

/** Lists that are read until they are let go, by workspace. */
function openLists(timeLeftMs = () => 14_000) {
  const inTurn = createListTurns(createThroughFailover(isTransientFault), limits);
  const reading: { workspaceId: string; end: () => void }[] = [];
  return {
    reading,
    begun: () => reading.map(({ workspaceId }) => workspaceId).join(''),
    /** @returns what became of the list, once that is known. */
    read: (workspaceId: string): Promise<string> =>
      inTurn({ workspaceId, timeLeftMs }, () => {
        const { promise, resolve } = Promise.withResolvers<string>();
        reading.push({
          workspaceId,
          end: () => {
            resolve('read');
          },
        });
        return promise;
      }).catch((error: unknown) => {
        expect(error).toMatchObject({ errorName: 'TOO_MANY_LISTS', retryAfterSeconds: 1 });
        expect(error).toBeInstanceOf(ServiceError);
        return 'refused';
      }),
  };
}

describe('lists', () => {
  it('that are too many of a workspace are refused at once, and those of others are not', async () => {
    const lists = openLists();
    const waiting = ['a', 'a', 'a', 'a'].map((workspaceId) => lists.read(workspaceId));
    expect(await lists.read('a')).toBe('refused');
    const other = lists.read('b');
    await waitFor(() => lists.begun() === 'aab');
    lists.reading[2]?.end();
    expect(await other).toBe('read');
    for (let ended = 0; ended < 4; ended += 1) {
      await waitFor(() => lists.reading.filter(({ workspaceId }) => workspaceId === 'a').length > ended);
      lists.reading.filter(({ workspaceId }) => workspaceId === 'a')[ended]?.end();
    }
    expect(await Promise.all(waiting)).toEqual(['read', 'read', 'read', 'read']);
    // Nothing is remembered of those that ended.
    const again = lists.read('a');
    await waitFor(() => lists.reading.length === 6);
    lists.reading[5]?.end();
    expect(await again).toBe('read');
  });

  it('of a workspace that waits with fewer take the place of the last one of the workspace with most', async () => {
    const lists = openLists();
    const reading = ['a', 'a', 'b'].map((workspaceId) => lists.read(workspaceId));
    await waitFor(() => lists.begun() === 'aab');
    const waiting = ['a', 'a', 'b', 'b'].map((workspaceId) => lists.read(workspaceId));
    const newcomer = lists.read('c');
    expect(await waiting[1]).toBe('refused');
    expect(await lists.read('b')).toBe('refused');
    const [first, , third, fourth] = waiting;
    const all = [...reading, first!, third!, fourth!, newcomer];
    for (let ended = 0; ended < all.length; ended += 1) {
      await waitFor(() => lists.reading.length > ended);
      lists.reading[ended]?.end();
    }
    expect(new Set(await Promise.all(all))).toEqual(new Set(['read']));
    // Who has no turn comes first.
    expect(lists.begun()).toBe('aabcabb');
  });

  it('whose turn comes when nobody waits for the answer any more are not read', async () => {
    let leftMs = 14_000;
    const lists = openLists(() => leftMs);
    const [first, second, third] = ['a', 'a', 'a'].map((workspaceId) => lists.read(workspaceId));
    await waitFor(() => lists.begun() === 'aa');
    leftMs = 500;
    lists.reading[0]?.end();
    lists.reading[1]?.end();
    expect(await Promise.all([first, second, third])).toEqual(['read', 'read', 'refused']);
    expect(lists.begun()).toBe('aa');
  });
});
