import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { flowId, idPrefixes, isTotalsId, pastFlowsOf, totalsId } from '../../domain/ids.ts';
import { Money } from '../../domain/money.ts';
import { withOneMore, type OrderCounts } from '../../domain/order-counts.ts';
import type { FlowDocument } from '../flows/flows.ts';
import { countFailed } from '../orders/failed-orders.ts';
import type { OrderDocument } from '../orders/orders.ts';
import { byId } from '../shared/commands.ts';
import { fromDecimal128 } from '../shared/decimal.ts';
import { isServerError } from '../shared/error-codes.ts';
import { beyondAnyId } from '../shared/page.ts';
import { pagesById } from '../shared/pages-by-id.ts';
import { ofMigration } from '../wallets/totals.ts';
import type { WalletDocument } from '../wallets/wallets.ts';
import { olderType, type OnMigrated } from './orders-migration.ts';
import { orderIndexes, walletIndexes } from './schema.ts';
import { isMigrating } from './schema-version.ts';

/** Why the database cannot be migrated now. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

const underWay = 'another `admin schema apply` is under way: wait for its end, and run this again';
const unsound = 'the books are not sound; put that right, and run this again';

/** Documents that one command reads or changes; more where it only counts them. */
const batchMax = 2_000;
const ordersAtOnce = 20_000;

/**
 * Gives flows and wallets their debits so far, wallets the numbers of their orders, and workspaces their totals. While it
 * runs nothing may be posted. Safe to repeat, also after it was cut short: what is done is passed over.
 * @throws MigrationError
 */
export async function countWhatThereIs(db: Db, onMigrated: OnMigrated): Promise<void> {
  await completeWallets(db, onMigrated);
  const workspaces = db.collection<{ readonly _id: string }>('workspaces');
  for await (const batch of pagesById(workspaces, batchMax, { projection: { _id: 1 }, ...byId })) {
    for (const { _id } of batch) {
      if (!(await isMigrating(db))) throw new MigrationError(underWay);
      await countWorkspace(db, _id, onMigrated);
    }
  }
}

/** A wallet as the release before left it; it has its debits once it is done, and so have its flows. */
type OlderWallet = Pick<WalletDocument, '_id' | 'workspaceId' | 'sequence'> & {
  readonly debits?: string;
  readonly failedOrders?: number;
};

async function completeWallets(db: Db, onMigrated: OnMigrated): Promise<void> {
  const wallets: Collection<OlderWallet> = db.collection('wallets');
  const projection = { workspaceId: 1, sequence: 1, debits: 1, failedOrders: 1 };
  const done = { wallets: 0, flows: 0 };
  const onFlows = (count: number): void => {
    onMigrated('flows that have their debits', (done.flows += count));
  };
  let after = '';
  for await (const batch of pagesById(wallets, batchMax, { projection, ...byId })) {
    const before = pastFlowsOf(batch.at(-1)?._id ?? '');
    const left = batch.filter(({ _id, debits }) => !isTotalsId(_id) && debits === undefined);
    if (left.length > 0) await completeEach(db, left, await giveDebits(db, { after, before }, onFlows));
    after = before;
    onMigrated('wallets', (done.wallets += batch.length));
  }
}

/** What a wallet's flows up to one of them say of it. */
interface Chain {
  readonly sequence: number;
  readonly debits: Money;
  readonly debitFlows: number;
  /** Those that are COMPLETED: each left one flow. */
  readonly orders: OrderCounts;
}

const withoutFlows: Chain = { sequence: 0, debits: new Money(0), debitFlows: 0, orders: {} };

type OlderFlow = Pick<
  FlowDocument,
  '_id' | 'workspaceId' | 'walletId' | 'counterpartyWalletId' | 'sequence' | 'direction' | 'amount'
> & { readonly debits?: string };

const ofOlderFlow = {
  workspaceId: 1,
  walletId: 1,
  counterpartyWalletId: 1,
  sequence: 1,
  direction: 1,
  amount: 1,
  debits: 1,
};

/** Reads a range of flows: wallet by wallet, in the order of their sequences. @returns by wallet, what all its flows say. */
async function giveDebits(
  db: Db,
  { after, before }: { readonly after: string; readonly before: string },
  onFlows: (count: number) => void,
): Promise<ReadonlyMap<string, Chain>> {
  const flows: Collection<OlderFlow> = db.collection('flows');
  const chains = new Map<string, Chain>();
  const range = { after, ids: { $lt: before }, projection: ofOlderFlow, ...byId };
  for await (const batch of pagesById(flows, batchMax, range)) {
    const changes: AnyBulkWriteOperation<OlderFlow>[] = [];
    for (const flow of batch) {
      const { _id, workspaceId, walletId } = flow;
      const chain = chainAfter(chains.get(walletId) ?? withoutFlows, flow);
      chains.set(walletId, chain);
      const update = { $set: { debits: chain.debits.toFixed() } };
      if (flow.debits === undefined) changes.push({ updateOne: { filter: { workspaceId, _id }, update } });
    }
    if (changes.length > 0) await flows.bulkWrite(changes, { ordered: false });
    onFlows(batch.length);
  }
  return chains;
}

