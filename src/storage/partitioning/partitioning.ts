import type { Collection, Db } from 'mongodb';
import { SettingsError } from '../../settings/config.ts';
import { upsert } from '../shared/commands.ts';

interface PartitioningDocument {
  readonly _id: 'posting';
  readonly partitionCount: number;
  /** The partitions that an operator paused; absent until the first pause. */
  readonly paused?: readonly number[];
}

/** The count of a new database, unless the settings of its first process name another. */
const partitionCountAtFirst = 8;
const _id = 'posting';

export type Partitioning = ReturnType<typeof openPartitioning>;

/** The `partitioning` collection: into how many partitions posting is divided, one number for all processes, and which are
 * paused. Redis may forget; this does not. */
export function openPartitioning(db: Db) {
  const collection: Collection<PartitioningDocument> = db.collection('partitioning');
  const returnDocument = 'after';
  return {
    /**
     * Records the count at the first start of any process. From then on it stays until {@link change}. Of several processes
     * at once, one records it.
     * @param wanted the count in this process's settings, if they have one.
     * @throws SettingsError the recorded count is another one.
     */
    async agree(wanted: number | undefined): Promise<number> {
      const partitionCount = wanted ?? partitionCountAtFirst;
      const agreed = await upsert(() =>
        collection.findOneAndUpdate({ _id }, { $setOnInsert: { partitionCount } }, { upsert: true, returnDocument }),
      );
      const recorded = agreed?.partitionCount ?? partitionCount;
      if (wanted === undefined || wanted === recorded) return recorded;
      throw new SettingsError(
        `wrong settings:\n  POSTING_PARTITIONS is ${wanted}, but this database has ${recorded} partitions: ` +
          `leave it unset, or change the database's with "admin partitions set --count ${wanted}"`,
      );
    },

    /** The recorded count; undefined if no process has started yet. */
    async count(): Promise<number | undefined> {
      return (await collection.findOne({ _id }))?.partitionCount;
    },

    /** The recorded count, and the partitions that are paused; undefined if no process has started yet. */
    async read(): Promise<{ count: number; paused: ReadonlySet<number> } | undefined> {
      const found = await collection.findOne({ _id });
      return found === null ? undefined : { count: found.partitionCount, paused: new Set(found.paused) };
    },

    /**
     * Records another count; processes follow within seconds. Of partitions that end no pause is left, so that one of the
     * same number is not paused later on.
     */
    async change(partitionCount: number): Promise<void> {
      const change = { $set: { partitionCount }, $pull: { paused: { $gte: partitionCount } } };
      await upsert(() => collection.updateOne({ _id }, change, { upsert: true }));
    },

    /** @returns false if there is no such partition; nothing is changed then. */
    async setPaused(partition: number, isPaused: boolean): Promise<boolean> {
      const change = isPaused ? { $addToSet: { paused: partition } } : { $pull: { paused: partition } };
      const { matchedCount } = await collection.updateOne({ _id, partitionCount: { $gt: partition } }, change);
      return matchedCount === 1;
    },
  };
}
