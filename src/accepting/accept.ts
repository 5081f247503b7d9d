import type { Clock } from '../clock.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import { isSameOrder, newOrder, type Order, type OrderValues } from '../orders/order.ts';
import { typeOf } from '../orders/types.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import { ServiceError } from '../errors.ts';
import { createWorkspaceBatcher } from '../batcher.ts';
import type { Logger } from '../log.ts';
import type { PostingQueues } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import { attemptMinMs, type ThroughFailover } from '../storage/shared/failover.ts';
import type { Orders, RecordedOrder, SignedRequest } from '../storage/orders/orders.ts';
import { UnsettledError } from '../storage/shared/transaction.ts';
import { currentCause } from '../tracing.ts';
import type { Turns } from '../turns.ts';
import { createWalletCheck } from './wallet-check.ts';

export interface OrderRequest extends OrderValues {
  /** The signed request that asks for it; absent for the administrator's. */
  readonly request?: SignedRequest;
}

export interface Accepted {
  readonly order: Order;
  /** Whether an order with this bizId and the same values existed. It is returned as it stands now; nothing was recorded. */
  readonly isReplay: boolean;
}

export type Acceptor = ReturnType<typeof createAcceptor>;

interface AcceptorTools {
  readonly collections: Collections;
  readonly throughFailover: ThroughFailover;
  /** Present on a sharded cluster: each batch is then of one workspace, and waits for its turn. */
  readonly turns?: Turns | undefined;
  readonly queues: PostingQueues;
  readonly log: Logger;
  /** Dates the orders. */
  readonly clock: Clock;
  /** Throws UNAVAILABLE while new orders, or those of this workspace, should not be taken. */
  readonly checkPressure: (workspaceId: string) => void;
  /** Whether the workspace's EXTERNAL wallet may be source or target; only the administrator's may. */
  readonly mayUseExternal: boolean;
  readonly observe?: AcceptObserver;
}

/** Told what the acceptor does, for the operator. */
export interface AcceptObserver {
  /** @param recorded how many of the batch's orders are new. The bizId or signed request of the others is known. */
  batchRecorded(size: number, recorded: number, durationMs: number): void;
  enqueueFailed(): void;
}

/** An order on its way to be recorded. */
interface Recording {
  readonly workspaceId: string;
  readonly order: RecordedOrder;
  /** The span that caused it. */
  readonly cause: string | undefined;
  readonly timeLeftMs: () => number;
}

export function createAcceptor(tools: AcceptorTools) {
  const { collections, throughFailover, turns, checkPressure, mayUseExternal, observe, clock } = tools;
  const { orders, wallets } = collections;
  const walletCheck = createWalletCheck(wallets, mayUseExternal, turns);
  const jobs = startJobs(tools);
  const replay = createReplay(orders, jobs, turns);

  const record = createWorkspaceBatcher(turns, {
    // With less time left, an order could be recorded after its client was told that the service is away.
    isInTime: ({ timeLeftMs }) => timeLeftMs() >= attemptMinMs,
    flush: async (batch: readonly Recording[]) => {
      const startedAt = performance.now();
      const inserted = await orders.insertBatch(batch.map(({ order }) => order));
      const recorded = batch.filter((_, index) => inserted[index]);
      observe?.batchRecorded(batch.length, recorded.length, performance.now() - startedAt);
      jobs.enqueue(
        recorded.map(({ order }) => order),
        recorded.flatMap(({ cause }) => cause ?? []),
      );
      return inserted;
    },
  });

  /** Checks the wallets. @returns the order of a known bizId if they are refused, because the bizId counts first. */
  async function checkWallets(asked: OrderRequest): Promise<Accepted | undefined> {
    try {
      await walletCheck.check(asked.workspaceId, asked.currency, typeOf(asked).wallets(asked));
      return undefined;
    } catch (refusal) {
      const known = refusal instanceof ServiceError ? await replay(asked) : undefined;
      if (known === undefined) throw refusal;
      return known;
    }
  }

  /** @throws ServiceError NONCE_REUSED another order of the signed request is on a majority, whatever its bizId. */
  async function refuseUsedRequest({ workspaceId, request }: OrderRequest, own: RecordedOrder): Promise<void> {
    if (request === undefined) return;
    const made = await orders.findByRequest(workspaceId, request);
    // A majority may have got an earlier attempt's order since it was looked up by its bizId: the next attempt finds it.
    if (made !== undefined && made.id !== own.id) throw new ServiceError('NONCE_REUSED');
  }

  /** A failed attempt may have recorded the order all the same, so every further attempt records the very same order. */
  function attempts(asked: OrderRequest): (timeLeftMs: () => number) => Promise<Accepted> {
    let own: RecordedOrder | undefined;
    const { workspaceId } = asked;
    return async (timeLeftMs) => {
      if (own === undefined) {
        const known = await checkWallets(asked);
        if (known !== undefined) return known;
        own = newOrder(asked, clock());
      }
      const recording = { workspaceId, order: own, cause: currentCause(), timeLeftMs };
      if (await record(recording)) return { order: own, isReplay: false };
      // The bizId is known, the same signed request came before Redis lost its nonce, or an earlier attempt succeeded.
      const known = await replay(asked, own);
      if (known !== undefined) return known;
      await refuseUsedRequest(asked, own);
      // After an election the new primary may not show yet what is on a majority, or the old one had what is lost now.
      throw new UnsettledError('no majority has the order that this one repeats');
    };
  }

  return {
    /**
     * Records a transfer order, durable on a majority when this resolves, and wakes a worker for it. Repeating a call
     * with the same bizId and values returns the first call's order, also when both run at once. It waits out an
     * election; however many attempts that takes, the order is recorded once. Unless an EXTERNAL wallet may be used, it
     * is refused before anything is looked up, as if it were unknown.
     * @throws ServiceError BIZ_ID_CONFLICT, SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH, in that
     * order of checks; NONCE_REUSED if the signed request made an order before, which a majority has; UNAVAILABLE, BACKLOG_FULL or
     * WORKSPACE_BACKLOG_FULL, with nothing stored, under too much load. Source: docs/contract.md, "Creating a transfer".
     * @param timeLeftMs until the caller is told that it took too long. No attempt begins too late to end by then.
     */
    async accept(asked: OrderRequest, timeLeftMs = () => Infinity): Promise<Accepted> {
      checkPressure(asked.workspaceId);
      if (!mayUseExternal) refuseExternal(asked);
      return throughFailover(asked.workspaceId, attempts(asked), timeLeftMs);
    },
    /**
     * Finds the order that a create repeats which could not be made any more, because its currency has changed since. It
     * records nothing, and waits out an election as {@link accept} does.
     * @returns undefined if no order has its bizId and its values, or it names an EXTERNAL wallet.
     * @throws ServiceError NONCE_REUSED as accept does.
     */
    async findRepeated(asked: OrderRequest, timeLeftMs = () => Infinity): Promise<Accepted | undefined> {
      if (
        typeOf(asked)
          .wallets(asked)
          .some(({ id }) => isExternalWalletId(id))
      )
        return undefined;
      try {
        return await throughFailover(asked.workspaceId, () => replay(asked), timeLeftMs);
      } catch (error) {
        if (error instanceof ServiceError && error.errorName === 'BIZ_ID_CONFLICT') return undefined;
        throw error;
      }
    },
    /** Forgets all wallets, because something was changed. */
    forget: walletCheck.forget,
    /** Resolves once every order recorded so far is enqueued, or could not be and is left to the sweeper. */
    drain: jobs.drain,
  };
}

