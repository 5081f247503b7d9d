import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import { ServiceError } from '../errors.ts';
import { differencesOf, type CreateOrderInput, type Order, type SignedRequest } from '../orders/order.ts';
import { attemptMinMs } from '../waiting/failover.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { currentCause } from '../tracing.ts';
import type { Scope } from '../domain/scopes.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';
import type { OrderEnqueuer } from './order-enqueuer.ts';

export type OrderRequest = CreateOrderInput & {
  readonly workspaceId: string;
  /** The signed request that asks for it; absent for the administrator's. */
  readonly request?: SignedRequest;
  /** The key that asks for it; absent for the administrator's. */
  readonly apiKey?: string;
  /** The batch that it comes in, if in one. */
  readonly batchId?: string;
  /** What whoever asks may do; nothing beyond the command itself, if absent. */
  readonly scopes?: ReadonlySet<Scope>;
  /** Why it may not use the order that it refers to, which has too many legs for its batch. */
  readonly tooManyLegs?: ServiceError | undefined;
};

export interface Accepted {
  readonly order: Order;
  /** Whether an order with this bizId and the same values existed. It is returned as it stands now; nothing was recorded. */
  readonly isReplay: boolean;
}

/** What is on its way to be recorded. */
interface ToRecord {
  readonly workspaceId: string;
  /** The span that caused it. */
  readonly cause: string | undefined;
  readonly timeLeftMs: () => number;
}

/** How many atomic batches are recorded at once, each in a transaction of its own; on a cluster as many as have permits. */
const togetherInFlightMax = 8;

/** With less time left, an order could be recorded after its client got the answer that the service is away. */
function isInTime({ timeLeftMs }: ToRecord): boolean {
  return timeLeftMs() >= attemptMinMs;
}

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Records orders, and finds those that were recorded before. Orders that arrive together share a command.
 * @param bulkhead present on a sharded cluster: each batch is then for one workspace, and waits for a permit.
 * @param onRecorded hears of each batch how many of its orders are new: none if it failed. The bizId or signed request of the
 * others is known.
 */
