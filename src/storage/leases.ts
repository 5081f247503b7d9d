import type { Collection, Db } from 'mongodb';
import { inOneReply, upsert } from './shared/commands.ts';

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
     * Takes a lease that is free or has expired, or prolongs the holder's own. Of several callers at once, one gets it.
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

    /** Prolongs those leases that the holder still has, expired or not. */
    async prolong(names: readonly string[], holder: string, durationMs: number): Promise<void> {
      const own = { _id: { $in: [...names] }, holder };
      await collection.updateMany(own, [{ $set: { until: { $add: ['$$NOW', durationMs] } } }]);
    },

    /** The last holder of each lease that was not released. The lease may have expired. */
    async holders(names: readonly string[]): Promise<Map<string, string>> {
      const documents = await collection.find({ _id: { $in: [...names] } }, inOneReply(names.length)).toArray();
      return new Map(documents.map(({ _id, holder }) => [_id, holder]));
    },

    /** Releases the holder's lease, so that the next holder need not wait until it expires. */
    async release(name: string, holder: string): Promise<void> {
      await collection.deleteOne({ _id: name, holder });
    },
  };
}
