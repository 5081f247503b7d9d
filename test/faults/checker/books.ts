import type { Db, Document } from 'mongodb';

/** A document as the driver gives it: nothing of it is believed. */
export interface RawDocument extends Document {
  _id: string;
}

export interface RawBooks {
  wallets: RawDocument[];
  orders: RawDocument[];
  flows: RawDocument[];
}

/** Everything there is, read while nobody writes. */
export async function readBooks(db: Db): Promise<RawBooks> {
  const [wallets, orders, flows] = await Promise.all(
    ['wallets', 'orders', 'flows'].map((name) => db.collection<RawDocument>(name).find().toArray()),
  );
  return { wallets: wallets!, orders: orders!, flows: flows! };
}
