import type { ClientSession, Collection, Db, Document, Filter, MongoClient } from 'mongodb';
import { flowId, idPrefixes } from '../domain/ids.ts';
import { Money } from '../domain/money.ts';
import type { Order, TransferValues } from '../domain/order.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import { countFailedByWallet } from './failed-orders.ts';
import { orderIndexes } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** A wallet as stored. It is not trusted: the types are those of a sound document. */
export interface BookedWallet extends Pick<
  Wallet,
  'id' | 'workspaceId' | 'currency' | 'balance' | 'sequence' | 'flowHash'
> {
  readonly kind: string;
}

/** How many FAILED orders a wallet claims to have, and how many there are. */
export interface BookedFailures {
  readonly walletId: string;
  readonly said: unknown;
  readonly found: number;
}

/** An order as stored, not trusted either. */
export interface BookedOrder extends TransferValues, Pick<Order, 'id' | 'completedAt'> {
  readonly status: string;
  readonly failure: string | null;
}

/** A flow with the order that it names; the order is undefined if it does not exist. */
export interface BookedFlow {
  readonly flow: Flow;
  readonly order: BookedOrder | undefined;
}

/** Which order a flow belongs to, and whether it is the debit or the credit. */
type FlowMark = Pick<Flow, 'transferId' | 'direction'>;

export type BookName = 'wallets' | 'flows' | 'orders';
export type Books = ReturnType<typeof openBooks>;

type Row = Document & { readonly _id: string };

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
    wallets: () => pages(wallets, { pageSize }, (rows) => rows.map(toWallet)),
    /** Flows by id: wallet by wallet, in the order of their sequence. Each page's orders are read after its flows. */
    flows: () => pages(flows, { pageSize }, withOrders),
    orders: () => pages(orders, { pageSize }, (rows) => rows.map(toOrder)),
    flowMarks: () =>
      pages(flows, { pageSize, projection: { transferId: 1, direction: 1 } }, (rows) => rows.map(toMark)),
    /** Ids of the orders below an id that are PENDING, set aside or not. */
    pendingIdsBefore: (before: string) =>
      pages(
        orders,
        {
          ...{ pageSize, projection: { _id: 1 }, hint: orderIndexes.pending },
          ...{ filter: { status: 'PENDING' }, ids: { $lt: before } },
        },
        toIds,
      ),
    /** Ids of the orders from an id on, inclusive, that are COMPLETED. */
    completedIdsFrom: (from: string) =>
      pages(orders, { pageSize, projection: { _id: 1 }, filter: { status: 'COMPLETED' }, ids: { $gte: from } }, toIds),

    /** The FAILED orders of each wallet that claims or has any; each page is read in one snapshot. */
    failures: () =>
      pages(wallets, { pageSize, projection: { workspaceId: 1 } }, (rows) => failuresOf(client, db, rows)),

    /** About how many documents there are; undefined if the server does not say. */
    count: (book: BookName) => collections[book].estimatedDocumentCount().catch(() => undefined),

    /** The hashes of flows, by their ids; of those that exist. */
    async flowHashes(ids: readonly string[]): Promise<Map<string, unknown>> {
      const options = { projection: { hash: 1 }, batchSize: ids.length + 1 };
      const rows = await flows.find({ _id: { $in: [...ids] } }, options).toArray();
      return new Map(rows.map((row) => [row._id, row['hash']]));
    },

    /** By the primary's clock. */
    async now(): Promise<Date> {
      const { localTime } = await db.admin().command({ isMaster: 1 });
      return localTime as Date;
    },

    /** Ids that are not text, which reading by id misses. There are none if the least and the greatest id are text. */
    async strayIds(book: BookName): Promise<string[]> {
      const ends = await Promise.all(
        ([1, -1] as const).map((direction) => collections[book].find().sort({ _id: direction }).limit(1).toArray()),
      );
      if (ends.flat().every(({ _id }) => typeof _id === 'string')) return [];
      const notText: Filter<Row> = { _id: { $not: { $type: 'string' } } };
      const rows = await collections[book].find(notText).project({ _id: 1 }).toArray();
      return rows.map((row) => String(row['_id']));
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

    /** In one snapshot: a wallet, and its flows after a sequence. */
    async walletWithFlowsAfter(
      id: string,
      sequence: number,
    ): Promise<{ wallet: BookedWallet | undefined; flows: Flow[] }> {
      const { wallet, rows } = await inTransaction(client, async (session) => ({
        wallet: await wallets.findOne({ _id: id }, { session }),
        rows: await tail(flows, id, sequence, session),
      }));
      return { wallet: wallet === null ? undefined : toWallet(wallet), flows: rows.map(toFlow) };
    },
  };
}

