import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { idPrefixes } from '../../domain/ids.ts';
import type { Ending, ParentOrder, Posting } from '../../orders/fold.ts';
import type { Order, OrderToPost, SignedRequest } from '../../orders/order.ts';
import { errorCodes, isServerError } from '../shared/error-codes.ts';
import { readBefore } from '../shared/causality.ts';
import { anyOf, byId, type GuardedUpdate, inOneReply, operatorMaxMs, runWrite } from '../shared/commands.ts';
import { orderIndexes } from '../schema/schema.ts';
import { toLimitUseDocument } from '../wallets/limits.ts';
import { readUnsettled, type UnsettledPlace } from './unsettled.ts';
import { inTransaction, unwrapped } from '../shared/transaction.ts';
import {
  listedOrder,
  neededOfParent,
  neededToPost,
  toDocument,
  toOrder,
  toOrderToPost,
  toParent,
  type DocumentOfParent,
  type DocumentToPost,
  type OrderDocument,
} from './documents.ts';

/** A bizId never begins like an order's id, so a text is one or the other. */
export interface OrderReference {
  readonly workspaceId: string;
  readonly idOrBizId: string;
}

export type Orders = ReturnType<typeof openOrders>;

/** The `orders` collection. */
export function openOrders(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  /** As they are recorded. */
  const findMany = (references: readonly OrderReference[]): Promise<(Order | undefined)[]> =>
    readBefore(db.client, (session) => findReferred(collection, references, session, toOrder));

  /** One order of a workspace by its id or its bizId. */
  async function find(workspaceId: string, idOrBizId: string): Promise<Order | undefined> {
    return (await findMany([{ workspaceId, idOrBizId }]))[0];
  }

  return {
    /**
     * Records a batch of new orders in one command; they are durable on a majority when it returns. To be repeated by the
     * caller after a lost answer: each order then counts as a duplicate of itself.
     * @returns for each order, in order: true if this command inserted it, false if its id, its bizId or its signed request
     * exists already. A duplicate fails alone. Any other error is thrown; which orders were stored is then not known.
     */
    async insertBatch(orders: readonly Order[]): Promise<boolean[]> {
      const command = { insert: collection.collectionName, documents: orders.map(toDocument), ordered: false };
      const { writeErrors } = await runWrite(db, command);
      const fault = writeErrors.find(({ code }) => code !== errorCodes.DuplicateKey);
      if (fault !== undefined) throw fault;
      const duplicates = new Set(writeErrors.map(({ index }) => index));
      return orders.map((_, index) => !duplicates.has(index));
    },

    /**
     * Records the orders of an atomic batch in one transaction; they are durable on a majority when it returns.
     * @param isGivenUp see {@link inTransaction}.
     * @returns false if one of their bizIds exists already: none is stored then.
     * @throws any other error; if it is one of the commit, all may be stored.
     */
    async insertTogether(orders: readonly Order[], isGivenUp?: () => boolean): Promise<boolean> {
      const documents = orders.map(toDocument);
      // One that is to be SLOW has the others wait, too.
      const { status, stuckSince } = documents.find((document) => document.status === 'SET_ASIDE') ?? {};
      const asOne = status && stuckSince ? documents.map((each) => ({ ...each, status, stuckSince })) : documents;
      try {
        await inTransaction(db.client, (session) => unwrapped(collection.insertMany(asOne, { session })), isGivenUp);
        return true;
      } catch (error) {
        if (isServerError(error, 'DuplicateKey')) return false;
        throw error;
      }
    },

    find,
    findMany,
    /** As clients see them, which is half of what is recorded. */
    findShown: (references: readonly OrderReference[]): Promise<(Order | undefined)[]> =>
      findReferred(collection, references, undefined, listedOrder.convert, listedOrder.without),

    /** The order that a signed request made, if a majority has it. */
    async findByRequest(workspaceId: string, { keyId, timestamp, nonce }: SignedRequest): Promise<Order | undefined> {
      const signed = { 'request.keyId': keyId, 'request.timestamp': timestamp, 'request.nonce': nonce };
      const document = await collection.findOne({ workspaceId, ...signed }, { hint: orderIndexes.ofRequest });
      return document === null ? undefined : toOrder(document);
    },

    /** The ids of those among some orders that are still PENDING. */
    stillPending: (orders: readonly Pick<Order, 'id' | 'workspaceId'>[]): Promise<Set<string>> =>
      readBefore(db.client, (session) => findStillPending(collection, orders, session)),

    /**
     * The first orders that wait in some workspaces, workspace by workspace and oldest first in each; the first of an atomic
     * batch with the others, of which those beyond the page take a second command. A stored amount that is no number is NaN, so
     * that it stops only its own order.
     * @param sizeMax how many they are at most, unless the first is a larger batch.
     * @returns `more`: in this workspace more may wait behind an id, and in those after it anywhere; undefined if none do.
     */
    findWaiting: (range: WaitingRange, sizeMax: number) =>
      readBefore(db.client, (session) => findWaiting(collection, range, sizeMax, session)),

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
        .project<DocumentOfParent>(neededOfParent)
        .toArray();
      return new Map(documents.map((document) => [document._id, toParent(document)]));
    },
  };
}

