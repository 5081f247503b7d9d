import pTimeout from 'p-timeout';
import type { Currencies } from '../domain/currency.ts';
import type { Order } from '../domain/order.ts';
import { foldOrders } from '../domain/posting.ts';
import type { Posting } from '../domain/posting.ts';
import { createGrouping } from '../grouping.ts';
import type { Logger } from '../log.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import { runTransaction, isDocumentFault, StaleReadError } from '../storage/transaction.ts';
import { inSpan } from '../tracing.ts';
import type { ClientSession } from '../storage/transaction.ts';

export interface Poster {
  /**
   * Posts orders, merged with those of other calls of the same moment into few transactions. Posting is a no-op for an
   * order that is no longer PENDING, so that a call may be repeated, doubled or cut short without harm.
   * @throws the first order's error where one could not be posted; the others are posted all the same.
   */
  post(orderIds: readonly string[]): Promise<PostingJobResult>;
}

interface PosterTools {
  /** The poster's own: it runs one transaction at a time. */
  readonly session: ClientSession;
  readonly collections: Collections;
  readonly currencies: Currencies;
  readonly log: Logger;
  /** Told after each commit which orders reached a terminal state. */
  readonly onPosted: (orderIds: readonly string[]) => void;
  /** Told where MongoDB's driver gives no answer at all; ends the process. */
  readonly onHung: (what: string) => never;
  /** Names this process, in the orders that it posts. */
  readonly holder: string;
  readonly observe?: PostObserver;
}

/** Told what the poster does, for the operator. */
export interface PostObserver {
  groupPosted(group: PostedGroup): void;
  /** A group that was not posted: its jobs are tried again. */
  groupFailed(): void;
  orderSetAside(): void;
}

export interface PostedGroup {
  readonly orders: readonly Order[];
  readonly posting: Posting;
  /** Runs of the transaction; each beyond the first met a write conflict or another transient error. */
  readonly attempts: number;
  readonly durationMs: number;
}

type Outcome = keyof PostingJobResult;

/** Orders of one transaction. */
const groupSizeMax = 256;
/** Every wait inside a group is shorter: one that takes longer never ends, and its session is lost. */
const hungAfterMs = 25_000;
/** How often an order may fail for a reason of its own before it is set aside. */
const faultsMax = 4;
/** How often a group is folded again because what it read had changed. */
const foldsMax = 8;

export function createPoster(tools: PosterTools): Poster {
  const postOne = createGrouping<string, Outcome>({
    sizeMax: groupSizeMax,
    // A session runs one transaction at a time; more at once would conflict on the same wallets anyway.
    inFlightMax: 1,
    flushMaxMs: 2 * hungAfterMs,
    flush: async (ids) => {
      const span = { kind: 'internal', attributes: { orders: ids.length } } as const;
      const outcomes = await pTimeout(
        inSpan('post group', span, () => postGroup(tools, [...new Set(ids)])),
        { milliseconds: hungAfterMs, fallback: () => tools.onHung('a group neither posted nor failed') },
      );
      return ids.map((id) => outcomes.get(id) ?? 'passedOver');
    },
  });
  return {
    async post(orderIds) {
      const settled = await Promise.allSettled(orderIds.map((id) => postOne(id)));
      const counts = { completed: 0, failed: 0, passedOver: 0, setAside: 0 };
      for (const outcome of settled) {
        if (outcome.status === 'rejected') throw outcome.reason;
        counts[outcome.value] += 1;
      }
      return counts;
    },
  };
}

/**
 * Posts a group, or, where that fails for a reason of the orders' own, its halves: an order that cannot be posted ends up
 * alone with its error, and its neighbours go through.
 * @throws where MongoDB is away or too contended: nothing of the group is then known to be posted.
 */
async function postGroup(tools: PosterTools, ids: readonly string[]): Promise<Map<string, Outcome | Error>> {
  try {
    return await postTogether(tools, ids);
  } catch (error) {
    if (!isDocumentFault(error)) {
      tools.observe?.groupFailed();
      tools.log.warn({ err: error, orders: ids.length }, 'group not posted; its jobs are tried again');
      throw error;
    }
    const [onlyId] = ids;
    if (ids.length === 1 && onlyId !== undefined) return new Map([[onlyId, await recordFault(tools, onlyId, error)]]);
    const middle = Math.ceil(ids.length / 2);
    const first = await postGroup(tools, ids.slice(0, middle));
    const second = await postGroup(tools, ids.slice(middle));
    return new Map([...first, ...second]);
  }
}

async function recordFault(
  { collections, log, observe }: PosterTools,
  id: string,
  fault: unknown,
): Promise<Outcome | Error> {
  const error = fault instanceof Error ? fault : new Error(String(fault));
  const isSetAside = await collections.stuckOrders.recordFault(id, error.message, faultsMax);
  log.error({ err: error, orderId: id, isSetAside }, isSetAside ? 'order is set aside' : 'order cannot be posted');
  if (isSetAside) observe?.orderSetAside();
  return isSetAside ? 'setAside' : error;
}

async function postTogether(tools: PosterTools, ids: readonly string[]): Promise<Map<string, Outcome>> {
  const startedAt = performance.now();
  const runs = { count: 0 };
  for (let fold = 1; ; fold += 1) {
    // Read outside the transaction: an order's values never change, and its status is the guard of its update.
    const pending = await tools.collections.orders.findPending(ids);
    if (pending.length === 0) return new Map();
    try {
      const posting = await commitPosting(tools, pending, runs);
      const failed = [...posting.failed.values()].flat();
      tools.onPosted([...posting.completed, ...failed]);
      const durationMs = performance.now() - startedAt;
      tools.observe?.groupPosted({ orders: pending, posting, attempts: runs.count, durationMs });
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
async function commitPosting(tools: PosterTools, pending: readonly Order[], runs: { count: number }): Promise<Posting> {
  const { collections, currencies, session, log, holder } = tools;
  const walletIds = [...new Set(pending.flatMap((order) => [order.sourceWalletId, order.targetWalletId]))];
  const { result } = await runTransaction(session, async () => {
    runs.count += 1;
    const wallets = await collections.wallets.findByIds(walletIds, session);
    const posting = foldOrders(pending, wallets, currencies, new Date());
    await collections.wallets.writePosted(posting.wallets, session);
    await collections.flows.insertPosted(posting.flows, session);
    await collections.orders.writePosted(posting, { worker: holder, attempts: runs.count }, session);
    return posting;
  });
  log.debug({ orders: pending.length, wallets: walletIds.length, attempts: runs.count }, 'group posted');
  return result;
}
