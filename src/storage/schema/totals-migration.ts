import {
  MongoServerError,
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
  type Document,
  type Filter,
} from 'mongodb';
import { flowId, idPrefixes, isTotalsId, totalsId } from '../../domain/ids.ts';
import { Money } from '../../domain/money.ts';
import type { CountedStatus, OrderCounts } from '../../domain/order-counts.ts';
import type { Direction } from '../../domain/wallet.ts';
import { fromDecimal128 } from '../shared/decimal.ts';
import { errorCodes } from '../shared/error-codes.ts';
import type { FlowDocument } from '../flows/flows.ts';
import type { OrderDocument } from '../orders/orders.ts';
import { beyondAnyId } from '../shared/page.ts';
import { anyOf, byId, inOneReply } from '../shared/commands.ts';
import { countFailed } from '../orders/failed-orders.ts';
import { olderType, type OnMigrated } from './orders-migration.ts';
import { orderIndexes, walletIndexes } from './schema.ts';
import { isMigrating } from './schema-version.ts';
import { ofMigration } from '../wallets/totals.ts';
import type { WalletDocument } from '../wallets/wallets.ts';

/** What cannot be migrated: books that are not sound, or another migration under way. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Documents that one command reads or changes. */
const batchMax = 2_000;
const ordersAtOnce = 20_000;

/**
 * Gives flows and wallets their debits so far, wallets the numbers of their orders, and workspaces their totals. While it
 * runs nothing may be posted. Safe to repeat, also after it was cut short: what is done is passed over.
 * @throws MigrationError
 */
export async function countWhatThereIs(db: Db, onMigrated: OnMigrated): Promise<void> {
  await giveDebits(db, onMigrated);
  await completeWallets(db, onMigrated);
  for await (const workspaces of batchesOf(db.collection<{ _id: string }>('workspaces'), {}, { _id: 1 })) {
    for (const { _id } of workspaces) {
      if (!(await isMigrating(db))) throw new MigrationError(underWay);
      await countWorkspace(db, _id, onMigrated);
    }
  }
}

/** A wallet's flows up to one of them. */
interface Chain {
  readonly workspaceId: string;
  readonly walletId: string;
  readonly sequence: number;
  readonly debits: Money;
  readonly debitFlows: number;
  /** How many of the flows are of orders of each type. */
  readonly completed: Readonly<Record<string, number>>;
}

type OlderFlow = Pick<
  FlowDocument,
  '_id' | 'workspaceId' | 'walletId' | 'counterpartyWalletId' | 'sequence' | 'amount'
> & {
  readonly direction: Direction;
  readonly debits?: string;
};

/** Reads all flows, wallet by wallet, in the order of their sequences. A wallet gets its debits once its flows have them. */
async function giveDebits(db: Db, onMigrated: OnMigrated): Promise<void> {
  const flows: Collection<OlderFlow> = db.collection('flows');
  const projection = {
    ...{ workspaceId: 1, walletId: 1, counterpartyWalletId: 1 },
    ...{ sequence: 1, direction: 1, amount: 1, debits: 1 },
  };
  let chain: Chain | undefined;
  let done = 0;
  for await (const batch of batchesOf(flows, {}, projection)) {
    const changes: AnyBulkWriteOperation<OlderFlow>[] = [];
    const ended: Chain[] = [];
    for (const flow of batch) {
      if (chain !== undefined && chain.walletId !== flow.walletId) ended.push(chain);
      chain = chainAfter(chain?.walletId === flow.walletId ? chain : undefined, flow);
      if (flow.debits !== undefined) continue;
      const { _id, workspaceId } = flow;
      changes.push({
        updateOne: { filter: { workspaceId, _id }, update: { $set: { debits: chain.debits.toFixed() } } },
      });
    }
    if (changes.length > 0) await flows.bulkWrite(changes, { ordered: false });
    await giveWalletsTheirs(db, ended);
    onMigrated('flows that have their debits', (done += batch.length));
  }
  if (chain !== undefined) await giveWalletsTheirs(db, [chain]);
}

