import { isExternalWalletId, newId, timeOfId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import { isSameTransfer } from '../domain/order.ts';
import type { Order } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';
import { createGrouping } from '../grouping.ts';
import type { Logger } from '../log.ts';
import type { PostingQueue } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import type { RecordedOrder, SignedRequest } from '../storage/orders.ts';
import { currentCause } from '../tracing.ts';
import { createWalletCheck } from './walletCheck.ts';

export interface TransferRequest {
  readonly workspaceId: string;
  /** The signed request it came by; absent where the administrator asks. */
  readonly request?: SignedRequest;
  /** The client's own id; absent where it gave none. */
  readonly bizId?: string;
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: Money;
  readonly currency: string;
}

export interface Accepted {
  readonly order: Order;
  /** The bizId was known, with the same values: the order as it stands now, nothing new. */
  readonly isReplay: boolean;
}

export interface Acceptor {
  /**
   * Records a transfer order, durable on a majority when this resolves, and wakes a worker for it. Repeating a call with
   * the same bizId and values returns the first call's order, also when both run at once. An EXTERNAL wallet is refused
   * first of all, unless it may be used, as if it were unknown.
   * @throws ServiceError BIZ_ID_CONFLICT, SAME_WALLET, WALLET_NOT_FOUND, WALLET_NOT_ACTIVE, CURRENCY_MISMATCH, in that
   * order of checks; TIMESTAMP_EXPIRED where the signed request made an order before; UNAVAILABLE, with nothing stored,
   * under too much load. Source: decisions, "Creating a transfer".
   * @param timeLeftMs until whoever asks is told that it took too long: what could not be recorded by then is not.
   */
  accept(transfer: TransferRequest, timeLeftMs?: () => number): Promise<Accepted>;
  /** Looks at every wallet anew from now on: something was changed. */
  forget(): void;
  /** Resolves once every order recorded so far is enqueued, or could not be and is left to the sweeper. */
  drain(): Promise<void>;
}

interface AcceptorTools {
  readonly collections: Collections;
  readonly queue: PostingQueue;
  readonly log: Logger;
  /** Throws UNAVAILABLE while new orders should not be taken. */
  readonly checkPressure: () => void;
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

/** Creates recorded by one command, and carried by one job. */
const groupSizeMax = 256;
const lookupsInFlightMax = 2;
const insertsInFlightMax = 2;
const flushMaxMs = 12_000;
/** An order that waits longer for its turn to be recorded is not recorded any more. */
const recordWaitMaxMs = 4_000;
/** Nor is one whose client will have been told by then, or soon after, that the service is away. */
const recordMinMs = recordWaitMaxMs + 1_000;
/** Creates under way in this process; further ones are refused rather than kept waiting in memory. */
const createsInFlightMax = 4_096;
const retryAfterSeconds = 1;

export function createAcceptor(tools: AcceptorTools): Acceptor {
  const { collections, checkPressure, mayUseExternal, observe } = tools;
  const { orders, wallets } = collections;
  const walletCheck = createWalletCheck(wallets, mayUseExternal);
  const jobs = startJobs(tools);

  const findOrder = createGrouping({
    sizeMax: groupSizeMax,
    inFlightMax: lookupsInFlightMax,
    flushMaxMs,
    flush: async (references: readonly { workspaceId: string; idOrBizId: string }[]) => orders.findMany(references),
  });
  const record = createGrouping({
    sizeMax: groupSizeMax,
    inFlightMax: insertsInFlightMax,
    flushMaxMs,
    waitMaxMs: recordWaitMaxMs,
    flush: async (group: readonly { order: RecordedOrder; cause: string | undefined }[]) => {
      const startedAt = performance.now();
      const inserted = await orders.insertGroup(group.map(({ order }) => order));
      const recorded = group.filter((_, index) => inserted[index]);
      observe?.groupRecorded(group.length, recorded.length, performance.now() - startedAt);
      jobs.enqueue(
        recorded.map(({ order }) => order.id),
        recorded.flatMap(({ cause }) => cause ?? []),
      );
      return inserted;
    },
  });

  /** A bizId is looked up only where it may be known: nearly all are new, and recording tells by its unique index. */
  async function replay(transfer: TransferRequest): Promise<Accepted | undefined> {
    const { workspaceId, bizId } = transfer;
    const order = bizId === undefined ? undefined : await findOrder({ workspaceId, idOrBizId: bizId });
    if (order === undefined) return undefined;
    if (isOfSameRequest(order, transfer)) throw new ServiceError('TIMESTAMP_EXPIRED');
    if (!isSameTransfer(order, transfer)) throw new ServiceError('BIZ_ID_CONFLICT');
    return { order, isReplay: true };
  }

  async function accept(transfer: TransferRequest, timeLeftMs: () => number): Promise<Accepted> {
    if (!mayUseExternal) refuseExternal(transfer);
    try {
      await walletCheck.check(transfer);
    } catch (refusal) {
      // What the bizId says comes first, whatever became of the wallets.
      const known = refusal instanceof ServiceError ? await replay(transfer) : undefined;
      if (known === undefined) throw refusal;
      return known;
    }
    if (timeLeftMs() < recordMinMs) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds });
    const order = newOrder(transfer);
    if (await record({ order, cause: currentCause() })) return { order, isReplay: false };
    // The bizId is known, or the same signed request came before Redis lost its nonce.
    const known = await replay(transfer);
    if (known === undefined) throw new ServiceError('TIMESTAMP_EXPIRED');
    return known;
  }

  let inFlight = 0;
  return {
    async accept(transfer, timeLeftMs = unlimited) {
      if (inFlight >= createsInFlightMax) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds });
      checkPressure();
      inFlight += 1;
      try {
        return await accept(transfer, timeLeftMs);
      } finally {
        inFlight -= 1;
      }
    },
    forget: () => {
      walletCheck.forget();
    },
    drain: jobs.drain,
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

/** Wakes the workers. Nobody waits for it: the orders are durable, and what no job carries is swept. */
function startJobs({ queue, log, observe }: AcceptorTools) {
  const enqueuing = new Set<Promise<void>>();
  return {
    enqueue(orderIds: readonly string[], causes: readonly string[]): void {
      const job = queue
        .enqueue(orderIds, causes)
        .catch((error: unknown) => {
          observe?.enqueueFailed();
          log.warn(
            { err: error, orders: orderIds.length },
            'orders recorded but not enqueued; the sweeper will find them',
          );
        })
        .finally(() => enqueuing.delete(job));
      enqueuing.add(job);
    },
    drain: async (): Promise<void> => {
      await Promise.all(enqueuing);
    },
  };
}

function unlimited(): number {
  return Infinity;
}

/** The id, and so the place in lists, is made before the order is recorded: one with a later id may be seen before it. */
function newOrder(transfer: TransferRequest): RecordedOrder {
  const { request } = transfer;
  const id = newId('order');
  const createdAt = timeOfId('order', id);
  return {
    id,
    bizId: transfer.bizId ?? id,
    workspaceId: transfer.workspaceId,
    sourceWalletId: transfer.sourceWalletId,
    targetWalletId: transfer.targetWalletId,
    amount: transfer.amount,
    currency: transfer.currency,
    status: 'PENDING',
    failure: null,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
    ...(request === undefined ? {} : { request }),
  };
}

function isOfSameRequest(order: RecordedOrder, { request }: TransferRequest): boolean {
  const made = order.request;
  if (made === undefined || request === undefined) return false;
  return made.keyId === request.keyId && made.timestamp === request.timestamp && made.nonce === request.nonce;
}
