import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { upsert } from '../shared/commands.ts';

/** Which queues a process uses: the first part of their keys, and the id that Redis keeps under it. */
export interface QueuesSeen {
  readonly prefix: string;
  /** Null if Redis has none. */
  readonly id: string | null;
}

interface QueuesDocument {
  readonly _id: 'queues';
  readonly databaseId: string;
  readonly prefix?: string;
  readonly id?: string;
}

export type QueueRecord = ReturnType<typeof openQueueRecord>;

const _id = 'queues';
const databaseIdBytes = 12;

/** In the `partitioning` collection: which queues are those of this database, the same for all processes. */
export function openQueueRecord(db: Db) {
  const collection: Collection<QueuesDocument> = db.collection('partitioning');
  return {
    /**
     * What is recorded. The first call gives the database its id, by which its ids in Redis are told from another database's.
     * @returns `queues`: undefined until the first process has recorded them.
     */
    async read() {
      const databaseId = randomBytes(databaseIdBytes).toString('hex');
      const found =
        (await collection.findOne({ _id })) ??
        (await upsert(() =>
          collection.findOneAndUpdate(
            { _id },
            { $setOnInsert: { databaseId } },
            { upsert: true, returnDocument: 'after' },
          ),
        ));
      const { prefix, id } = found ?? {};
      const queues = prefix === undefined || id === undefined ? undefined : { prefix, id };
      return { databaseId: found?.databaseId ?? databaseId, queues };
    },

    /** Records other queues. @param from what was read. @returns whether that was still recorded. */
    async replace(from: QueuesSeen | undefined, { prefix, id }: QueuesSeen & { id: string }): Promise<boolean> {
      const asRead = from === undefined ? { id: { $exists: false } } : { id: from.id ?? '' };
      const { matchedCount } = await collection.updateOne({ _id, ...asRead }, { $set: { prefix, id } });
      return matchedCount > 0;
    },
  };
}