/**
 * Finds the order that a create's bizId names. It is looked up only after the wallets were refused or recording met a
 * duplicate, because nearly all bizIds are new. What it finds, a majority holds.
 */
function createReplay(orders: Orders, jobs: Jobs, turns: Turns | undefined) {
  const findOrder = createWorkspaceBatcher(turns, {
    flush: async (references: readonly { workspaceId: string; idOrBizId: string }[]) => orders.findMany(references),
  });
  /** @param own the order that was to be recorded. It is found if an earlier attempt recorded it after all. */
  return async (asked: OrderRequest, own?: RecordedOrder): Promise<Accepted | undefined> => {
    const { workspaceId } = asked;
    const idOrBizId = own?.bizId ?? asked.bizId;
    const order = idOrBizId === undefined ? undefined : await findOrder({ workspaceId, idOrBizId });
    if (order === undefined) return undefined;
    if (order.id === own?.id) {
      jobs.enqueue([order], []);
      return { order, isReplay: false };
    }
    if (isOfSameRequest(order, asked)) throw new ServiceError('NONCE_REUSED');
    if (!isSameOrder(order, asked)) {
      throw new ServiceError('BIZ_ID_CONFLICT', { field: 'bizId', value: order.id });
    }
    return { order, isReplay: true };
  };
}

/**
 * Refuses an EXTERNAL wallet by its id alone, before the bizId is looked up, which may be that of a funding order with
 * matching values. So a client that guesses such an order's wallet, amount and bizId, rightly or not, always gets the answer
 * for an unknown wallet with a new bizId, and learns nothing about orders or wallets.
 */
function refuseExternal(asked: OrderRequest): void {
  for (const { id, field } of typeOf(asked).wallets(asked)) {
    if (isExternalWalletId(id)) throw new ServiceError('WALLET_NOT_FOUND', { field });
  }
}

type Jobs = ReturnType<typeof startJobs>;

/** Wakes the workers. Nobody waits for this, because the orders are durable, and an order without a job is swept. */
function startJobs({ queues, log, observe }: AcceptorTools) {
  const enqueuing = new Set<Promise<void>>();
  return {
    enqueue(orders: readonly Order[], causes: readonly string[]): void {
      const jobs = queues
        .enqueue(byWorkspace(orders), causes)
        .catch((error: unknown) => {
          observe?.enqueueFailed();
          log.warn(
            { err: error, orders: orders.length },
            'orders recorded but not enqueued; the sweeper will find them',
          );
        })
        .finally(() => enqueuing.delete(jobs));
      enqueuing.add(jobs);
    },
    drain: async (): Promise<void> => {
      await Promise.all(enqueuing);
    },
  };
}

function isOfSameRequest(order: RecordedOrder, { request }: OrderRequest): boolean {
  const made = order.request;
  if (made === undefined || request === undefined) return false;
  return made.keyId === request.keyId && made.timestamp === request.timestamp && made.nonce === request.nonce;
}
