import type { ClientSession, Collection, Db, FindOptions } from 'mongodb';
import type { CountedStatus } from '../../domain/order-counts.ts';
import { orderIndexes } from '../schema/schema.ts';
import type { OrderDocument } from './documents.ts';
import { anyOf } from '../shared/commands.ts';
import { pagesById } from '../shared/page.ts';

/** Numbers of orders above zero, by type. */
export type CountsByType = ReadonlyMap<string, number>;

/** The states whose orders leave no flows, so that only the orders themselves tell how many there are. */
export const withoutFlows = ['FAILED', 'CANCELLED'] as const satisfies CountedStatus[];
export type WithoutFlows = (typeof withoutFlows)[number];

interface Claimed {
  readonly walletId: string;
  readonly workspaceId: string;
  /** How many of its orders are in the state that is counted, as far as is known. */
  readonly orders: number;
}

/** About how many orders one command counts, so that none takes long, however many there are. */
export const countedAtOnce = 20_000;

/** Each state has an index of its orders by wallet. */
const found = {
  FAILED: { filter: { status: 'FAILED' }, hint: orderIndexes.failedOfWallet },
  CANCELLED: { filter: { status: 'CANCELLED', executeAt: { $exists: true } }, hint: orderIndexes.scheduledOfWallet },
} as const;

/**
 * Counts from their documents the orders in a state that have one of these wallets as source or target, to check the wallets'
 * own counts. @returns by wallet and type; wallets without any are absent.
 */
export async function countEnded(
  db: Db,
  wallets: readonly Claimed[],
  status: WithoutFlows,
  session?: ClientSession,
): Promise<Map<string, CountsByType>> {
  const counts = new Map<string, CountsByType>();
  const options = session === undefined ? {} : { session };
  for (const together of countedTogether(wallets)) {
    const [only] = together;
    if (only !== undefined && only.orders > countedAtOnce)
      counts.set(only.walletId, await countPages(db, only, status, options));
    else for (const [id, byType] of await countGroup(db, together, status, options)) counts.set(id, byType);
  }
  return counts;
}

export function sumOf(counts: CountsByType): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}

/** Groups of wallets that have few enough orders together; one that has more is alone. */
function* countedTogether(wallets: readonly Claimed[]): Generator<readonly Claimed[], void, undefined> {
  let group: Claimed[] = [];
  let sum = 0;
  for (const wallet of wallets) {
    if (group.length > 0 && !(sum + wallet.orders <= countedAtOnce)) {
      yield group;
      [group, sum] = [[], 0];
    }
    group.push(wallet);
    sum += wallet.orders;
  }
  if (group.length > 0) yield group;
}

async function countGroup(
  db: Db,
  wallets: readonly Claimed[],
  status: WithoutFlows,
  options: Pick<FindOptions, 'session'>,
): Promise<Map<string, CountsByType>> {
  const { filter, hint } = found[status];
  const workspaceId = anyOf(wallets.map((wallet) => wallet.workspaceId));
  const ofThese = { wallets: { $in: wallets.map(({ walletId }) => walletId) } };
  const stages = [
    { $match: { workspaceId, ...ofThese, ...filter } },
    { $unwind: '$wallets' },
    { $match: ofThese },
    { $group: { _id: { walletId: '$wallets', type: '$type' }, orders: { $sum: 1 } } },
  ];
  const counted = await db
    .collection('orders')
    .aggregate<{ _id: { walletId: string; type: string }; orders: number }>(stages, { ...options, hint })
    .toArray();
  const byWallet = Map.groupBy(counted, ({ _id }) => _id.walletId);
  return new Map(
    [...byWallet].map(([id, counts]) => [id, new Map(counts.map((each) => [each._id.type, each.orders]))]),
  );
}

async function countPages(
  db: Db,
  { workspaceId, walletId }: Claimed,
  status: WithoutFlows,
  options: Pick<FindOptions, 'session'>,
): Promise<CountsByType> {
  const orders: Collection<OrderDocument> = db.collection('orders');
  const { filter: inState, hint } = found[status];
  const filter = { workspaceId, wallets: walletId, ...inState };
  const counts = new Map<string, number>();
  for await (const page of pagesById(orders, countedAtOnce, { filter, projection: { type: 1 }, hint, ...options })) {
    for (const { type } of page) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}
