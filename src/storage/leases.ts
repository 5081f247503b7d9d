import type { Collection, Db } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { errorCodes } from './errorCodes.ts';

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly until: Date;
}

/** The `leases` collection: which process does a job that only one should do at a time. Times are the server's. */
export function openLeases(db: Db) {
  const collection: Collection<LeaseDocument> = db.collection('leases');
  return {
    /**
     * Takes a lease that is free or has run out, or prolongs one's own. Of several at once, one gets it.
     * A lease is a courtesy between processes: what it guards must stay right if two hold it.
     */
    async take(name: string, holder: string, durationMs: number): Promise<boolean> {
      try {
        await collection.updateOne(
          { _id: name, $expr: { $or: [{ $eq: ['$holder', holder] }, { $lte: ['$until', '$$NOW'] }] } },
          [{ $set: { holder, until: { $add: ['$$NOW', durationMs] } } }],
          { upsert: true },
        );
        return true;
      } catch (error) {
        // The upsert met a lease that another holds.
        if (error instanceof MongoServerError && error.code === errorCodes.DuplicateKey) return false;
        throw error;
      }
    },

    /** Gives up one's own lease, so that the next holder need not wait for its end. */
    async release(name: string, holder: string): Promise<void> {
      await collection.deleteOne({ _id: name, holder });
    },
  };
}
