import { isExternalWalletId } from '../domain/ids.ts';
import { isSameTransfer, newOrder, type Order, type OrderValues } from '../domain/order.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import { ServiceError } from '../errors.ts';
import { createBatcher } from '../batcher.ts';
import type { Logger } from '../log.ts';
import type { PostingQueues } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import { attemptMinMs, type ThroughFailover } from '../storage/failover.ts';
import type { Orders, RecordedOrder, SignedRequest } from '../storage/orders.ts';
import { UnsettledError } from '../storage/transaction.ts';
import { currentCause } from '../tracing.ts';
import { createWalletCheck } from './wallet-check.ts';

export interface TransferRequest extends OrderValues {
  /** The signed request it came by; absent where the administrator asks. */
  readonly request?: SignedRequest;
}

export interface Accepted {
  readonly order: Order;
  /** The bizId was known, with the same values: the order as it stands now, nothing new. */
  readonly isReplay: boolean;
}

export type Acceptor = ReturnType<typeof createAcceptor>;

interface AcceptorTools {
  readonly collections: Collections;
  readonly throughFailover: ThroughFailover;
  readonly queues: PostingQueues;
  readonly log: Logger;
  /** Throws UNAVAILABLE while new orders, or those of this workspace, should not be taken. */
  readonly checkPressure: (workspaceId: string) => void;
  /** Whether the workspace's EXTERNAL wallet may be a side: for the administrator alone. */
  readonly mayUseExternal: boolean;
  readonly observe?: AcceptObserver;
}

/** Told what the acceptor does, for the operator. */
export interface AcceptObserver {
  /** @param recorded how many of the group's orders are new; the others' bizId or signed request is known. */
  groupRecorded(size: number, recorded: number, durationMs: number): void;
  enqueueFailed(): void;
}

/** An order on its way to be recorded. */
interface Recording {
  readonly order: RecordedOrder;
  /** The span that caused it. */
  readonly cause: string | undefined;
  readonly timeLeftMs: () => number;
}

export function createAcceptor(tools: AcceptorTools) {
  const { collections, throughFailover, checkPressure, mayUseExternal, observe } = tools;
  const { orders, wallets } = collections;
  const walletCheck = createWalletCheck(wallets, mayUseExternal);
  const jobs = startJobs(tools);
  const replay = createReplay(orders, jobs);

  const record = createBatcher({
    // What is sent later could be recorded after its client was told that the service is away.
    isInTime: ({ timeLeftMs }) => timeLeftMs() >= attemptMinMs,
    flush: async (group: readonly Recording[]) => {
      const startedAt = performance.now();
      const inserted = await orders.insertGroup(group.map(({ order }) => order));
      const recorded = group.filter((_, index) => inserted[index]);
      observe?.groupRecorded(group.length, recorded.length, performance.now() - startedAt);
      jobs.enqueue(
        recorded.map(({ order }) => order),
        recorded.flatMap(({ cause }) => cause ?? []),
      );
      return inserted;
    },
  });

  /** @returns what the bizId says where the wallets are refused: it comes first, whatever became of them. */
  async function checkWallets(transfer: TransferRequest): Promise<Accepted | undefined> {
    try {
      await walletCheck.check(transfer);
      return undefined;
    } catch (refusal) {
      const known = refusal instanceof ServiceError ? await replay(transfer) : undefined;
      if (known === undefined) throw refusal;
      return known;
    }
  }

  /** An attempt that fails may have recorded the order all the same, so every further one is of the very same order. */
  function attempts(transfer: TransferRequest, timeLeftMs: () => number): () => Promise<Accepted> {
    let own: RecordedOrder | undefined;
    return async () => {
      const isRepeated = own !== undefined;
      if (own === undefined) {
        const known = await checkWallets(transfer);
        if (known !== undefined) return known;
        own = newOrder(transfer);
      }
      if (await record({ order: own, cause: currentCause(), timeLeftMs })) return { order: own, isReplay: false };
      // The bizId is known, the same signed request came before Redis lost its nonce, or an earlier attempt succeeded.
      const known = await replay(transfer, own);
      if (known !== undefined) return known;
      throw isRepeated ? new UnsettledError('the order is not on a majority yet') : new ServiceError('NONCE_REUSED');
    };
  }

  return {
    /**
     * Records a transfer order, durable on a majority when this resolves, and wakes a worker for it. Repeating a call with
     * the same bizId and values returns the first call's order, also when both run at once. Waits out an election: what is
     * then attempted again is recorded once. An EXTERNAL wallet is refused first of all, unless it may be used, as if it
     * were unknown.
     * @throws ServiceError BIZ_ID_CONFLICT, SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH, in that
     * order of checks; NONCE_REUSED where the signed request made an order before; UNAVAILABLE, BACKLOG_FULL or
     * WORKSPACE_BACKLOG_FULL, with nothing stored, under too much load. Source: docs/contract.md, "Creating a transfer".
     * @param timeLeftMs until whoever asks is told that it took too long: what could not be recorded by then is not.
     */
    async accept(transfer: TransferRequest, timeLeftMs = () => Infinity): Promise<Accepted> {
      checkPressure(transfer.workspaceId);
      if (!mayUseExternal) refuseExternal(transfer);
      return throughFailover(attempts(transfer, timeLeftMs), timeLeftMs);
    },
    /** Looks at every wallet anew from now on: something was changed. */
    forget: walletCheck.forget,
    /** Resolves once every order recorded so far is enqueued, or could not be and is left to the sweeper. */
    drain: jobs.drain,
  };
}