/** Orders by workspace and (id or bizId), in one query, each at its reference's place; undefined where there is none. */
async function findReferred<Found extends Pick<Order, 'workspaceId' | 'id' | 'bizId'>>(
  collection: Collection<OrderDocument>,
  references: readonly OrderReference[],
  session: ClientSession | undefined,
  convert: (document: OrderDocument) => Found,
  without: Readonly<Record<string, 0>> = {},
): Promise<(Found | undefined)[]> {
  const filter = referredTo(references);
  const index = '$or' in filter ? {} : byId;
  const inSession = session === undefined ? {} : { session };
  const options = { ...inOneReply(references.length), ...index, ...inSession, projection: without };
  const documents = await collection.find(filter, options).toArray();
  const byReference = new Map<string, Found>();
  for (const document of documents) {
    const order = convert(document);
    byReference.set(`${order.workspaceId} ${order.id}`, order);
    byReference.set(`${order.workspaceId} ${order.bizId}`, order);
  }
  return references.map(({ workspaceId, idOrBizId }) => byReference.get(`${workspaceId} ${idOrBizId}`));
}

/** See `findWaiting` of {@link openOrders}. */
async function findWaiting(
  collection: Collection<OrderDocument>,
  { workspaceIds, behind, except }: WaitingRange,
  sizeMax: number,
  session: ClientSession,
): Promise<{ orders: OrderToPost[]; more: UnsettledPlace | undefined }> {
  const workspaceId = anyOf(workspaceIds);
  const others = except.length === 0 ? {} : { $nin: [...except] };
  const filter = { workspaceId, status: 'PENDING', _id: { $gt: behind, ...others } } as const;
  const options = { session, projection: neededToPost };
  const page = (await readUnsettled(collection, filter, sizeMax, options)) as DocumentToPost[];
  const firsts = page.filter(({ firstId }) => firstId === undefined);
  let size = 0;
  const taken = firsts.filter(({ otherIds = [] }, index) => (size += 1 + otherIds.length) <= sizeMax || index === 0);
  const units = await withOthers(collection, page, taken, session);
  const partial = units.filter((unit) => !isWholeUnit(unit)).map(({ first }) => ({ ...first, id: first._id }));
  // Another worker may have posted a batch between the two reads. If none has, an order of it is gone.
  const still = await findStillPending(collection, partial, session);
  const ready = units.filter((unit) => isWholeUnit(unit) || still.has(unit.first._id));
  const isCut = page.length === sizeMax || taken.length < firsts.length;
  const last = taken.length < firsts.length ? taken.at(-1) : page.at(-1);
  return {
    orders: ready.map(({ first, others }) => toOrderToPost(first, others)),
    more: isCut && last !== undefined ? { workspaceId: last.workspaceId, id: last._id } : undefined,
  };
}

async function findStillPending(
  collection: Collection<OrderDocument>,
  orders: readonly Pick<Order, 'id' | 'workspaceId'>[],
  session: ClientSession,
): Promise<Set<string>> {
  if (orders.length === 0) return new Set();
  const workspaceId = anyOf(orders.map((order) => order.workspaceId));
  const filter = { workspaceId, _id: { $in: orders.map(({ id }) => id) }, status: 'PENDING' } as const;
  const options = { session, projection: { _id: 1 }, ...inOneReply(orders.length), ...byId } as const;
  return new Set((await collection.find(filter, options).toArray()).map(({ _id }) => _id));
}

