import type { ClientSession, Collection, Db, FindOptions } from 'mongodb';
import { orderIndexes } from '../schema/schema.ts';
import type { OrderDocument } from './documents.ts';
import { anyOf } from '../shared/commands.ts';
import { pagesById } from '../shared/page.ts';

/** Numbers of orders above zero, by type. */
export type CountsByType = ReadonlyMap<string, number>;

interface Claimed {
  readonly walletId: string;
  readonly workspaceId: string;
  /** How many of its orders are FAILED, as far as is known. */
  readonly failed: number;
}

/** About how many orders one command counts, so that none takes long, however many there are. */
export const countedAtOnce = 20_000;

const hint = orderIndexes.failedOfWallet;

/**
 * Counts from their documents the FAILED orders that have one of these wallets as source or target, to check the wallets'
 * own counts. @returns by wallet and type; wallets without any are absent.
 */
export async function countFailed(
  db: Db,
  wallets: readonly Claimed[],
  session?: ClientSession,
): Promise<Map<string, CountsByType>> {
  const counts = new Map<string, CountsByType>();
  const options = session === undefined ? {} : { session };
  for (const together of countedTogether(wallets)) {
    const [only] = together;
    if (only !== undefined && only.failed > countedAtOnce)
      counts.set(only.walletId, await countPages(db, only, options));
    else for (const [id, byType] of await countGroup(db, together, options)) counts.set(id, byType);
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
    if (group.length > 0 && !(sum + wallet.failed <= countedAtOnce)) {
      yield group;
      [group, sum] = [[], 0];
    }
    group.push(wallet);
    sum += wallet.failed;
  }
  if (group.length > 0) yield group;
}

async function countGroup(
  db: Db,
  wallets: readonly Claimed[],
  options: Pick<FindOptions, 'session'>,
): Promise<Map<string, CountsByType>> {
  const workspaceId = anyOf(wallets.map((wallet) => wallet.workspaceId));
  const ofThese = { wallets: { $in: wallets.map(({ walletId }) => walletId) } };
  const stages = [
    { $match: { workspaceId, ...ofThese, status: 'FAILED' } },
    { $unwind: '$wallets' },
    { $match: ofThese },
    { $group: { _id: { walletId: '$wallets', type: '$type' }, orders: { $sum: 1 } } },
  ];
  const found = await db
    .collection('orders')
    .aggregate<{ _id: { walletId: string; type: string }; orders: number }>(stages, { ...options, hint })
    .toArray();
  const byWallet = Map.groupBy(found, ({ _id }) => _id.walletId);
  return new Map(
    [...byWallet].map(([id, counts]) => [id, new Map(counts.map((each) => [each._id.type, each.orders]))]),
  );
}

async function countPages(
  db: Db,
  { workspaceId, walletId }: Claimed,
  options: Pick<FindOptions, 'session'>,
): Promise<CountsByType> {
  const orders: Collection<OrderDocument> = db.collection('orders');
  const filter = { workspaceId, wallets: walletId, status: 'FAILED' } as const;
  const counts = new Map<string, number>();
  for await (const page of pagesById(orders, countedAtOnce, { filter, projection: { type: 1 }, hint, ...options })) {
    for (const { type } of page) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}