function chainAfter(chain: Chain, flow: OlderFlow): Chain {
  const { walletId, counterpartyWalletId, sequence, direction, amount } = flow;
  if (sequence !== chain.sequence + 1) {
    throw new MigrationError(`${flowId(walletId, sequence)} does not follow a flow of its wallet: ${unsound}`);
  }
  const isDebit = direction === 'DEBIT';
  const [sourceWalletId, targetWalletId] = isDebit
    ? [walletId, counterpartyWalletId]
    : [counterpartyWalletId, walletId];
  return {
    sequence,
    debits: isDebit ? chain.debits.plus(fromDecimal128(amount)) : chain.debits,
    debitFlows: chain.debitFlows + (isDebit ? 1 : 0),
    orders: withOneMore(chain.orders, olderType({ sourceWalletId, targetWalletId }), 'COMPLETED'),
  };
}

/** FAILED orders are counted from their documents, because an older wallet has only the number of all of them. */
async function completeEach(
  db: Db,
  wallets: readonly OlderWallet[],
  chains: ReadonlyMap<string, Chain>,
): Promise<void> {
  const failed = await countFailed(
    db,
    wallets.map(({ _id, workspaceId, failedOrders = 0 }) => ({ walletId: _id, workspaceId, failed: failedOrders })),
  );
  const changes = wallets.map(({ _id, workspaceId, sequence }) => {
    const chain = chains.get(_id) ?? withoutFlows;
    if (chain.sequence !== sequence) {
      throw new MigrationError(`wallet ${_id} is not as its flows left it: ${unsound}`);
    }
    const orders: Record<string, OrderCounts[string]> = { ...chain.orders };
    for (const [type, count] of failed.get(_id) ?? []) orders[type] = { ...orders[type], FAILED: count };
    const $set = { debits: chain.debits.toFixed(), debitFlows: chain.debitFlows, orders };
    return {
      updateOne: {
        filter: { workspaceId, _id, sequence, debits: { $exists: false } },
        update: { $set, $unset: { failedOrders: true } },
      },
    } as const;
  });
  await db.collection<OlderWallet & WalletDocument>('wallets').bulkWrite(changes, { ordered: false });
}

interface MigratedTotals {
  readonly _id: string;
  readonly workspaceId: string;
  /** The last order that was counted; {@link beyondAnyId} once all were, and the wallets too. */
  readonly countedUpTo?: string | null;
}

type CountedOrder = Pick<OrderDocument, '_id' | 'workspaceId' | 'currency' | 'type' | 'status'>;

/** Adds page after page to the totals, each together with the place that it reached, so that none is counted twice. */
async function countWorkspace(db: Db, workspaceId: string, onMigrated: OnMigrated): Promise<void> {
  const totals: Collection<MigratedTotals> = db.collection('wallets');
  const own = { workspaceId, _id: totalsId(workspaceId, ofMigration) };
  let countedUpTo = (await totals.findOne(own))?.countedUpTo ?? null;
  if (countedUpTo === beyondAnyId) return;

  async function add(counts: ReadonlyMap<string, number>, upTo: string): Promise<void> {
    const $inc = counts.size === 0 ? {} : { $inc: Object.fromEntries(counts) };
    const update = { $set: { countedUpTo: upTo }, $setOnInsert: { kind: 'TOTALS' }, ...$inc };
    await totals.updateOne({ ...own, countedUpTo }, update, { upsert: true }).catch((cause: unknown) => {
      if (!isServerError(cause, 'DuplicateKey')) throw cause;
      throw new MigrationError(underWay, { cause });
    });
    countedUpTo = upTo;
  }

  let done = 0;
  const orders: Collection<CountedOrder> = db.collection('orders');
  for await (const page of pagesById(orders, ordersAtOnce, {
    filter: { workspaceId },
    after: countedUpTo ?? '',
    projection: { currency: 1, type: 1, status: 1 },
    hint: orderIndexes.ofWorkspace,
  })) {
    const settled = page.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
    const counts = countsBy(settled, ({ currency, type, status }) => `orders.${currency}.${type}.${status}`);
    await add(counts, page.at(-1)?._id ?? '');
    onMigrated(`orders of ${workspaceId}`, (done += page.length));
  }
  await add(await walletCounts(db, workspaceId), beyondAnyId);
}

/** How many wallets there are that clients can see. */
async function walletCounts(db: Db, workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const wallets: Collection<WalletDocument> = db.collection('wallets');
  const counts = new Map<string, number>();
  for await (const batch of pagesById(wallets, batchMax, {
    filter: { workspaceId },
    ids: { $gte: idPrefixes.wallet, $lt: `${idPrefixes.wallet}~` },
    projection: { currency: 1, status: 1 },
    hint: walletIndexes.ofWorkspace,
  })) {
    const more = countsBy(batch, ({ currency, status }) => `wallets.${currency}.${status}`);
    for (const [field, count] of more) counts.set(field, (counts.get(field) ?? 0) + count);
  }
  return counts;
}

function countsBy<T>(items: readonly T[], fieldOf: (item: T) => string): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(items, fieldOf)].map(([field, { length }]) => [field, length]));
}
