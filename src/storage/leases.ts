import type { Collection, Db } from 'mongodb';
import { upsert } from './shared/commands.ts';

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly until: Date;
}

/**
 * The `leases` collection: which process does a job that only one should do at a time. Times are the server's; on a sharded
 * cluster, the router's.
 */
export function openLeases(db: Db) {
  const collection: Collection<LeaseDocument> = db.collection('leases');
  return {
    /**
     * Takes a lease that is free or has expired, or renews the holder's own. Of several callers at once, one gets it.
     * A lease is advisory: what it guards must stay right if two processes believe that they hold it.
     */
    async take(name: string, holder: string, durationMs: number): Promise<boolean> {
      // Absent at first, `until` is less than any time. (A condition in the filter would be simpler, but MongoDB refuses
      // $expr in an upsert.)
      const isOwn = { $eq: ['$holder', { $literal: holder }] };
      const mayTake = { $or: [isOwn, { $lte: ['$until', '$$NOW'] }] };
      const lease = {
        holder: { $cond: [mayTake, { $literal: holder }, '$holder'] },
        until: { $cond: [mayTake, { $add: ['$$NOW', durationMs] }, '$until'] },
      };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const taken = await upsert(() => collection.findOneAndUpdate({ _id: name }, [{ $set: lease }], options));
      return taken?.holder === holder;
    },

    /** Releases the holder's lease, so that the next holder need not wait until it expires. */
    async release(name: string, holder: string): Promise<void> {
      await collection.deleteOne({ _id: name, holder });
    },
  };
}
