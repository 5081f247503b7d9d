import type { Collection, Db } from 'mongodb';
import { processRunIndexes } from '../schema/schema.ts';
import { ofPrimary, operatorMaxMs, toPrimary, upsert } from '../shared/commands.ts';

export type ProcessKind = 'web' | 'worker';

/** One start of a process, and what became of it. */
export interface ProcessRun {
  /** Its instance id. */
  readonly id: string;
  readonly kind: ProcessKind;
  /** Absent if it was lost more than a day after. */
  readonly startedAt?: Date;
  /** Until it had started, it said so again and again: when it last did. */
  readonly startingAt?: Date;
  /** When it had started, and reported for the first time: from then on others find out whether it falls silent. */
  readonly begunAt?: Date;
  /** When it was last heard of, if others found it silent. One that was only slow may have been heard of again since. */
  readonly lostAt?: Date;
  /** When it stopped in order. */
  readonly endedAt?: Date;
}

interface RunDocument extends Omit<ProcessRun, 'id'> {
  readonly _id: string;
  /** When it last said that it starts, or was lost: by this it is found, and forgotten after a day. */
  readonly at: Date;
}

/** More are not read at once: a count of them is a lower bound from there. */
export const runsReadMax = 1_000;

export type ProcessRuns = ReturnType<typeof openProcessRuns>;

/**
 * The `processRuns` collection: the starts of the last day, and the processes that fell silent without having stopped. A process
 * writes here while it starts, and when it stops; who finds another one silent (workers.ts) writes once more, if it can. Times
 * are the server's.
 */
export function openProcessRuns(db: Db) {
  const collection: Collection<RunDocument> = db.collection('processRuns');
  return {
    /** Records that a process starts. Call it again and again until it has begun. */
    async starting(id: string, kind: ProcessKind): Promise<void> {
      const startedAt = { $ifNull: ['$startedAt', '$$NOW'] };
      const update = [{ $set: { kind, startedAt, startingAt: '$$NOW', at: '$$NOW' } }];
      await upsert(() => collection.updateOne({ _id: id }, update, { upsert: true, ...toPrimary }));
    },

    /** Records that a process that started has reported. */
    async begun(id: string): Promise<void> {
      await collection.updateOne({ _id: id }, [{ $set: { begunAt: '$$NOW' } }], toPrimary);
    },

    /** Records that a process stops in order, so that it is not lost, whatever others found before. */
    async ended(id: string): Promise<void> {
      await collection.updateOne({ _id: id }, [{ $set: { endedAt: '$$NOW' } }], toPrimary);
    },

    /** Records that nothing is heard of a process any more. However many find that, and however often, it is lost once. */
    async lost(id: string, kind: ProcessKind, lastSeenAt: Date): Promise<void> {
      const set = { $set: { kind, lostAt: lastSeenAt, at: lastSeenAt } };
      await upsert(() => collection.updateOne({ _id: id }, set, { upsert: true, ...toPrimary }));
    },

    /** Those that started or were lost since then, at most {@link runsReadMax}, the latest first. */
    async since(from: Date): Promise<ProcessRun[]> {
      const found = await collection
        .find({ at: { $gte: from } }, { ...ofPrimary, hint: processRunIndexes.kept, maxTimeMS: operatorMaxMs })
        .sort({ at: -1 })
        .limit(runsReadMax)
        .toArray();
      return found.map(({ _id: id, at: _, ...run }) => ({ id, ...run }));
    },
  };
}
