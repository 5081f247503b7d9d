import type { ClientSession, Collection, Db, Filter, MongoClient } from 'mongodb';
import { flowId, idPrefixes, pastFlowsOf, totalsId } from '../domain/ids.ts';
import type { Flow } from '../domain/wallet.ts';
import {
  isWallet,
  toClaim,
  toEntry,
  toFlow,
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
import { orderTypes } from '../orders/types.ts';
import { unsettled as unsettledStates, type OrderDocument } from './orders/documents.ts';
import { readUnsettledAfter, type UnsettledPlace } from './orders/unsettled.ts';
import { indexOfType, orderIndexes } from './schema/schema.ts';
import { pagesById } from './shared/page.ts';
import { inTransaction } from './shared/transaction.ts';

type FlowMark = Pick<Flow, 'transferId' | 'walletId' | 'direction'>;

export type BookName = 'wallets' | 'flows' | 'orders';
export type Books = ReturnType<typeof openBooks>;

/** In the order in which an order comes from one to another; see `openIdsBefore`. */
const openInTurn = [
  ...(['SCHEDULED', 'SET_ASIDE', 'PENDING', 'SET_ASIDE'] as const),
  ...(['SET_ASIDE_IN_BATCH', 'PENDING_IN_BATCH', 'SET_ASIDE_IN_BATCH'] as const),
];

/** As far as a wallet fits an order that names it. */
type NamedWallet = Pick<BookedWallet, 'workspaceId' | 'currency'>;

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
  ...orderTypes.flatMap(({ name, flows }) => {
    const hint = indexOfType(name);
    return flows === undefined && hint !== undefined ? [{ filter: { type: name, status: 'COMPLETED' }, hint }] : [];
  }),
];

