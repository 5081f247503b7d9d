import { MongoBulkWriteError, type ClientSession, type Collection, type Db, type Filter } from 'mongodb';
import { idPrefixes } from '../../domain/ids.ts';
import type { Listed } from '../../domain/money.ts';
import { noProgress } from '../../domain/progress.ts';
import { settledAt, type ParentOrder, type Posting } from '../../orders/fold.ts';
import type { Order, OrderStatus, OrderToPost } from '../../orders/order.ts';
import { walletIdsOf } from '../../orders/types.ts';
import type { WorkspaceOrders } from '../../domain/workspace-orders.ts';
import { amountIn, fromDecimal128, type Stored, toDecimal128, decimalAsText } from '../shared/decimal.ts';
import { errorCodes } from '../shared/error-codes.ts';
import { anyOf, byId, type GuardedUpdate, inOneReply, operatorMaxMs } from '../shared/commands.ts';
import { orderIndexes } from '../schema/schema.ts';
import { toProgress, type ProgressDocument } from './progress.ts';

/** The signed request that made an order: unique, whatever becomes of the nonces in Redis. */
export interface SignedRequest {
  readonly keyId: string;
  /** Unix time in seconds, as signed. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** Which worker settled an order, for the operator's page. */
export interface PostedBy {
  readonly worker: string;
  /** Runs of the transaction that it took. */
  readonly attempts: number;
}

/** An order as recorded; orders made by the administrator have no signed request. */
export interface RecordedOrder extends Order {
  readonly request?: SignedRequest;
  readonly postedBy?: PostedBy;
  /** Of the first order of an atomic batch: the others, which are posted with it or not at all, in their order. */
  readonly otherIds?: readonly string[];
  /** Of the others: the first. */
  readonly firstId?: string;
}

/** An order with what the operator's page shows of it. */
export interface TrailOrder extends RecordedOrder {
  /** Set if it could not be posted for a reason of its own; see stuck-orders.ts. */
  readonly fault?: { readonly attempts: number; readonly reason: string; readonly at: Date };
  /** When it was set aside: nobody tries it again until the operator says so. */
  readonly stuckSince?: Date;
}

/**
 * How an order's state is stored. One that is set aside is PENDING for everybody but the operator. It has a state of its own,
 * so that nobody who looks for what waits reads, counts or passes over it. Of an atomic batch only the first order is looked
 * for, tried again, and set aside: the others are PENDING_IN_BATCH until they end with it.
 */
export type StoredStatus = OrderStatus | 'PENDING_IN_BATCH' | 'SET_ASIDE';

/** What waits for a worker. */
export const waiting = { $in: ['PENDING', 'PENDING_IN_BATCH'] as const satisfies StoredStatus[] };
/** What clients call PENDING. */
export const unsettled = { $in: ['PENDING', 'PENDING_IN_BATCH', 'SET_ASIDE'] as const satisfies StoredStatus[] };

/** What has not ended. */
export const open = { $in: [...unsettled.$in, 'SCHEDULED'] as const satisfies StoredStatus[] };

export function shownStatus(stored: StoredStatus): OrderStatus {
  return stored === 'SET_ASIDE' || stored === 'PENDING_IN_BATCH' ? 'PENDING' : stored;
}

export interface OrderDocument extends Omit<Stored<TrailOrder>, 'status' | 'metadata' | 'progress'> {
  readonly status: StoredStatus;
  /** As JSON, because a field's name may have no dot on every server. */
  readonly metadata?: string;
  readonly progress?: ProgressDocument;
  /** When the service has something to do about the order by itself; null once there is nothing. */
  readonly dueAt?: Date | null;
  /** Those that the order names, so that one index has the orders of a wallet. */
  readonly wallets: readonly string[];
}

/** A bizId never begins like an order's id, so a text is one or the other. */
export interface OrderReference {
  readonly workspaceId: string;
  readonly idOrBizId: string;
}

/** Only half of a document, because a worker reads every order. */
const neededToPost = {
  _id: 1,
  workspaceId: 1,
  type: 1,
  sourceWalletId: 1,
  targetWalletId: 1,
  amount: 1,
  currency: 1,
  parentId: 1,
  executeAt: 1,
  expiresAt: 1,
  terms: 1,
  otherIds: 1,
  createdAt: 1,
} as const;

/** What an order is used by that refers to it. */
const neededOfParent = { workspaceId: 1, amount: 1, expiresAt: 1, progress: 1 } as const;

export type Orders = ReturnType<typeof openOrders>;

/** The `orders` collection. */
export function openOrders(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  /** Orders by workspace and (id or bizId), in one query, each at its reference's place; undefined where there is none. */
  async function findMany(references: readonly OrderReference[]): Promise<(RecordedOrder | undefined)[]> {
    const filter = referredTo(references);
    const options = { ...inOneReply(references.length), ...('$or' in filter ? {} : byId) };
    const documents = await collection.find(filter, options).toArray();
    const byReference = new Map<string, RecordedOrder>();
    for (const document of documents) {
      const order = toOrder(document);
      byReference.set(`${order.workspaceId} ${order.id}`, order);
      byReference.set(`${order.workspaceId} ${order.bizId}`, order);
    }
    return references.map(({ workspaceId, idOrBizId }) => byReference.get(`${workspaceId} ${idOrBizId}`));
  }

  /** One order of a workspace by its id or its bizId. */
  async function find(workspaceId: string, idOrBizId: string): Promise<RecordedOrder | undefined> {
    return (await findMany([{ workspaceId, idOrBizId }]))[0];
  }

  return {
    /**
     * Records a batch of new orders in one command; they are durable on a majority when it returns.
     * @returns for each order, in order: true if it was inserted, false if its bizId or its signed request exists already.
     * A duplicate fails alone. Any other error is thrown; which orders were stored is then not known.
     */
    async insertBatch(orders: readonly RecordedOrder[]): Promise<boolean[]> {
      try {
        await collection.insertMany(orders.map(toDocument), { ordered: false });
        return orders.map(() => true);
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError)) throw error;
        // The driver wraps a broken connection in a bulk error without write errors.
        if (error.errorResponse instanceof Error) throw error.errorResponse;
        const writeErrors = [error.writeErrors].flat();
        const onlyDuplicates =
          writeErrors.length > 0 && writeErrors.every(({ code }) => code === errorCodes.DuplicateKey);
        if (!onlyDuplicates || error.result.getWriteConcernError() !== undefined) throw error;
        const duplicates = new Set(writeErrors.map(({ index }) => index));
        return orders.map((_, index) => !duplicates.has(index));
      }
    },

