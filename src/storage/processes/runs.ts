import type { Collection, Db } from 'mongodb';
import { processRunIndexes } from '../schema/schema.ts';
import { ofPrimary, operatorMaxMs, toPrimary, upsert } from '../shared/commands.ts';

export type ProcessKind = 'web' | 'worker';

/** One start of a process. */
export interface ProcessRun {
  /** Its instance id. */
  readonly id: string;
  readonly kind: ProcessKind;
  /** When it was last heard of. */
  readonly seenAt: Date;
  /** When it stopped in order. */
  readonly endedAt?: Date;
}

interface RunDocument extends Omit<ProcessRun, 'id' | 'seenAt'> {
  readonly _id: string;
  /** When it was last heard of: by this it is found, and forgotten after a day. */
  readonly at: Date;
}

/** More are not read at once: a count of them is a lower bound from there. */
export const runsReadMax = 1_000;

/**
 * The `processRuns` collection: each process of the last day, from its start on. It says here that it runs until it stops; one that
 * fell silent is told by that alone. Times are the server's.
 */
export function openProcessRuns(db: Db) {
  const collection: Collection<RunDocument> = db.collection('processRuns');
  return {
    /** Records that a process runs. Call it again and again. */
    async seen(id: string, kind: ProcessKind): Promise<void> {
      const update = [{ $set: { kind, at: '$$NOW' } }];
      await upsert(() => collection.updateOne({ _id: id }, update, { upsert: true, ...toPrimary }));
    },

    /** Records that a process stops in order, so that it is not lost. */
    async ended(id: string): Promise<void> {
      await collection.updateOne({ _id: id }, [{ $set: { endedAt: '$$NOW' } }], toPrimary);
    },

    /** Those that were heard of since then, at most {@link runsReadMax}, the latest first. */
    async since(from: Date): Promise<ProcessRun[]> {
      const found = await collection
        .find({ at: { $gte: from } }, { ...ofPrimary, hint: processRunIndexes.kept, maxTimeMS: operatorMaxMs })
        .sort({ at: -1 })
        .limit(runsReadMax)
        .toArray();
      return found.map(({ _id: id, at: seenAt, ...run }) => ({ id, seenAt, ...run }));
    },
  };
}
