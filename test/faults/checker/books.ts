import type { Db, Document } from 'mongodb';

/** A document as the driver gives it: nothing of it is believed. */
export interface RawDocument extends Document {
  _id: string;
}

export interface RawBooks {
  wallets: RawDocument[];
  /** Parts of workspaces' totals, which are stored among the wallets. */
  totals: RawDocument[];
  orders: RawDocument[];
  flows: RawDocument[];
  /** By the checker's own clock, once all was read. */
  readAtMs: number;
}

/** Everything there is, read while nobody writes. */
export async function readBooks(db: Db): Promise<RawBooks> {
  const [stored, orders, flows] = await Promise.all(
    ['wallets', 'orders', 'flows'].map((name) => db.collection<RawDocument>(name).find().toArray()),
  );
  return { ...apart(stored!), orders: orders!, flows: flows!, readAtMs: Date.now() };
}

function apart(stored: RawDocument[]): Pick<RawBooks, 'wallets' | 'totals'> {
  const isTotals = ({ kind }: RawDocument): boolean => kind === 'TOTALS';
  return { wallets: stored.filter((document) => !isTotals(document)), totals: stored.filter(isTotals) };
}

/**
 * One workspace, which is closed in itself: money of another never reaches it. A flow's id begins with its wallet's, and
 * the primary key then finds a wallet's flows; one whose id does not is missing here, and its order is seen to lack it.
 */
export async function readWorkspaceBooks(db: Db, workspaceId: string): Promise<RawBooks> {
  const of = (name: string) => db.collection<RawDocument>(name);
  const [stored, orders] = await Promise.all(
    ['wallets', 'orders'].map((name) => of(name).find({ workspaceId }).toArray()),
  );
  const flows: RawDocument[] = [];
  const { wallets, totals } = apart(stored!);
  for (const { _id } of wallets) {
    // "/" follows "." among the characters.
    const page = await of('flows')
      .find({ _id: { $gte: `fl_${_id}.`, $lt: `fl_${_id}/` } })
      .toArray();
    for (const flow of page) flows.push(flow);
  }
  return { wallets, totals, orders: orders!, flows, readAtMs: Date.now() };
}