export function createRecorder(
  orders: Pick<Orders, 'insertBatch' | 'insertTogether' | 'findMany' | 'findByRequest'>,
  enqueuer: Pick<OrderEnqueuer, 'enqueue'>,
  bulkhead?: Bulkhead,
  onRecorded: (recorded: number, durationMs: number) => void = () => undefined,
) {
  async function timed<T>(insertion: () => Promise<T>, countOf: (inserted: T) => number): Promise<T> {
    const startedAt = performance.now();
    let recorded = 0;
    try {
      const inserted = await insertion();
      recorded = countOf(inserted);
      return inserted;
    } finally {
      onRecorded(recorded, performance.now() - startedAt);
    }
  }

  const insert = createWorkspaceBatcher(
    bulkhead,
    async (batch: readonly (ToRecord & { readonly order: Order })[]) => {
      const inserted = await timed(
        () => orders.insertBatch(batch.map(({ order }) => order)),
        (areNew) => areNew.filter(Boolean).length,
      );
      const recorded = batch.filter((_, index) => inserted[index]);
      enqueuer.enqueue(
        recorded.map(({ order }) => order),
        recorded.flatMap(({ cause }) => cause ?? []),
      );
      return inserted;
    },
    { isInTime },
  );
  const insertTogether = createWorkspaceBatcher(
    bulkhead,
    async (batches: readonly (ToRecord & { readonly together: readonly Order[] })[], isGivenUp) => {
      const [{ together, cause } = { together: [], cause: undefined }] = batches;
      const isNew = await timed(
        () => orders.insertTogether(together, isGivenUp),
        (areNew) => (areNew ? together.length : 0),
      );
      if (isNew) enqueuer.enqueue(together.slice(0, 1), cause === undefined ? [] : [cause]);
      return [isNew];
    },
    { sizeMax: 1, inFlightMax: togetherInFlightMax, isInTime, timeLeftMs: (batch) => batch.timeLeftMs() },
  );
  const findOrder = createWorkspaceBatcher(bulkhead, orders.findMany);

  return {
    /** @returns whether the order is new; false if its bizId or its signed request made an order before. */
    record: (order: Order, timeLeftMs: () => number): Promise<boolean> =>
      insert({ workspaceId: order.workspaceId, order, cause: currentCause(), timeLeftMs }),
    /**
     * Finds the order that a request's bizId names, and the one that it refers to, which a majority holds. Nearly all bizIds
     * are new, so a request that refers to none asks only after its wallets were refused or recording met a duplicate.
     * @param attempted the order that was to be recorded. It is found if an earlier attempt recorded it after all.
     * @returns the order that the request repeats, as it stands now, if there is one.
     * @throws ServiceError NONCE_REUSED the same signed request made it; BIZ_ID_CONFLICT it has other values.
     */
    async find(
      request: OrderRequest,
      attempted?: Order,
    ): Promise<{ repeated: Accepted | undefined; parent: Order | undefined }> {
      const { workspaceId } = request;
      const findOne = async (idOrBizId: string | undefined): Promise<Order | undefined> =>
        idOrBizId === undefined ? undefined : findOrder({ workspaceId, idOrBizId });
      const [order, parent] = await Promise.all([findOne(attempted?.bizId ?? request.bizId), findOne(request.parent)]);
      if (order === undefined) return { repeated: undefined, parent };
      if (order.id === attempted?.id) {
        enqueuer.enqueue([order], []);
        return { repeated: { order, isReplay: false }, parent };
      }
      if (isOfSameRequest(order, request)) throw new ServiceError('NONCE_REUSED');
      const differences = differencesOf(order, request, parent?.id);
      if (differences.length > 0) throw conflict(order.id, differences);
      return { repeated: { order, isReplay: true }, parent };
    },
    /**
     * Records the orders of an atomic batch of a workspace, the first of which stands for all.
     * @returns whether all are new; false if a bizId is known, and none was recorded.
     */
    recordTogether: (workspaceId: string, together: readonly Order[], timeLeftMs: () => number): Promise<boolean> =>
      insertTogether({ workspaceId, together, cause: currentCause(), timeLeftMs }),
    /** The orders of a workspace by their ids or bizIds, in order; undefined where there is none. */
    findAll: (workspaceId: string, idsOrBizIds: readonly (string | undefined)[]): Promise<(Order | undefined)[]> =>
      Promise.all(
        idsOrBizIds.map(async (idOrBizId) =>
          idOrBizId === undefined ? undefined : findOrder({ workspaceId, idOrBizId }),
        ),
      ),
    /** Wakes a worker again for what an earlier attempt may have recorded. */
    enqueueAgain: (order: Order): void => {
      enqueuer.enqueue([order], []);
    },
    /** @throws ServiceError NONCE_REUSED another order of the signed request is on a majority, whatever its bizId. */
    async refuseUsedRequest({ workspaceId, request }: OrderRequest, attempted: Order): Promise<void> {
      if (request === undefined) return;
      const made = await orders.findByRequest(workspaceId, request);
      // A majority may have got an earlier attempt's order since it was looked up by its bizId: the next attempt finds it.
      if (made !== undefined && made.id !== attempted.id) throw new ServiceError('NONCE_REUSED');
    },
  };
}

/** @param differences the fields whose values that order does not have. */
export function conflict(orderId?: string, differences: readonly string[] = []): ServiceError {
  const [reason, field] = ['BIZ_ID_CONFLICT', 'bizId'] as const;
  const faults = [field, ...differences].map((name) => ({ reason, field: name }));
  return new ServiceError(reason, { field, value: orderId, faults });
}

function isOfSameRequest(order: Order, { request }: OrderRequest): boolean {
  const made = order.request;
  if (made === undefined || request === undefined) return false;
  return made.keyId === request.keyId && made.timestamp === request.timestamp && made.nonce === request.nonce;
}
