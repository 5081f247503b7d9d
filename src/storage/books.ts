import type { ClientSession, Collection, Db, Filter, MongoClient } from 'mongodb';
import { flowId, idPrefixes, pastFlowsOf, totalsId } from '../domain/ids.ts';
import type { Flow } from '../domain/wallet.ts';
import {
  isWallet,
  toClaim,
  toEntry,
  toFlow,
  toKeyBudgets,
  toMoney,
  toOrder,
  toWallet,
  type BookedFlow,
  type BookedOrder,
  type BookedTotals,
  type BookedUse,
  type BookedWallet,
  type Claim,
  type Row,
} from './booked.ts';
import { flowsOfLimits } from './booked-limits.ts';
import { orderTypes } from '../orders/types.ts';
import { unsettled as unsettledStates, type OrderDocument } from './orders/documents.ts';
import { readUnsettledAfter, type UnsettledPlace } from './orders/unsettled.ts';
import { indexOfType, orderIndexes } from './schema/schema.ts';
import { pagesById, type PagesOptions } from './shared/page.ts';
import { inTransaction } from './shared/transaction.ts';

type FlowOfOrder = Pick<Flow, 'transferId' | 'leg' | 'walletId' | 'direction'>;

export type BookName = 'wallets' | 'flows' | 'orders';
export type Books = ReturnType<typeof openBooks>;

/** In the order in which an order comes from one to another; see `openIdsBefore`. */
const openInTurn = ['SCHEDULED', 'SET_ASIDE', 'PENDING', 'SET_ASIDE'] as const;

/** The states of orders that leave no flows, whatever their type, each with its indexes. */
const endedEarly = {
  FAILED: {
    filter: { status: 'FAILED' },
    ofWorkspace: orderIndexes.failedOfWorkspace,
    ofWallet: orderIndexes.failedOfWallet,
  },
  CANCELLED: {
    filter: { status: 'CANCELLED', executeAt: { $exists: true } },
    ofWorkspace: orderIndexes.scheduledOfWorkspace,
    ofWallet: orderIndexes.scheduledOfWallet,
  },
} as const;

/** The orders that have ended and left no flows, in parts that an index has. */
const withoutFlows = [
  ...Object.values(endedEarly).map(({ filter, ofWorkspace: hint }) => ({ filter, hint })),
  ...orderTypes.flatMap(({ name, leavesFlows }) => {
    const hint = indexOfType(name);
    return !leavesFlows && hint !== undefined ? [{ filter: { type: name, status: 'COMPLETED' }, hint }] : [];
  }),
];

const claimed = { workspaceId: 1, orders: 1 };
const ofEntry = { workspaceId: 1, completed: 1, failed: 1, cancelled: 1, alerts: 1, createdAt: 1 };
const ofMark = { transferId: 1, leg: 1, walletId: 1, direction: 1 };
const keys = { _id: 1, workspaceId: 1 } as const;
const rowsPerPage = 2_000;
/** Far more flows than one wallet gets between two reads of a running verification. */
const tailMax = 100_000;

/**
 * Reads the whole books for verification, in pages by id. So memory stays flat and no cursor or transaction lives long,
 * however large the books are. While the caller has one page, the next ones are being read. Reads go to the primary and
 * see what a majority holds. Pages are read in their order; what is posted meanwhile may or may not be seen.
 */
export function openBooks(client: MongoClient, db: Db, pageSize: number = rowsPerPage) {
  const collections: BookCollections = {
    wallets: db.collection('wallets'),
    flows: db.collection('flows'),
    orders: db.collection('orders'),
  };
  return {
    ...pagesOf(client, db, collections, pageSize),
    ...lookUps(client, db, collections),
    ...flowsOfLimits(db, pageSize),
  };
}

type BookCollections = Readonly<Record<BookName, Collection<Row>>>;