interface PagesOptions {
  readonly pageSize: number;
  readonly projection?: Document;
  readonly hint?: string;
  readonly filter?: Filter<Row>;
  /** Where the ids begin or end. */
  readonly ids?: { readonly $gte: string } | { readonly $lt: string };
}

/** While the caller has a page, the next one is converted and the one after it is read, so the server is never idle. */
async function* pages<T>(
  collection: Collection<Row>,
  { pageSize, filter, ids, ...options }: PagesOptions,
  convert: (rows: readonly Row[]) => T[] | Promise<T[]>,
): AsyncGenerator<T[], void, undefined> {
  const read = (after: string): Promise<Row[]> =>
    collection
      .find({ ...filter, _id: { $gt: after, ...ids } } as Filter<Row>, { ...options, batchSize: pageSize })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
  let reading = read('');
  let converting: Promise<T[]> | undefined;
  for (;;) {
    const rows = await reading;
    const ready = converting;
    const last = rows.at(-1);
    if (last !== undefined) {
      reading = read(last._id);
      converting = Promise.resolve(convert(rows));
      // If the caller stops early, nobody awaits these.
      reading.catch(() => undefined);
      converting.catch(() => undefined);
    }
    if (ready !== undefined) yield await ready;
    if (last === undefined) return;
  }
}

function tail(flows: Collection<Row>, walletId: string, sequence: number, session: ClientSession): Promise<Row[]> {
  // "/" follows ".", so this is past the wallet's last flow.
  const range = { $gt: flowId(walletId, sequence), $lt: `${idPrefixes.flow}${walletId}/` };
  return flows.find({ _id: range }, { session, sort: { _id: 1 }, limit: tailMax }).toArray();
}

async function failuresOf(client: MongoClient, db: Db, rows: readonly Row[]): Promise<BookedFailures[]> {
  const walletIds = rows.map(({ _id }) => _id);
  const workspaceIds = rows.map((row) => String(row['workspaceId']));
  const { wallets, found } = await inTransaction(client, async (session) => {
    const options = { session, projection: { failedOrders: 1 }, batchSize: rows.length + 1 };
    return {
      wallets: await db
        .collection<Row>('wallets')
        .find({ _id: { $in: walletIds } }, options)
        .toArray(),
      found: await countFailedByWallet(db, { workspaceIds, walletIds }, session),
    };
  });
  return wallets
    .map(({ _id, ...row }) => {
      const said: unknown = row['failedOrders'] ?? 0;
      return { walletId: _id, said, found: found.get(_id) ?? 0 };
    })
    .filter((failures) => failures.said !== 0 || failures.found > 0);
}

function toIds(rows: readonly Row[]): string[] {
  return rows.map(({ _id }) => _id);
}

function toWallet({ _id, ...row }: Row): BookedWallet {
  return { ...(row as Omit<BookedWallet, 'id' | 'balance'>), id: _id, balance: toMoney(row['balance']) };
}

function toOrder({ _id, ...row }: Row): BookedOrder {
  return { ...(row as Omit<BookedOrder, 'id' | 'amount'>), id: _id, amount: toMoney(row['amount']) };
}

function toFlow({ _id, ...row }: Row): Flow {
  return {
    ...(row as Omit<Flow, 'id' | 'amount' | 'balanceBefore' | 'balanceAfter'>),
    id: _id,
    amount: toMoney(row['amount']),
    balanceBefore: toMoney(row['balanceBefore']),
    balanceAfter: toMoney(row['balanceAfter']),
  };
}

function toMark(row: Row): FlowMark {
  return row as unknown as FlowMark;
}

/** What is no number becomes NaN, which equals nothing, so that the checks name the document. */
function toMoney(stored: unknown): Money {
  try {
    return new Money(String(stored));
  } catch {
    return new Money(Number.NaN);
  }
}