    find,
    findMany,

    /** The order that a signed request made, if a majority has it. */
    async findByRequest(
      workspaceId: string,
      { keyId, timestamp, nonce }: SignedRequest,
    ): Promise<RecordedOrder | undefined> {
      const signed = { 'request.keyId': keyId, 'request.timestamp': timestamp, 'request.nonce': nonce };
      const document = await collection.findOne({ workspaceId, ...signed }, { hint: orderIndexes.ofRequest });
      return document === null ? undefined : toOrder(document);
    },

    /**
     * The orders that still wait, in no particular order. A stored amount that is no number is NaN, so that it stops only
     * its own order.
     */
    async findPending(orders: readonly WorkspaceOrders[]): Promise<OrderToPost[]> {
      const workspaceId = anyOf(orders.map((batch) => batch.workspaceId));
      const ids = orders.flatMap(({ orderIds }) => orderIds);
      const documents = await collection
        .find({ workspaceId, _id: { $in: ids }, status: 'PENDING' }, { ...inOneReply(ids.length), ...byId })
        .project<Pick<OrderDocument, keyof typeof neededToPost>>(neededToPost)
        .toArray();
      return documents.map((document) => ({
        id: document._id,
        workspaceId: document.workspaceId,
        type: document.type,
        sourceWalletId: document.sourceWalletId,
        targetWalletId: document.targetWalletId,
        amount: amountIn(document.amount),
        currency: document.currency,
        ...termsIn(document),
        createdAt: document.createdAt,
      }));
    },

    /** See {@link findOrdersInUse}. */
    findInUse: (
      ids: readonly string[],
      workspaceIds: readonly string[],
      session: ClientSession,
      except: readonly string[] = [],
    ): Promise<Set<string>> => findOrdersInUse(collection, ids, workspaceIds, session, except),