/**
 * Finds the order that a create's bizId names. It is looked up only where it may be known: nearly all are new, and recording
 * tells by its unique index. What is found, a majority holds.
 */
function createReplay(orders: Orders, jobs: Jobs) {
  const findOrder = createBatcher({
    flush: async (references: readonly { workspaceId: string; idOrBizId: string }[]) => orders.findMany(references),
  });
  /** @param own the order that was to be recorded: where an earlier attempt did so after all, that is what is found. */
  return async (transfer: TransferRequest, own?: RecordedOrder): Promise<Accepted | undefined> => {
    const { workspaceId } = transfer;
    const idOrBizId = own?.bizId ?? transfer.bizId;
    const order = idOrBizId === undefined ? undefined : await findOrder({ workspaceId, idOrBizId });
    if (order === undefined) return undefined;
    if (order.id === own?.id) {
      jobs.enqueue([order], []);
      return { order, isReplay: false };
    }
    if (isOfSameRequest(order, transfer)) throw new ServiceError('NONCE_REUSED');
    if (!isSameTransfer(order, transfer)) {
      throw new ServiceError('BIZ_ID_CONFLICT', { field: 'bizId', value: order.id });
    }
    return { order, isReplay: true };
  };
}

/**
 * By the id alone, before the bizId is looked up: it may be that of a funding order, whose values would match. A client that
 * names the right EXTERNAL wallet, amount and bizId of one, nearly the right ones, or nonsense gets one and the same answer,
 * that of an unknown wallet, and learns nothing of any order or wallet by it.
 */
function refuseExternal({ sourceWalletId, targetWalletId }: TransferRequest): void {
  if (isExternalWalletId(sourceWalletId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'sourceWalletId' });
  if (isExternalWalletId(targetWalletId)) throw new ServiceError('WALLET_NOT_FOUND', { field: 'targetWalletId' });
}

type Jobs = ReturnType<typeof startJobs>;

/** Wakes the workers. Nobody waits for it: the orders are durable, and what no job carries is swept. */
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

function isOfSameRequest(order: RecordedOrder, { request }: TransferRequest): boolean {
  const made = order.request;
  if (made === undefined || request === undefined) return false;
  return made.keyId === request.keyId && made.timestamp === request.timestamp && made.nonce === request.nonce;
}
