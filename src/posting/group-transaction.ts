import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { OrderToPost } from '../domain/order.ts';
import { foldOrders, type Posting } from '../domain/fold-orders.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import { toError } from '../errors.ts';
import type { Settling } from '../storage/orders/orders.ts';
import { RefusedWriteError } from '../storage/group-writes.ts';
import { outboxOf } from '../storage/webhooks/outbox.ts';
import {
  ContendedError,
  isDocumentFault,
  isTransientFault,
  runTransaction,
  StaleReadError,
  transactionMaxMs,
  type ClientSession,
} from '../storage/shared/transaction.ts';
import { inSpan } from '../tracing.ts';
import type { GroupTools } from './group-tools.ts';
import type { Outcome } from './queued-order.ts';

/** The tools with the session of the group, which runs one transaction at a time, and its number among the worker's. */
type SessionTools = GroupTools & { readonly session: ClientSession; readonly slot: number };

const endLostMaxMs = 2_000;
/** The longest pause before a group is folded again, times the number of folds: the other writer may need a moment. */
const foldPauseMaxMs = 20;
/** How often an order may fail for a reason of its own before it is set aside. */
const faultsMax = 4;
/** How often a group is folded again because what it read had changed. */
const foldsMax = 8;

/**
 * Posts a group in one transaction, without the orders that cannot be posted for a reason of their own. Leaving out those
 * that the fold names costs nothing. If MongoDB refuses others, they are taken out and the rest is posted again. Posting is
 * a no-op for an order that is no longer PENDING.
 * @param orders are posted in this order.
 * @returns the outcome of each order by id; an Error for one that could not be posted; none for one that was no longer
 * PENDING.
 * @throws if MongoDB is away or the group lost too many conflicts. It is then not known which orders were posted.
 */
export async function postGroup(
  tools: SessionTools,
  orders: readonly OrderToPost[],
): Promise<ReadonlyMap<string, Outcome | Error>> {
  const span = { kind: 'internal', attributes: { orders: orders.length } } as const;
  return inSpan('post group', span, () => postSkippingFaulty(tools, orders));
}

/** Ends the process if the driver never answers: a step that takes longer never ends, and its session is lost. */
async function watched<T>({ onHung }: SessionTools, step: Promise<T>): Promise<T> {
  return pTimeout(step, {
    milliseconds: transactionMaxMs,
    fallback: () => onHung('a step of a group neither succeeded nor failed'),
  });
}

async function postSkippingFaulty(
  tools: SessionTools,
  orders: readonly OrderToPost[],
): Promise<Map<string, Outcome | Error>> {
  const outcomes = new Map<string, Outcome | Error>();
  const add = (more: ReadonlyMap<string, Outcome | Error>): void => {
    for (const [id, outcome] of more) outcomes.set(id, outcome);
  };
  let settling: Settling = 'together';
  for (let rest = orders; rest.length > 0;) {
    try {
      const { outcomes: posted, unpostable } = await postTogether(tools, rest, settling);
      add(posted);
      add(await recordFaults(tools, unpostable));
      return outcomes;
    } catch (error) {
      if (!isDocumentFault(error)) {
        tools.observe?.groupFailed();
        tools.log.warn({ err: error, orders: orders.length }, 'group not posted; its jobs are tried again');
        throw error;
      }
      const faults = faultsOf(error, rest);
      if (faults.length > 0) {
        add(await recordFaults(tools, faults));
        rest = rest.filter(({ id }) => !outcomes.has(id));
      } else if (error instanceof RefusedWriteError && settling === 'together') settling = 'one by one';
      else {
        // The error names no order, so it is found by halving the group.
        const middle = Math.ceil(rest.length / 2);
        for (const half of [rest.slice(0, middle), rest.slice(middle)]) add(await postSkippingFaulty(tools, half));
        return outcomes;
      }
    }
  }
  return outcomes;
}

interface Fault {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly error: Error;
}

/** The orders that made a group fail; none if the error does not name them. */
function faultsOf(error: unknown, orders: readonly OrderToPost[]): Fault[] {
  const refused = error instanceof RefusedWriteError ? error : undefined;
  const cause = toError(refused?.cause ?? error);
  const refusedIds = new Set(orders.length === 1 ? orders.map(({ id }) => id) : refused?.orderIds);
  return orders
    .filter(({ id }) => refusedIds.has(id))
    .map(({ workspaceId, id }) => ({ workspaceId, orderId: id, error: cause }));
}