    /** The COMPLETED orders among these, which others refer to, by id. */
    async findParents(
      ids: readonly string[],
      workspaceIds: readonly string[],
      session: ClientSession,
    ): Promise<Map<string, ParentOrder>> {
      const filter = { workspaceId: anyOf(workspaceIds), _id: { $in: [...ids] }, status: 'COMPLETED' as const };
      const documents = await collection
        .find(filter, { ...inOneReply(ids.length), ...byId, session })
        .project<Pick<OrderDocument, '_id' | keyof typeof neededOfParent>>(neededOfParent)
        .toArray();
      return new Map(documents.map((document) => [document._id, toParent(document)]));
    },
  };
}

/**
 * Those of some orders that another one refers to which is still to be posted; set aside does not count. Reads index keys of
 * such orders alone. @param except the ids of some that do not count.
 */
export async function findOrdersInUse(
  collection: Collection<OrderDocument>,
  ids: readonly string[],
  workspaceIds: readonly string[],
  session: ClientSession,
  except: readonly string[] = [],
): Promise<Set<string>> {
  const others = except.length === 0 ? {} : { _id: { $nin: [...except] } };
  const referring = await collection
    .find(
      { workspaceId: anyOf(workspaceIds), parentId: { $in: [...ids] }, status: 'PENDING', ...others },
      { session, hint: orderIndexes.unsettledOfParent, maxTimeMS: operatorMaxMs },
    )
    .project<{ parentId: string }>({ parentId: 1 })
    .toArray();
  return new Set(referring.map(({ parentId }) => parentId));
}

export interface Settlement extends GuardedUpdate {
  readonly orderIds: readonly string[];
}

/**
 * Moves a posting's orders out of PENDING.
 * @param settling 'together': one update for each final status and time, of which a group has one unless a clock is off, so
 * that the number of updates does not grow with the group;
 * 'one by one': one update for each order, so that an update that fails names its order.
 */
export function settlements(posting: Posting, postedBy: PostedBy, settling: Settling): Settlement[] {
  const { settled, completed, failed } = posting;
  const settlement = (ids: readonly string[], set: Partial<OrderDocument>, at: Date): Settlement => ({
    filter: {
      workspaceId: anyOf(ids.flatMap((id) => settled.get(id)?.workspaceId ?? [])),
      _id: { $in: [...ids] },
      status: 'PENDING',
    } satisfies Filter<OrderDocument>,
    set: { ...set, updatedAt: at, postedBy } satisfies Partial<OrderDocument>,
    count: ids.length,
    orderIds: ids,
  });
  /** Nothing is to be done about it any more once it has failed. */
  const isToBeDue = (id: string): boolean => settled.get(id)?.expiresAt !== undefined;
  const settle = (ids: readonly string[], setAt: (at: Date) => Partial<OrderDocument>): Settlement[] => {
    const timeOf = (id: string): Date => settledAt(posting, id);
    if (settling === 'one by one') return ids.map((id) => settlement([id], setAt(timeOf(id)), timeOf(id)));
    const byTime = Map.groupBy(ids, (id) => timeOf(id).getTime());
    return [...byTime].map(([ms, ofTime]) => settlement(ofTime, setAt(new Date(ms)), new Date(ms)));
  };
  return [
    ...settle(completed, (at) => ({ status: 'COMPLETED', completedAt: at })),
    ...[...failed].flatMap(([failure, ids]) =>
      [...Map.groupBy(ids, isToBeDue)].flatMap(([isDue, of]) =>
        settle(of, () => ({ status: 'FAILED', failure, ...(isDue ? { dueAt: null } : {}) })),
      ),
    ),
  ];
}

export type Settling = 'together' | 'one by one';

/**
 * No bizId begins like an order's id, so each reference is looked up in one index: in one query by a list of ids and lists
 * of bizIds. The query lets in only the workspaces named; the caller checks which reference an order belongs to.
 */
function referredTo(references: readonly OrderReference[]): Filter<OrderDocument> {
  const ids: string[] = [];
  const bizIds = new Map<string, string[]>();
  for (const { workspaceId, idOrBizId } of references) {
    const ofWorkspace = bizIds.get(workspaceId) ?? [];
    bizIds.set(workspaceId, ofWorkspace);
    (idOrBizId.startsWith(idPrefixes.order) ? ids : ofWorkspace).push(idOrBizId);
  }
  const ofIds = { workspaceId: anyOf([...bizIds.keys()]), _id: { $in: ids } };
  const byBizId = [...bizIds]
    .filter(([, ofWorkspace]) => ofWorkspace.length > 0)
    .map(([workspaceId, ofWorkspace]) => ({ workspaceId, bizId: { $in: ofWorkspace } }));
  return byBizId.length === 0 ? ofIds : { $or: ids.length === 0 ? byBizId : [ofIds, ...byBizId] };
}