/** What is read of whole books, page by page. */
function pagesOf(client: MongoClient, db: Db, collections: BookCollections, pageSize: number) {
  const { wallets, flows, orders } = collections;
  const unsettled: Collection<OrderDocument> = db.collection('orders');
  const outbox: Collection<Row> = db.collection('webhookOutbox');
  const keyBudgets: Collection<Row> = db.collection('keyBudgets');
  type Convert<T> = (rows: readonly Row[]) => T[] | Promise<T[]>;
  const pages = <T>(collection: Collection<Row>, convert: Convert<T>, options?: PagesOptions<Row>) =>
    ahead(pagesById(collection, pageSize, options), convert);
  return {
    wallets: () => pages(wallets, toWallets),
    /** Flows by id: wallet by wallet, in the order of their sequence. Each page's orders are read after its flows. */
    flows: () => pages(flows, (rows) => withOrders(orders, rows)),
    orders: () => pages(orders, toOrders),
    /** Which order each flow belongs to, and whether it is the debit or the credit. */
    flowMarks: () =>
      pages(flows, (rows) => rows.map((row) => ({ leg: 0, ...row }) as unknown as FlowOfOrder), { projection: ofMark }),
    /** Ids of the orders below an id that have not ended; some twice. */
    async *openIdsBefore(before: string): AsyncGenerator<string[], void, undefined> {
      // In the order in which an order comes from one to another. Those set aside twice: one that is released meanwhile might
      // be missed where it was, and where it has come to.
      for (const status of openInTurn) {
        for (let after: UnsettledPlace | undefined; ;) {
          const filter = { status, _id: { $lt: before } };
          const rows = await readUnsettledAfter(unsettled, filter, after, pageSize, { projection: keys });
          const last = rows.at(-1);
          if (last === undefined) break;
          after = { workspaceId: last.workspaceId, id: last._id };
          yield rows.map(({ _id }) => _id);
        }
      }
    },
    /** Ids of the orders from an id on, inclusive, that are COMPLETED. */
    completedIdsFrom: (from: string) =>
      pages(orders, (rows) => rows.map(({ _id }) => _id), {
        filter: { status: 'COMPLETED' },
        ids: { $gte: from },
        projection: { _id: 1 },
      }),

    /** How many orders each wallet says that it has. */
    claims: () => pages(wallets, (rows) => rows.filter(isWallet).map(toClaim), { projection: claimed }),

    /** The orders of a workspace that have ended and left no flows; each state has an index, and so has each such type. */
    async *withoutFlowsOf(workspaceId: string): AsyncGenerator<BookedOrder[], void, undefined> {
      for (const { filter, hint } of withoutFlows)
        yield* pages(orders, toOrders, { filter: { workspaceId, ...filter }, hint });
    },

    /** All parts of the totals of one workspace, or of all, each page in a snapshot. */
    totals(workspaceId?: string): AsyncGenerator<BookedTotals[], void, undefined> {
      const from = workspaceId === undefined ? idPrefixes.totals : totalsId(workspaceId, '');
      const ids = { $gte: from, $lt: `${from}~` };
      return pages(wallets, (rows) => rows as unknown as BookedTotals[], { ids, inSnapshotsOf: client });
    },

    /** The budgets of one key, or of all, each page in a snapshot, as totals are. */
    keyBudgets: (apiKey?: string) =>
      pages(keyBudgets, (rows) => rows.map(toKeyBudgets), {
        ids: apiKey === undefined ? {} : { $eq: apiKey },
        inSnapshotsOf: client,
      }),

    /** The orders of one workspace. */
    ordersOf: (workspaceId: string) =>
      pages(orders, toOrders, { filter: { workspaceId }, hint: orderIndexes.ofWorkspace }),

    /** The wallets of one workspace, for their states. */
    walletsOf: (workspaceId: string) => pages(wallets, toWallets, { filter: { workspaceId } }),

    /** Ids that are not text, which reading by id misses. There are none if the least and the greatest id are text. */
    async strayIds(book: BookName): Promise<string[]> {
      const collection = collections[book];
      const ends = ([1, -1] as const).map((direction) => collection.find().sort({ _id: direction }).limit(1).toArray());
      if ((await Promise.all(ends)).flat().every(({ _id }) => typeof _id === 'string')) return [];
      const notText: Filter<Row> = { _id: { $not: { $type: 'string' } } };
      const rows = await collection.find(notText).project({ _id: 1 }).toArray();
      return rows.map((row) => String(row['_id']));
    },

    /** About how many documents there are; undefined if the server does not say. */
    count: (book: BookName) => collections[book].estimatedDocumentCount().catch(() => undefined),

    /** What was written for webhooks, and is kept still. */
    outbox: () => pages(outbox, (rows) => rows.map(toEntry), { projection: ofEntry }),
  };
}