const claimed = { workspaceId: 1, orders: 1 };
const ofEntry = { workspaceId: 1, completed: 1, failed: 1, cancelled: 1, createdAt: 1 };
const ofMark = { transferId: 1, walletId: 1, direction: 1 };
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
  const wallets: Collection<Row> = db.collection('wallets');
  const flows: Collection<Row> = db.collection('flows');
  const orders: Collection<Row> = db.collection('orders');
  const unsettled: Collection<OrderDocument> = db.collection('orders');
  const outbox: Collection<Row> = db.collection('webhookOutbox');
  const collections: Readonly<Record<BookName, Collection<Row>>> = { wallets, flows, orders };

  async function findOrders(ids: readonly string[]): Promise<Map<string, BookedOrder>> {
    const rows = await orders.find({ _id: { $in: [...ids] } }, { batchSize: pageSize }).toArray();
    return new Map(rows.map((row) => [row._id, toOrder(row)]));
  }

  async function withOrders(rows: readonly Row[]): Promise<BookedFlow[]> {
    const page = rows.map(toFlow);
    const byId = await findOrders([...new Set(page.map(({ transferId }) => transferId))]);
    return page.map((flow) => ({ flow, order: byId.get(flow.transferId) }));
  }

  return {
    wallets: () => ahead(pagesById(wallets, pageSize), toWallets),
    /** Flows by id: wallet by wallet, in the order of their sequence. Each page's orders are read after its flows. */
    flows: () => ahead(pagesById(flows, pageSize), withOrders),
    orders: () => ahead(pagesById(orders, pageSize), (rows) => rows.map(toOrder)),
    /** Which order each flow belongs to, and whether it is the debit or the credit. */
    flowMarks: () => ahead(pagesById(flows, pageSize, { projection: ofMark }), (rows) => rows as unknown as FlowMark[]),
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
      ahead(
        pagesById(orders, pageSize, { filter: { status: 'COMPLETED' }, ids: { $gte: from }, projection: { _id: 1 } }),
        (rows) => rows.map(({ _id }) => _id),
      ),

    /** How many orders each wallet says that it has. */
    claims: () =>
      ahead(pagesById(wallets, pageSize, { projection: claimed }), (rows) => rows.filter(isWallet).map(toClaim)),

    /** What some wallets say in a snapshot. */
    claimsOf: (ids: readonly string[]): Promise<Claim[]> =>
      inTransaction(client, async (session) => {
        const options = { projection: claimed, batchSize: ids.length + 1, session };
        return (await wallets.find({ _id: { $in: [...ids] } }, options).toArray()).map(toClaim);
      }),

    /** See {@link readClaimAndNumber}; in one snapshot. */
    claimAndNumber: (walletId: string, type: string, status: keyof typeof endedEarly) =>
      inTransaction(client, (session) => readClaimAndNumber(wallets, orders, { walletId, type, status }, session)),

    /** The orders of a workspace that have ended and left no flows; each state has an index, and so has each such type. */
    async *withoutFlowsOf(workspaceId: string): AsyncGenerator<BookedOrder[], void, undefined> {
      for (const { filter, hint } of withoutFlows)
        yield* ahead(pagesById(orders, pageSize, { filter: { workspaceId, ...filter }, hint }), (rows) =>
          rows.map(toOrder),
        );
    },

    /** Reads what `read` asks for in one snapshot. */
    inSnapshot: <T>(read: (session: ClientSession) => Promise<T>): Promise<T> => inTransaction(client, read),

    /**
     * All parts of the totals of one workspace, or of all. Each page is read in a snapshot, which waits for a commit under
     * way, so that it shows whatever was seen to be posted before.
     */
    async *totals(workspaceId?: string): AsyncGenerator<BookedTotals[], void, undefined> {
      const ends = workspaceId === undefined ? idPrefixes.totals : totalsId(workspaceId, '');
      for (let after = ends; ;) {
        const ids = { $gt: after, $lt: `${ends}~` };
        const page = await inTransaction(client, (session) =>
          wallets.find({ _id: ids }, { session, sort: { _id: 1 }, limit: pageSize }).toArray(),
        );
        const last = page.at(-1);
        if (last === undefined) return;
        after = last._id;
        yield page as unknown as BookedTotals[];
      }
    },

    /** The wallets of one workspace, for their states. */
    walletsOf: (workspaceId: string) => ahead(pagesById(wallets, pageSize, { filter: { workspaceId } }), toWallets),

    /** About how many documents there are; undefined if the server does not say. */
    count: (book: BookName) => collections[book].estimatedDocumentCount().catch(() => undefined),

    /** By the primary's clock. */
    async now(): Promise<Date> {
      const { localTime } = await db.admin().command({ isMaster: 1 });
      return localTime as Date;
    },

    /** Ids that are not text, which reading by id misses. There are none if the least and the greatest id are text. */
    strayIds: (book: BookName) => readStrayIds(collections[book]),

    /**
     * An order as it stands now, read in a snapshot, which waits for a commit under way. On a sharded cluster the order may
     * be on another shard than its flows, and without a snapshot they might show its end before the order does.
     * Source: MongoDB, "Production Considerations (Sharded Clusters)".
     */
    async findOrder(id: string): Promise<BookedOrder | undefined> {
      const row = await inTransaction(client, (session) => orders.findOne({ _id: id }, { session }));
      return row === null ? undefined : toOrder(row);
    },

    findOrders: async (ids: readonly string[]): Promise<BookedOrder[]> =>
      ids.length === 0 ? [] : [...(await findOrders(ids)).values()],

    /** Of these wallets, those that exist, by id, as far as an order has to fit them. */
    findWallets: (ids: readonly string[]) => readNamedWallets(wallets, ids),

    /** The orders that have not ended and refer to one of these; in a snapshot if a session is given. */
    unsettledUses: (ids: readonly string[], workspaceIds: readonly string[], session?: ClientSession) =>
      readUnsettledUses(orders, ids, workspaceIds, session),

    /** What was written for webhooks, and is kept still. */
    outbox: () => ahead(pagesById(outbox, pageSize, { projection: ofEntry }), (rows) => rows.map(toEntry)),

    /** See {@link readUses}. */
    usesOf: (ids: readonly string[], workspaceIds: readonly string[], session?: ClientSession) =>
      readUses(orders, ids, workspaceIds, session),

    /** See {@link readWalletWithOrders}; in one snapshot. */
    walletWithOrders: (wallet: Pick<BookedWallet, 'id' | 'workspaceId'>, ids: readonly string[], since: string) =>
      inTransaction(client, (session) => readWalletWithOrders(wallets, orders, wallet, ids, since, session)),

    /** See {@link readAtomicBatch}; in one snapshot. */
    atomicBatch: (firstId: string, ids: readonly string[]) =>
      inTransaction(client, (session) => readAtomicBatch(orders, firstId, ids, session)),

    /** In one snapshot: a wallet, and its flows after a sequence, each with its order. */
    async walletWithFlowsAfter(
      id: string,
      sequence: number,
    ): Promise<{ wallet: BookedWallet | undefined; flows: BookedFlow[] }> {
      const { wallet, rows } = await inTransaction(client, async (session) => ({
        wallet: await wallets.findOne({ _id: id }, { session }),
        rows: await tail(flows, id, sequence, session),
      }));
      return { wallet: wallet === null ? undefined : toWallet(wallet), flows: await withOrders(rows) };
    },
  };
}

async function readStrayIds(collection: Collection<Row>): Promise<string[]> {
  const ends = await Promise.all(
    ([1, -1] as const).map((direction) => collection.find().sort({ _id: direction }).limit(1).toArray()),
  );
  if (ends.flat().every(({ _id }) => typeof _id === 'string')) return [];
  const notText: Filter<Row> = { _id: { $not: { $type: 'string' } } };
  const rows = await collection.find(notText).project({ _id: 1 }).toArray();
  return rows.map((row) => String(row['_id']));
}