/** The document of a new order. Field by field, because the encoder takes half as long again with an object from spread. */
export function toDocument(order: RecordedOrder): OrderDocument {
  return {
    _id: order.id,
    bizId: order.bizId,
    workspaceId: order.workspaceId,
    type: order.type,
    sourceWalletId: order.sourceWalletId,
    targetWalletId: order.targetWalletId,
    wallets: walletIdsOf(order),
    amount: toDecimal128(order.amount),
    currency: order.currency,
    ...termsIn(order),
    ...dueIn(order),
    ...(order.batchId === undefined ? {} : { batchId: order.batchId }),
    ...(order.otherIds === undefined ? {} : { otherIds: order.otherIds }),
    ...(order.firstId === undefined ? {} : { firstId: order.firstId }),
    ...(order.description === undefined ? {} : { description: order.description }),
    ...(order.reference === undefined ? {} : { reference: order.reference }),
    ...(order.metadata === undefined ? {} : { metadata: JSON.stringify(order.metadata) }),
    status: order.firstId === undefined ? order.status : 'PENDING_IN_BATCH',
    failure: order.failure,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    completedAt: order.completedAt,
    ...(order.request === undefined ? {} : { request: order.request }),
  };
}

/** When the service has something to do about a new order by itself. */
function dueIn({ executeAt, expiresAt }: Order): Pick<OrderDocument, 'dueAt'> {
  const dueAt = executeAt ?? expiresAt;
  return dueAt === undefined ? {} : { dueAt };
}

/** The terms that only some orders have. */
function termsIn({
  parentId,
  executeAt,
  expiresAt,
  terms,
}: Pick<Order, 'parentId' | 'executeAt' | 'expiresAt' | 'terms'>) {
  return {
    ...(parentId === undefined ? {} : { parentId }),
    ...(executeAt === undefined ? {} : { executeAt }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(terms === undefined ? {} : { terms }),
  };
}

function toParent({
  _id,
  workspaceId,
  amount,
  expiresAt,
  progress,
}: Pick<OrderDocument, '_id' | keyof typeof neededOfParent>): ParentOrder {
  return {
    id: _id,
    workspaceId,
    amount: fromDecimal128(amount),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    progress: progress === undefined ? noProgress : toProgress(progress),
    changes: progress?.changes ?? 0,
  };
}

/** What few orders have. */
function rareIn({
  metadata,
  progress,
}: Pick<OrderDocument, 'metadata' | 'progress'>): Pick<Order, 'metadata' | 'progress'> {
  return {
    ...(metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Record<string, string> }),
    ...(progress === undefined ? {} : { progress: toProgress(progress) }),
  };
}

export function toOrder(document: OrderDocument): TrailOrder {
  const { _id, wallets: _, dueAt: __, metadata: ___, progress: ____, amount, status, ...rest } = document;
  return {
    id: _id,
    ...rest,
    ...rareIn(document),
    amount: fromDecimal128(amount),
    status: shownStatus(status),
  };
}

/** For a list: without a third of the document, which keeps its request unique and lets the operator follow it. */
export const listedOrder = {
  without: { request: 0, postedBy: 0, stuckSince: 0, wallets: 0, terms: 0, dueAt: 0, otherIds: 0, firstId: 0 },
  convert: toListedOrder,
} as const;

/** Field by field, and the amount stays text: see {@link decimalAsText}. */
function toListedOrder(document: Omit<OrderDocument, 'wallets'>): Listed<Order> {
  return {
    id: document._id,
    bizId: document.bizId,
    workspaceId: document.workspaceId,
    type: document.type,
    sourceWalletId: document.sourceWalletId,
    targetWalletId: document.targetWalletId,
    amount: decimalAsText(document.amount),
    currency: document.currency,
    ...termsIn(document),
    ...(document.batchId === undefined ? {} : { batchId: document.batchId }),
    ...(document.description === undefined ? {} : { description: document.description }),
    ...(document.reference === undefined ? {} : { reference: document.reference }),
    ...rareIn(document),
    status: shownStatus(document.status),
    failure: document.failure,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
    completedAt: document.completedAt,
  };
}