/** What is looked up of single documents. */
function lookUps(client: MongoClient, db: Db, collections: BookCollections) {
  const { wallets, flows, orders } = collections;
  return {
    /** What some wallets say in a snapshot. */
    claimsOf: (ids: readonly string[]): Promise<Claim[]> =>
      inTransaction(client, async (session) => {
        const options = { projection: claimed, batchSize: ids.length + 1, session };
        return (await wallets.find({ _id: { $in: [...ids] } }, options).toArray()).map(toClaim);
      }),

    /** In one snapshot: how many orders of a type and state a wallet says that it has, and how many there are. */
    claimAndNumber: (walletId: string, type: string, status: keyof typeof endedEarly) =>
      inTransaction(client, async (session) => {
        const wallet = await wallets.findOne({ _id: walletId }, { projection: claimed, session });
        if (wallet === null) return { claim: 0, number: 0 };
        const { workspaceId, counts } = toClaim(wallet);
        const { filter, ofWallet: hint } = endedEarly[status];
        const ofWallet = { workspaceId, wallets: walletId, type, ...filter };
        const number = await orders.countDocuments(ofWallet, { hint, session });
        return { claim: counts[status].get(type) ?? 0, number };
      }),

    /** Reads what `read` asks for in one snapshot. */
    inSnapshot: <T>(read: (session: ClientSession) => Promise<T>): Promise<T> => inTransaction(client, read),

    /** By the primary's clock. */
    async now(): Promise<Date> {
      const { localTime } = await db.admin().command({ isMaster: 1 });
      return localTime as Date;
    },

    /**
     * An order as it stands now, read in a snapshot, which waits for a commit under way. On a sharded cluster the order may
     * be on another shard than its flows, and without a snapshot they might show its end before the order does.
     * Source: MongoDB, "Production Considerations (Sharded Clusters)".
     */
    async findOrder(id: string): Promise<BookedOrder | undefined> {
      const row = await inTransaction(client, (session) => orders.findOne({ _id: id }, { session }));
      return row === null ? undefined : toOrder(row);
    },

    findOrders: (ids: readonly string[]) => findOrders(orders, ids),

    /** Of these wallets, those that exist, by id; in a snapshot if a session is given. */
    findWallets: (ids: readonly string[], session?: ClientSession) => findWallets(wallets, ids, session),

    /** The orders that have not ended and refer to one of these; in a snapshot if a session is given. */
    async unsettledUses(
      ids: readonly string[],
      workspaceIds: readonly string[],
      session?: ClientSession,
    ): Promise<BookedOrder[]> {
      const filter = { workspaceId: { $in: [...workspaceIds] }, parentId: { $in: [...ids] }, status: unsettledStates };
      const inSnapshot = session === undefined ? {} : { session };
      const rows = await orders.find(filter, { hint: orderIndexes.unsettledOfParent, ...inSnapshot }).toArray();
      return toOrders(rows);
    },

    /** Orders by id, and what the COMPLETED orders that refer to them use of their legs; in a snapshot if a session is given. */
    async usesOf(
      ids: readonly string[],
      workspaceIds: readonly string[],
      session?: ClientSession,
    ): Promise<{ parents: Map<string, BookedOrder>; uses: BookedUse[] }> {
      const parents = await findOrders(orders, ids, session);
      const referring = { workspaceId: { $in: [...workspaceIds] }, parentId: { $in: [...ids] }, status: 'COMPLETED' };
      const leg = { $ifNull: ['$legs.parentLeg', 0] };
      // By what verification asks of the terms; those that tell requests apart would make a row of each.
      const terms = { final: '$terms.final', by: '$terms.by' };
      const _id = { parentId: '$parentId', type: '$type', terms, leg };
      const amount = { $sum: { $ifNull: ['$legs.amount', '$amount'] } };
      // An order counts by its first leg.
      const count = { $sum: { $cond: [{ $gt: ['$place', 0] }, 0, 1] } };
      const unwound = { path: '$legs', includeArrayIndex: 'place', preserveNullAndEmptyArrays: true };
      const rows = await orders
        .aggregate<{ _id: Omit<BookedUse, 'amount' | 'count'>; amount: unknown; count: number }>(
          [{ $match: referring }, { $unwind: unwound }, { $group: { _id, amount, count } }],
          { hint: orderIndexes.ofParent, ...(session === undefined ? {} : { session }) },
        )
        .toArray();
      return { parents, uses: rows.map(({ _id: of, ...sums }) => ({ ...of, ...sums, amount: toMoney(sums.amount) })) };
    },

    /**
     * In one snapshot: a wallet, and of the orders that may reserve something on it those that are COMPLETED now.
     * @param ids of such orders. @param since an id: newer orders of the wallet are read too.
     */
    walletWithOrders: (
      { id, workspaceId }: Pick<BookedWallet, 'id' | 'workspaceId'>,
      ids: readonly string[],
      since: string,
    ): Promise<{ wallet: BookedWallet | undefined; orders: BookedOrder[] }> =>
      inTransaction(client, async (session) => {
        const wallet = await wallets.findOne({ _id: id }, { session });
        const named = await orders.find({ _id: { $in: [...ids] }, status: 'COMPLETED' }, { session }).toArray();
        const ofWallet = { workspaceId, wallets: id, _id: { $gte: since, $nin: [...ids] }, status: 'COMPLETED' };
        const newer = await orders.find(ofWallet, { session, hint: orderIndexes.ofWallet }).toArray();
        return { wallet: wallet === null ? undefined : toWallet(wallet), orders: [...named, ...newer].map(toOrder) };
      }),

    /** In one snapshot: an atomic batch by its first order, with those that it names, and others that may name it. */
    atomicBatch: (firstId: string, ids: readonly string[]): Promise<Map<string, BookedOrder>> =>
      inTransaction(client, async (session) => {
        const first = await orders.findOne({ _id: firstId }, { session });
        const named = (first?.['otherIds'] ?? []) as readonly string[];
        return findOrders(orders, [...new Set([firstId, ...named, ...ids])], session);
      }),

    /** In one snapshot: a wallet, and its flows after a sequence, each with its order. */
    async walletWithFlowsAfter(
      id: string,
      sequence: number,
    ): Promise<{ wallet: BookedWallet | undefined; flows: BookedFlow[] }> {
      const { wallet, rows } = await inTransaction(client, async (session) => ({
        wallet: await wallets.findOne({ _id: id }, { session }),
        rows: await flows
          .find(
            { _id: { $gt: flowId(id, sequence), $lt: pastFlowsOf(id) } },
            { session, sort: { _id: 1 }, limit: tailMax },
          )
          .toArray(),
      }));
      return { wallet: wallet === null ? undefined : toWallet(wallet), flows: await withOrders(orders, rows) };
    },
  };
}