async function recordFaults(tools: SessionTools, faults: readonly Fault[]): Promise<Map<string, Outcome | Error>> {
  const [first] = faults;
  if (first === undefined) return new Map();
  const { collections, log, observe } = tools;
  const reasons = faults.map(({ error, ...order }) => ({ ...order, reason: error.message }));
  const setAside = await watched(tools, collections.stuckOrders.recordFaults(reasons, faultsMax));
  log.error(
    { err: first.error, orderId: first.orderId, orders: faults.length, setAside: setAside.size },
    'orders cannot be posted; the first is named',
  );
  for (let count = 0; count < setAside.size; count += 1) observe?.orderSetAside();
  return new Map(faults.map(({ orderId, error }) => [orderId, setAside.has(orderId) ? 'setAside' : error]));
}

interface Posted {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly unpostable: readonly Fault[];
}

async function postTogether(tools: SessionTools, orders: readonly OrderToPost[], settling: Settling): Promise<Posted> {
  const startedAt = performance.now();
  const runs = { count: 0 };
  await learnCurrencies(tools, orders);
  // Read outside the transaction: an order's values never change, and its status is the guard of its update.
  let pending = orders;
  for (let fold = 1; pending.length > 0; fold += 1) {
    try {
      const posting = await watched(tools, commitPosting(tools, pending, settling, runs));
      const outcomes = outcomesOf(posting);
      if (outcomes.size > 0) {
        tools.onPosted([...outcomes.keys()]);
        const durationMs = performance.now() - startedAt;
        const posted = pending.filter(({ id }) => outcomes.has(id));
        tools.observe?.groupPosted({ orders: posted, posting, attempts: runs.count, durationMs });
      }
      return {
        outcomes,
        unpostable: posting.unpostable.map((error) => ({
          workspaceId: error.workspaceId,
          orderId: error.orderId,
          error,
        })),
      };
    } catch (error) {
      if (!(error instanceof StaleReadError) || fold === foldsMax) throw error;
      tools.log.debug({ fold, reason: error.message }, 'group is folded again');
      await setTimeout(Math.random() * foldPauseMaxMs * fold);
      const finding = tools.collections.orders.findPending(byWorkspace(orders));
      const still = new Set((await watched(tools, finding)).map(({ id }) => id));
      pending = orders.filter(({ id }) => still.has(id));
    }
  }
  return { outcomes: new Map(), unpostable: [] };
}

/** Before an order is refused for its currency: it may have been accepted by a process that has just added it. */
async function learnCurrencies(tools: SessionTools, orders: readonly OrderToPost[]): Promise<void> {
  const { currencies, readCurrencies } = tools;
  if (readCurrencies === undefined || orders.every(({ currency }) => currencies.has(currency))) return;
  await watched(tools, readCurrencies());
}

function outcomesOf({ completed, failed }: Posting): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const id of completed) outcomes.set(id, 'completed');
  for (const id of [...failed.values()].flat()) outcomes.set(id, 'failed');
  return outcomes;
}

/** Ends a transaction that may be left open. If this fails, the session's next transaction ends it, or its lifetime does. */
async function endLost({ collections, session, log }: SessionTools): Promise<void> {
  const ending = pTimeout(collections.workers.endTransaction(session), { milliseconds: endLostMaxMs });
  await ending.catch((error: unknown) => {
    log.debug({ err: error }, 'a transaction may be left open');
  });
}

/** One round trip to read the wallets, three to write (four if webhooks are told), and a commit, however many the orders. */
async function commitPosting(
  tools: SessionTools,
  pending: readonly OrderToPost[],
  settling: Settling,
  runs: { count: number },
): Promise<Posting> {
  const { collections, writePosted, currencies, session, slot, log, clock, instanceId } = tools;
  const walletIds = [...new Set(pending.flatMap((order) => [order.sourceWalletId, order.targetWalletId]))];
  const workspaceIds = [...new Set(pending.map(({ workspaceId }) => workspaceId))];
  const running = runTransaction(session, async () => {
    runs.count += 1;
    // Asked in each run: after an election a run may come seconds later, and must see which endpoints are enabled by then.
    const subscribing = tools.webhooks?.subscribersOf(workspaceIds);
    // If a read below fails first, nobody awaits this.
    subscribing?.catch(() => undefined);
    const wallets = await collections.wallets.findByIds(walletIds, workspaceIds, session);
    const posting = foldOrders(pending, wallets, currencies, clock());
    const outbox = outboxOf(posting, (await subscribing) ?? new Map());
    const postedBy = { worker: instanceId, attempts: runs.count };
    await writePosted(posting, { session, postedBy, slot, settling, outbox });
    return { posting, outbox };
  });
  const { posting, outbox } = await running.catch(async (error: unknown) => {
    if (isTransientFault(error) && !(error instanceof ContendedError)) await endLost(tools);
    throw error;
  });
  log.debug({ orders: pending.length, wallets: walletIds.length, attempts: runs.count }, 'group posted');
  tools.webhooks?.onWritten(outbox);
  return posting;
}
