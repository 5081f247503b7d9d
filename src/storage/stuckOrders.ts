import type { Collection, Db } from 'mongodb';

/** What the orders collection remembers of an order that could not be posted for a reason of its own. */
interface FaultyOrderDocument {
  readonly _id: string;
  readonly status: string;
  readonly fault?: { readonly attempts: number; readonly reason: string; readonly at: Date };
  /** When it was set aside: nobody tries it again until the operator says so. */
  readonly stuckSince?: Date;
}

export interface StuckOrder {
  readonly id: string;
  readonly attempts: number;
  readonly reason: string;
  readonly stuckSince: Date;
}

const reasonLengthMax = 500;

export type StuckOrders = ReturnType<typeof openStuckOrders>;

/** The faults of PENDING orders, kept in the `orders` collection itself. */
export function openStuckOrders(db: Db) {
  const collection: Collection<FaultyOrderDocument> = db.collection('orders');
  return {
    /** Counts a failed attempt to post an order. @returns whether it was set aside, having failed `attemptsMax` times. */
    async recordFault(id: string, reason: string, attemptsMax: number): Promise<boolean> {
      const now = new Date();
      const order = await collection.findOneAndUpdate(
        { _id: id, status: 'PENDING' },
        { $inc: { 'fault.attempts': 1 }, $set: { 'fault.reason': reason.slice(0, reasonLengthMax), 'fault.at': now } },
        { returnDocument: 'after' },
      );
      if ((order?.fault?.attempts ?? 0) < attemptsMax) return false;
      await collection.updateOne({ _id: id, status: 'PENDING' }, { $set: { stuckSince: now } });
      return true;
    },

    /** Orders that were set aside, oldest first. */
    async list(countMax: number): Promise<StuckOrder[]> {
      const documents = await collection
        .find({ status: 'PENDING', stuckSince: { $exists: true } })
        .sort({ _id: 1 })
        .limit(countMax)
        .toArray();
      return documents.flatMap(({ _id: id, fault, stuckSince }) =>
        fault === undefined || stuckSince === undefined
          ? []
          : [{ id, attempts: fault.attempts, reason: fault.reason, stuckSince }],
      );
    },

    /** Lets an order be posted again. @returns whether it was set aside. */
    async release(id: string): Promise<boolean> {
      const { modifiedCount } = await collection.updateOne(
        { _id: id, status: 'PENDING', stuckSince: { $exists: true } },
        { $unset: { stuckSince: true, fault: true } },
      );
      return modifiedCount === 1;
    },
  };
}