/** How many orders of a type and state a wallet says that it has, and how many there are. */
async function readClaimAndNumber(
  wallets: Collection<Row>,
  orders: Collection<Row>,
  {
    walletId,
    type,
    status,
  }: { readonly walletId: string; readonly type: string; readonly status: keyof typeof endedEarly },
  session: ClientSession,
): Promise<{ claim: number; number: number }> {
  const wallet = await wallets.findOne({ _id: walletId }, { projection: claimed, session });
  if (wallet === null) return { claim: 0, number: 0 };
  const { workspaceId, counts } = toClaim(wallet);
  const { filter, ofWallet: hint } = endedEarly[status];
  const number = await orders.countDocuments({ workspaceId, wallets: walletId, type, ...filter }, { hint, session });
  return { claim: counts[status].get(type) ?? 0, number };
}

async function readNamedWallets(wallets: Collection<Row>, ids: readonly string[]): Promise<Map<string, NamedWallet>> {
  const options = { projection: { workspaceId: 1, currency: 1 }, batchSize: ids.length + 1 };
  const rows = await wallets.find({ _id: { $in: [...ids] } }, options).toArray();
  return new Map(rows.map(({ _id, ...row }) => [_id, row as unknown as NamedWallet]));
}

async function readUnsettledUses(
  orders: Collection<Row>,
  ids: readonly string[],
  workspaceIds: readonly string[],
  session?: ClientSession,
): Promise<BookedOrder[]> {
  const filter = { workspaceId: { $in: [...workspaceIds] }, parentId: { $in: [...ids] }, status: unsettledStates };
  const inSnapshot = session === undefined ? {} : { session };
  const rows = await orders.find(filter, { hint: orderIndexes.unsettledOfParent, ...inSnapshot }).toArray();
  return rows.map(toOrder);
}

/** An atomic batch by its first order: that, those that it names, and others that may name it. */
async function readAtomicBatch(
  orders: Collection<Row>,
  firstId: string,
  ids: readonly string[],
  session: ClientSession,
): Promise<BookedOrder[]> {
  const first = await orders.findOne({ _id: firstId }, { session });
  const named = (first?.['otherIds'] ?? []) as readonly string[];
  const all = { _id: { $in: [...new Set([firstId, ...named, ...ids])] } };
  return (await orders.find(all, { session }).toArray()).map(toOrder);
}

/** Orders by id, and what the COMPLETED orders that refer to them are; in a snapshot if a session is given. */
async function readUses(
  orders: Collection<Row>,
  ids: readonly string[],
  workspaceIds: readonly string[],
  session?: ClientSession,
): Promise<{ parents: Map<string, BookedOrder>; uses: BookedUse[] }> {
  const inSnapshot = session === undefined ? {} : { session };
  const parents = await orders.find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1, ...inSnapshot }).toArray();
  const referring = { workspaceId: { $in: [...workspaceIds] }, parentId: { $in: [...ids] }, status: 'COMPLETED' };
  const _id = { parentId: '$parentId', type: '$type', terms: '$terms' };
  const rows = await orders
    .aggregate<{ _id: Omit<BookedUse, 'amount' | 'count'>; amount: unknown; count: number }>(
      [{ $match: referring }, { $group: { _id, amount: { $sum: '$amount' }, count: { $sum: 1 } } }],
      { hint: orderIndexes.ofParent, ...inSnapshot },
    )
    .toArray();
  return {
    parents: new Map(parents.map((row) => [row._id, toOrder(row)])),
    uses: rows.map(({ _id: of, amount, count }) => ({ ...of, amount: toMoney(amount), count })),
  };
}

/**
 * A wallet, and of the orders that may reserve something on it those that are COMPLETED now.
 * @param ids of such orders. @param since an id: newer orders of the wallet are read too.
 */
async function readWalletWithOrders(
  wallets: Collection<Row>,
  orders: Collection<Row>,
  { id, workspaceId }: Pick<BookedWallet, 'id' | 'workspaceId'>,
  ids: readonly string[],
  since: string,
  session: ClientSession,
): Promise<{ wallet: BookedWallet | undefined; orders: BookedOrder[] }> {
  const wallet = await wallets.findOne({ _id: id }, { session });
  const named = await orders.find({ _id: { $in: [...ids] }, status: 'COMPLETED' }, { session }).toArray();
  const ofWallet = { workspaceId, wallets: id, _id: { $gte: since, $nin: [...ids] }, status: 'COMPLETED' };
  const newer = await orders.find(ofWallet, { session, hint: orderIndexes.ofWallet }).toArray();
  return { wallet: wallet === null ? undefined : toWallet(wallet), orders: [...named, ...newer].map(toOrder) };
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

function tail(flows: Collection<Row>, walletId: string, sequence: number, session: ClientSession): Promise<Row[]> {
  const range = { $gt: flowId(walletId, sequence), $lt: pastFlowsOf(walletId) };
  return flows.find({ _id: range }, { session, sort: { _id: 1 }, limit: tailMax }).toArray();
}

function toWallets(rows: readonly Row[]): BookedWallet[] {
  return rows.filter(isWallet).map(toWallet);
}
