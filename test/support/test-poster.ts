import { pino } from 'pino';
import { systemClock } from '../../src/clock.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { createGroupTransaction } from '../../src/posting/group-transaction.ts';
import type { PostObserver } from '../../src/posting/observer.ts';
import { createPostGroup } from '../../src/posting/post-group.ts';
import { createPoster, type Poster } from '../../src/posting/poster.ts';
import { openSlots } from '../../src/posting/slots.ts';
import type { Collections } from '../../src/storage/collections.ts';
import type { WritePosted } from '../../src/storage/group-writes.ts';
import type { PostingSession } from '../../src/storage/processes/posting-sessions.ts';

export const unobserved: PostObserver = {
  groupPosted: () => undefined,
  groupFailed: () => undefined,
  busyFor: () => undefined,
};

/** As a worker has it, without webhooks. */
export function createTestPoster(
  collections: Collections,
  writePosted: WritePosted,
  sessions: readonly PostingSession[],
  isSharded = false,
): Poster {
  const endIfHung = <T>(step: Promise<T>): Promise<T> => step;
  const currencies = { known: createCurrencies(new Map()), readAgain: () => Promise.resolve() };
  const subscribersOf = () => Promise.resolve(new Map());
  const postInTransaction = createGroupTransaction({
    ...{ collections, writePosted, currencies, clock: systemClock },
    ...{ subscribersOf, endIfHung },
  });
  const { orders, stuckOrders } = collections;
  const log = pino({ enabled: false });
  const postGroup = createPostGroup({ postInTransaction, stuckOrders, observe: unobserved, log, endIfHung });
  return createPoster({
    orders,
    posts: openSlots(sessions, postGroup, unobserved),
    isSharded,
    onUnknownType: () => undefined,
  });
}
