import type { ClientSession, Db, Document } from 'mongodb';
import { orderIndexes } from '../schema/schema.ts';
import { anyOf } from '../shared/commands.ts';

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
 * own counts. @returns by wallet; wallets without any are absent.
 */
export async function countFailed(
  db: Db,
  wallets: readonly Claimed[],
  session?: ClientSession,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const options = session === undefined ? {} : { session };
  for (const together of countedTogether(wallets)) {
    const [only] = together;
    if (only !== undefined && only.failed > countedAtOnce)
      counts.set(only.walletId, await countPages(db, only, options));
    else for (const [id, count] of await countGroup(db, together, options)) counts.set(id, count);
  }
  return counts;
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

async function countGroup(db: Db, wallets: readonly Claimed[], options: Document): Promise<Map<string, number>> {
  const workspaceId = anyOf(wallets.map((wallet) => wallet.workspaceId));
  const ofThese = { wallets: { $in: wallets.map(({ walletId }) => walletId) } };
  const stages = [
    { $match: { workspaceId, ...ofThese, status: 'FAILED' } },
    { $unwind: '$wallets' },
    { $match: ofThese },
    { $group: { _id: '$wallets', orders: { $sum: 1 } } },
  ];
  const found = await db
    .collection('orders')
    .aggregate<{ _id: string; orders: number }>(stages, { ...options, hint })
    .toArray();
  return new Map(found.map(({ _id, orders }) => [_id, orders]));
}

async function countPages(db: Db, { workspaceId, walletId }: Claimed, options: Document): Promise<number> {
  const orders = db.collection<{ readonly _id: string; readonly wallets: readonly string[] }>('orders');
  let count = 0;
  for (let after = ''; ;) {
    const page = await orders
      .find({ workspaceId, wallets: walletId, status: 'FAILED', _id: { $gt: after } }, { ...options, hint })
      .project<{ readonly _id: string }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(countedAtOnce)
      .toArray();
    count += page.length;
    const last = page.at(-1);
    if (last === undefined) return count;
    after = last._id;
  }
}
