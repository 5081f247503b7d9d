import type { MongoClient } from 'mongodb';
import type { Currencies } from '../domain/currency.ts';
import type { Order } from '../domain/order.ts';
import { foldOrders } from '../domain/posting.ts';
import type { Posting } from '../domain/posting.ts';
import { createGrouping } from '../grouping.ts';
import type { Logger } from '../log.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import { inTransaction, isTransientFault, StaleReadError } from '../storage/transaction.ts';

export interface Poster {
  /**
   * Posts orders, merged with those of other calls of the same moment into few transactions. Posting is a no-op for an
   * order that is no longer PENDING, so that a call may be repeated, doubled or cut short without harm.
   * @throws the first order's error where one could not be posted; the others are posted all the same.
   */
  post(orderIds: readonly string[]): Promise<PostingJobResult>;
}

interface PosterTools {
  readonly client: MongoClient;
  readonly collections: Collections;
  readonly currencies: Currencies;
  readonly log: Logger;
  /** Told after each commit which orders reached a terminal state. */
  readonly onPosted: (orderIds: readonly string[]) => void;
}

type Outcome = 'completed' | 'failed' | 'alreadyPosted';

/** Orders of one transaction. */
const groupSizeMax = 256;
/** Transactions under way at once: more would conflict on the same wallets. */
const transactionsInFlightMax = 1;
/** How often a group is folded again because what it read had changed. */
const foldsMax = 8;

export function createPoster(tools: PosterTools): Poster {
  const postOne = createGrouping<string, Outcome>({
    sizeMax: groupSizeMax,
    inFlightMax: transactionsInFlightMax,
    flush: async (ids) => {
      const outcomes = await postGroup(tools, [...new Set(ids)]);
      return ids.map((id) => outcomes.get(id) ?? 'alreadyPosted');
    },
  });
  return {
    async post(orderIds) {
      const settled = await Promise.allSettled(orderIds.map((id) => postOne(id)));
      const counts = { completed: 0, failed: 0, alreadyPosted: 0 };
      for (const outcome of settled) {
        if (outcome.status === 'rejected') throw outcome.reason;
        counts[outcome.value] += 1;
      }
      return counts;
    },
  };
}

/**
 * Posts a group, or, where that fails for a reason that is not the servers', its halves: an order that cannot be posted
 * ends up alone with its error, and its neighbours go through.
 * @throws where MongoDB is away or too contended: nothing of the group is then known to be posted.
 */
async function postGroup(tools: PosterTools, ids: readonly string[]): Promise<Map<string, Outcome | Error>> {
  try {
    return await postTogether(tools, ids);
  } catch (error) {
    if (isTransientFault(error) || error instanceof StaleReadError) throw error;
    const [onlyId] = ids;
    if (ids.length === 1 && onlyId !== undefined) {
      tools.log.error({ err: error, orderId: onlyId }, 'order cannot be posted');
      return new Map([[onlyId, error instanceof Error ? error : new Error(String(error))]]);
    }
    const middle = Math.ceil(ids.length / 2);
    const first = await postGroup(tools, ids.slice(0, middle));
    const second = await postGroup(tools, ids.slice(middle));
    return new Map([...first, ...second]);
  }
}

async function postTogether(tools: PosterTools, ids: readonly string[]): Promise<Map<string, Outcome>> {
  for (let fold = 1; ; fold += 1) {
    // Read outside the transaction: an order's values never change, and its status is the guard of its update.
    const pending = await tools.collections.orders.findPending(ids);
    if (pending.length === 0) return new Map();
    try {
      const posting = await commitPosting(tools, pending);
      const failed = [...posting.failed.values()].flat();
      tools.onPosted([...posting.completed, ...failed]);
      return new Map<string, Outcome>([
        ...posting.completed.map((id) => [id, 'completed'] as const),
        ...failed.map((id) => [id, 'failed'] as const),
      ]);
    } catch (error) {
      if (!(error instanceof StaleReadError) || fold === foldsMax) throw error;
      tools.log.debug({ fold, reason: error.message }, 'group is folded again');
    }
  }
}

/** Four round trips and a commit, however many orders: read wallets; write flows, wallets, orders. */
async function commitPosting(tools: PosterTools, pending: readonly Order[]): Promise<Posting> {
  const { collections, currencies, client, log } = tools;
  const walletIds = [...new Set(pending.flatMap((order) => [order.sourceWalletId, order.targetWalletId]))];
  const { result, attempts } = await inTransaction(client, async (session) => {
    const wallets = await collections.wallets.findByIds(walletIds, session);
    const posting = foldOrders(pending, wallets, currencies, new Date());
    await collections.wallets.writePosted(posting.wallets, session);
    await collections.flows.insertPosted(posting.flows, session);
    await collections.orders.writePosted(posting, session);
    return posting;
  });
  log.debug({ orders: pending.length, wallets: walletIds.length, attempts }, 'group posted');
  return result;
}