function chainAfter(chain: Chain | undefined, flow: OlderFlow): Chain {
  const { workspaceId, walletId, sequence, direction, amount } = flow;
  if (sequence !== (chain?.sequence ?? 0) + 1) {
    throw new MigrationError(`${flowId(walletId, sequence)} does not follow a flow of its wallet: ${unsound}`);
  }
  const isDebit = direction === 'DEBIT';
  const before = chain?.debits ?? new Money(0);
  const type = typeOf(flow);
  return {
    workspaceId,
    walletId,
    sequence,
    debits: isDebit ? before.plus(fromDecimal128(amount)) : before,
    debitFlows: (chain?.debitFlows ?? 0) + (isDebit ? 1 : 0),
    completed: { ...chain?.completed, [type]: (chain?.completed[type] ?? 0) + 1 },
  };
}

/** Of the order of an older flow: each that was COMPLETED left one flow on each of its wallets, which names the other. */
function typeOf({ walletId, counterpartyWalletId, direction }: OlderFlow): string {
  return direction === 'DEBIT'
    ? olderType({ sourceWalletId: walletId, targetWalletId: counterpartyWalletId })
    : olderType({ sourceWalletId: counterpartyWalletId, targetWalletId: walletId });
}

const underWay = 'another `admin schema apply` is under way: wait for its end, and run this again';
const unsound = 'the books are not sound; put that right, and run this again';

/** A wallet as the release before left it. */
type OlderWallet = Pick<WalletDocument, '_id' | 'workspaceId' | 'sequence'> & {
  readonly debits?: string;
  readonly failedOrders?: number;
};

const ofOlderWallet = { workspaceId: 1, sequence: 1, debits: 1, failedOrders: 1 };

/** What an older wallet's flows say of it. */
type FromFlows = Pick<Chain, 'debits' | 'debitFlows' | 'completed'>;

async function giveWalletsTheirs(db: Db, chains: readonly Chain[]): Promise<void> {
  if (chains.length === 0) return;
  const ids = {
    workspaceId: anyOf(chains.map((chain) => chain.workspaceId)),
    _id: { $in: chains.map(({ walletId }) => walletId) },
  };
  const wallets = db.collection<OlderWallet>('wallets');
  const options = { projection: ofOlderWallet, ...byId, ...inOneReply(chains.length) };
  const found = await wallets.find({ ...ids, debits: { $exists: false } }, options).toArray();
  const byWallet = new Map(chains.map((chain) => [chain.walletId, chain]));
  const asTheirFlows = found.filter(({ _id, sequence }) => byWallet.get(_id)?.sequence === sequence);
  await completeEach(db, asTheirFlows, ({ _id }) => byWallet.get(_id) ?? withoutFlows);
}

const withoutFlows: FromFlows = { debits: new Money(0), debitFlows: 0, completed: {} };

/** FAILED orders are counted from their documents, because an older wallet has only the number of all of them. */
async function completeEach(
  db: Db,
  wallets: readonly OlderWallet[],
  fromFlows: (wallet: OlderWallet) => FromFlows,
): Promise<void> {
  if (wallets.length === 0) return;
  const failed = await countFailed(
    db,
    wallets.map(({ _id, workspaceId, failedOrders = 0 }) => ({ walletId: _id, workspaceId, failed: failedOrders })),
  );
  const changes = wallets.map((wallet) => {
    const { _id, workspaceId, sequence } = wallet;
    const { debits, debitFlows, completed } = fromFlows(wallet);
    const orders = countsOf({ COMPLETED: Object.entries(completed), FAILED: failed.get(_id) ?? [] });
    return {
      updateOne: {
        filter: { workspaceId, _id, sequence, debits: { $exists: false } },
        update: { $set: { debits: debits.toFixed(), debitFlows, orders }, $unset: { failedOrders: true } },
      },
    } as const;
  });
  await db.collection<OlderWallet & WalletDocument>('wallets').bulkWrite(changes, { ordered: false });
}

function countsOf(
  byStatus: Readonly<Record<CountedStatus, Iterable<readonly [type: string, count: number]>>>,
): OrderCounts {
  const counts: Record<string, Record<string, number>> = {};
  for (const [status, byType] of Object.entries(byStatus)) {
    for (const [type, count] of byType) counts[type] = { ...counts[type], [status]: count };
  }
  return counts;
}

