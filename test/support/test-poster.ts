import { pino } from 'pino';
import { systemClock } from '../../src/clock.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { createGroupTransaction, createRemembered } from '../../src/posting/group-transaction.ts';
import type { PostObserver } from '../../src/posting/observer.ts';
import { createPostGroup, type PostGroupIn } from '../../src/posting/post-group.ts';
import { Poster } from '../../src/posting/poster.ts';
import { openSlots } from '../../src/posting/slots.ts';
import type { OrderToPost } from '../../src/orders/order.ts';
import type { Collections } from '../../src/storage/collections.ts';
import type { WritePosted } from '../../src/storage/group-writes.ts';
import type { PostingSession } from '../../src/storage/processes/posting-sessions.ts';

const unobserved: PostObserver = {
  groupPosted: () => undefined,
  groupFailed: () => undefined,
  busyFor: () => undefined,
};

type GroupParts = Parameters<typeof createGroupTransaction>[0];

/** What posts a group as a worker does; without webhooks, unless they are given. */
export function createTestPostGroup(
  collections: Collections,
  writePosted: WritePosted,
  { observe = {}, ...more }: Partial<GroupParts> & { observe?: Partial<PostObserver> } = {},
): PostGroupIn {
  const parts: GroupParts = {
    ...{ collections, writePosted, clock: systemClock },
    dateIn: () => Promise.resolve((more.clock ?? systemClock)()),
    currencies: { current: createCurrencies(new Map()), readAgain: () => Promise.resolve() },
    subscribersOf: () => Promise.resolve(new Map()),
    remembered: createRemembered(collections),
    endTransactions: () => Promise.resolve(),
    endIfHung: (step) => step,
    ...more,
  };
  return createPostGroup({
    ...{ postInTransaction: createGroupTransaction(parts), stuckOrders: collections.stuckOrders },
    observe: { ...unobserved, ...observe },
    ...{ log: pino({ enabled: false }), endIfHung: parts.endIfHung },
  });
}

/** As a worker has it, without webhooks. */
export function createTestPoster(
  collections: Collections,
  writePosted: WritePosted,
  sessions: readonly PostingSession[],
  isSharded = false,
): Poster {
  const posts = openSlots(sessions, createTestPostGroup(collections, writePosted), unobserved);
  return new Poster({ orders: collections.orders, posts, isSharded, onUnknownType: () => undefined });
}

/** More than any test has waiting. */
const waitingMax = 2_000;

/** Those of some orders of a workspace that wait, as a worker reads them, in the order given. */
export async function findWaiting(
  { orders }: Pick<Collections, 'orders'>,
  workspaceId: string,
  ids: readonly string[],
): Promise<OrderToPost[]> {
  const { orders: found } = await orders.findWaiting(
    { workspaceIds: [workspaceId], behind: '', except: [] },
    waitingMax,
  );
  const byId = new Map(found.map((order) => [order.id, order]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