/** @param page what is read already, the firsts among it. */
async function withOthers(
  collection: Collection<OrderDocument>,
  page: readonly DocumentToPost[],
  firsts: readonly DocumentToPost[],
  session: ClientSession,
): Promise<Unit[]> {
  const otherIds = new Set(firsts.flatMap((first) => first.otherIds ?? []));
  if (otherIds.size === 0) return firsts.map((first) => ({ first, others: [] }));
  const others = page.filter(({ _id }) => otherIds.delete(_id));
  if (otherIds.size > 0) {
    const workspaceId = anyOf(firsts.map((first) => first.workspaceId));
    const filter = { workspaceId, _id: { $in: [...otherIds] }, status: 'PENDING' as const };
    const options = { session, ...inOneReply(otherIds.size), ...byId } as const;
    others.push(...(await collection.find(filter, options).project<DocumentToPost>(neededToPost).toArray()));
  }
  const byFirst = Map.groupBy(others, ({ firstId }) => firstId);
  return firsts.map((first) => ({ first, others: byFirst.get(first._id) ?? [] }));
}

/** Where to look for orders that wait. */
interface WaitingRange {
  readonly workspaceIds: readonly string[];
  /** Only those with an id above this are found. */
  readonly behind: string;
  /** Ids of those that are not. */
  readonly except: readonly string[];
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

/** The first order of an atomic batch with the others, as they were found; or a single order. */
interface Unit {
  readonly first: DocumentToPost;
  readonly others: readonly DocumentToPost[];
}

function isWholeUnit({ first: { otherIds = [] }, others }: Unit): boolean {
  return others.length === otherIds.length;
}

export interface Settlement extends GuardedUpdate {
  readonly orderIds: readonly string[];
}

/**
 * Moves a posting's orders out of PENDING, and those that it cancels out of SCHEDULED.
 * @param postedBy undefined for a cancel.
 * @param settling 'together': one update for each final status and time, of which a group has one unless a clock is off, so
 * that the number of updates does not grow with the group;
 * 'one by one': one update for each order, so that an update that fails names its order.
 */
export function settlements({ ended }: Posting, postedBy: Order['postedBy'], settling: Settling): Settlement[] {
  const groups =
    settling === 'together' ? [...Map.groupBy(ended, updateKeyOf).values()] : ended.map((ending) => [ending]);
  return groups.flatMap((endings) => {
    const [first] = endings;
    if (first === undefined) return [];
    const orderIds = endings.map(({ order }) => order.id);
    const filter = {
      workspaceId: anyOf(endings.map(({ order }) => order.workspaceId)),
      _id: { $in: orderIds },
      status: first.status === 'CANCELLED' ? 'SCHEDULED' : 'PENDING',
    } satisfies Filter<OrderDocument>;
    const set = { ...endOf(first), updatedAt: first.at, ...(postedBy === undefined ? {} : { postedBy }) };
    return { filter, set: set satisfies Partial<OrderDocument>, count: orderIds.length, orderIds };
  });
}

/** What an order's document says of its end. */
function endOf({ order, status, failure, failureLeg, failureLimit, budgets, at }: Ending): Partial<OrderDocument> {
  if (status === 'COMPLETED') return { status, completedAt: at, ...(budgets === undefined ? {} : { budgets }) };
  // Nothing is to be done about it any more.
  const isDue = order.expiresAt !== undefined || status === 'CANCELLED';
  const why = {
    ...(failure === null ? {} : { failure }),
    ...(failureLeg === undefined ? {} : { failureLeg }),
    ...(failureLimit === undefined ? {} : { failureLimit: toLimitUseDocument(failureLimit) }),
  };
  return { status, ...why, ...(isDue ? { dueAt: null } : {}) };
}

/** The same for orders whose ends are written alike. */
function updateKeyOf({ order, status, failure, failureLeg, failureLimit, budgets, at }: Ending): string {
  const limit = failureLimit === undefined ? '' : JSON.stringify(failureLimit);
  return `${status} ${failure ?? ''} ${failureLeg ?? ''} ${limit} ${budgets ?? ''} ${at.getTime()} ${order.expiresAt !== undefined}`;
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