/** Wallets that have no flow yet, once all others are done. */
async function completeWallets(db: Db, onMigrated: OnMigrated): Promise<void> {
  const wallets: Collection<OlderWallet> = db.collection('wallets');
  let done = 0;
  for await (const batch of batchesOf(wallets, {}, ofOlderWallet)) {
    const left = batch.filter(({ _id, debits }) => !isTotalsId(_id) && debits === undefined);
    const wrong = left.find(({ sequence }) => sequence !== 0);
    if (wrong !== undefined) throw new MigrationError(`wallet ${wrong._id} is not as its flows left it: ${unsound}`);
    await completeEach(db, left, () => withoutFlows);
    onMigrated('wallets', (done += batch.length));
  }
}

interface MigratedTotals {
  readonly _id: string;
  readonly workspaceId: string;
  /** The last order that was counted; {@link beyondAnyId} once all were, and the wallets too. */
  readonly countedUpTo?: string | null;
}

/** Adds page after page to the totals, each together with the place that it reached, so that none is counted twice. */
async function countWorkspace(db: Db, workspaceId: string, onMigrated: OnMigrated): Promise<void> {
  const totals: Collection<MigratedTotals> = db.collection('wallets');
  const own = { workspaceId, _id: totalsId(workspaceId, ofMigration) };
  let after = (await totals.findOne(own))?.countedUpTo ?? null;
  let done = 0;
  while (after !== beyondAnyId) {
    const page = await ordersAfter(db, workspaceId, after ?? '');
    const upTo: string = page.at(-1)?._id ?? beyondAnyId;
    const settled = page.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
    const $inc = countsBy(settled, ({ currency, type, status }) => `orders.${currency}.${type}.${status}`);
    const ofWallets = upTo === beyondAnyId ? await walletCounts(db, workspaceId) : {};
    await addPage(
      totals,
      { ...own, countedUpTo: after },
      {
        $set: { countedUpTo: upTo, ...ofWallets },
        $setOnInsert: { kind: 'TOTALS' },
        ...(settled.length === 0 ? {} : { $inc }),
      },
    );
    after = upTo;
    onMigrated(`orders of ${workspaceId}`, (done += page.length));
  }
}

type CountedOrder = Pick<OrderDocument, '_id' | 'workspaceId' | 'currency' | 'type' | 'status'>;

function ordersAfter(db: Db, workspaceId: string, after: string): Promise<CountedOrder[]> {
  return db
    .collection<CountedOrder>('orders')
    .find(
      { workspaceId, _id: { $gt: after } },
      { projection: { currency: 1, type: 1, status: 1 }, hint: orderIndexes.ofWorkspace, ...inOneReply(ordersAtOnce) },
    )
    .sort({ _id: 1 })
    .limit(ordersAtOnce)
    .toArray();
}

async function addPage(
  totals: Collection<MigratedTotals>,
  filter: Filter<MigratedTotals>,
  update: Document,
): Promise<void> {
  try {
    await totals.updateOne(filter, update, { upsert: true });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== errorCodes.DuplicateKey) throw error;
    throw new MigrationError(underWay, { cause: error });
  }
}

/** How many wallets there are that clients can see. */
async function walletCounts(db: Db, workspaceId: string): Promise<Readonly<Record<string, number>>> {
  const wallets: Collection<WalletDocument> = db.collection('wallets');
  const counts: Record<string, number> = {};
  const ids = { workspaceId, _id: { $gte: idPrefixes.wallet, $lt: `${idPrefixes.wallet}~` } };
  for await (const batch of batchesOf(wallets, ids, { currency: 1, status: 1 }, walletIndexes.ofWorkspace)) {
    const more = countsBy(batch, ({ currency, status }) => `wallets.${currency}.${status}`);
    for (const [field, count] of Object.entries(more)) counts[field] = (counts[field] ?? 0) + count;
  }
  return counts;
}

function countsBy<T>(items: readonly T[], fieldOf: (item: T) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, fieldOf)].map(([field, { length }]) => [field, length]));
}

/** All documents that match, by id; each command reads a bounded number. */
async function* batchesOf<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  projection: Document,
  hint: string = byId.hint,
): AsyncGenerator<T[], void, undefined> {
  let after = '';
  for (;;) {
    const batch = await collection
      .find({ $and: [filter, { _id: { $gt: after } }] } as Filter<T>, { projection, hint, ...inOneReply(batchMax) })
      .sort({ _id: 1 })
      .limit(batchMax)
      .toArray();
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last._id;
    yield batch as T[];
  }
}
