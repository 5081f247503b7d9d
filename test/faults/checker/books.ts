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
  /** The budgets of each key that has any. */
  keyBudgets: RawDocument[];
  /** By the checker's own clock, once all was read. */
  readAtMs: number;
}

/** Everything there is, read while nobody writes. */
export async function readBooks(db: Db): Promise<RawBooks> {
  const [stored = [], orders = [], flows = [], keyBudgets = []] = await Promise.all(
    ['wallets', 'orders', 'flows', 'keyBudgets'].map((name) => db.collection<RawDocument>(name).find().toArray()),
  );
  const isTotals = ({ kind }: RawDocument): boolean => kind === 'TOTALS';
  return {
    wallets: stored.filter((document) => !isTotals(document)),
    totals: stored.filter(isTotals),
    orders,
    flows,
    keyBudgets,
    readAtMs: Date.now(),
  };
}
