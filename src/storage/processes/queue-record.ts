import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { upsert } from '../shared/commands.ts';

/** Queues of an installation: the first part of their keys, and the id that Redis keeps under it. */
export interface Queues {
  readonly prefix: string;
  readonly id: string;
}

/** What is recorded of a database's queues. */
export interface QueuesRecord {
  /** By this the database's ids in Redis are told from another database's. */
  readonly databaseId: string;
  /** Undefined until the first process has recorded them. */
  readonly queues: Queues | undefined;
  /** The process that recorded them, and how long ago. */
  readonly by?: string | undefined;
  readonly forMs?: number | undefined;
}

interface QueuesDocument extends Partial<Queues> {
  readonly _id: 'queues';
  readonly databaseId: string;
  /** Absent if a process of an earlier release recorded them. */
  readonly by?: string;
  readonly at?: Date;
}

export type QueueRecord = ReturnType<typeof openQueueRecord>;

const _id = 'queues';
const databaseIdBytes = 12;

/** In the `partitioning` collection: which queues are those of this database, the same for all processes. */
export function openQueueRecord(db: Db) {
  const collection: Collection<QueuesDocument> = db.collection('partitioning');
  return {
    /** What is recorded. The first call gives the database its id. Times are the server's. */
    async read(): Promise<QueuesRecord> {
      const databaseId = randomBytes(databaseIdBytes).toString('hex');
      const ensured = { $setOnInsert: { databaseId } };
      const age = { $addFields: { forMs: { $subtract: ['$$NOW', '$at'] } } };
      const read = () =>
        collection.aggregate<QueuesDocument & { forMs: number | null }>([{ $match: { _id } }, age]).next();
      let record = await read();
      if (record === null) {
        await upsert(() => collection.updateOne({ _id }, ensured, { upsert: true }));
        record = await read();
      }
      const { prefix, id, by, forMs } = record ?? {};
      const queues = prefix === undefined || id === undefined ? undefined : { prefix, id };
      return { databaseId: record?.databaseId ?? databaseId, queues, by, forMs: forMs ?? undefined };
    },

    /**
     * Records other queues. @param from what was read. @param by the process that does.
     * @returns whether that was still recorded.
     */
    async replace(from: Queues | undefined, { prefix, id }: Queues, by: string): Promise<boolean> {
      const asRead = from === undefined ? { id: { $exists: false } } : { id: from.id };
      const to = { prefix: { $literal: prefix }, id: { $literal: id }, by: { $literal: by }, at: '$$NOW' };
      const { matchedCount } = await collection.updateOne({ _id, ...asRead }, [{ $set: to }]);
      return matchedCount > 0;
    },
  };
}