/** A wallet, as far as an order or an alert has to fit it. */
type NamedWallet = Pick<BookedWallet, 'workspaceId' | 'currency'> & Partial<Pick<BookedWallet, 'alertEvents'>>;

async function findWallets(
  wallets: Collection<Row>,
  ids: readonly string[],
  session?: ClientSession,
): Promise<Map<string, NamedWallet>> {
  const projection = { workspaceId: 1, currency: 1, alertEvents: 1 };
  const options = { projection, batchSize: ids.length + 1, ...(session === undefined ? {} : { session }) };
  const rows = await wallets.find({ _id: { $in: [...ids] } }, options).toArray();
  return new Map(rows.map((row) => [row._id, row as unknown as NamedWallet]));
}

async function findOrders(
  orders: Collection<Row>,
  ids: readonly string[],
  session?: ClientSession,
): Promise<Map<string, BookedOrder>> {
  if (ids.length === 0) return new Map();
  const options = { batchSize: ids.length + 1, ...(session === undefined ? {} : { session }) };
  const rows = await orders.find({ _id: { $in: [...ids] } }, options).toArray();
  return new Map(rows.map((row) => [row._id, toOrder(row)]));
}

async function withOrders(orders: Collection<Row>, rows: readonly Row[]): Promise<BookedFlow[]> {
  const page = rows.map(toFlow);
  const byId = await findOrders(orders, [...new Set(page.map(({ transferId }) => transferId))]);
  return page.map((flow) => ({ flow, order: byId.get(flow.transferId) }));
}

/** While the caller has a page, the next one is converted and the one after it is read, so the server is never idle. */
async function* ahead<T>(
  pages: AsyncGenerator<Row[], void>,
  convert: (rows: readonly Row[]) => T[] | Promise<T[]>,
): AsyncGenerator<T[], void, undefined> {
  let reading = pages.next();
  let converting: Promise<T[]> | undefined;
  for (;;) {
    const { value: rows } = await reading;
    const ready = converting;
    if (rows !== undefined) {
      reading = pages.next();
      converting = Promise.resolve(convert(rows));
      // If the caller stops early, nobody awaits these.
      reading.catch(() => undefined);
      converting.catch(() => undefined);
    }
    if (ready !== undefined) yield await ready;
    if (rows === undefined) return;
  }
}

function toOrders(rows: readonly Row[]): BookedOrder[] {
  return rows.map(toOrder);
}

function toWallets(rows: readonly Row[]): BookedWallet[] {
  return rows.filter(isWallet).map(toWallet);
}
