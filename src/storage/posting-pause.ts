import type { Collection, Db } from 'mongodb';
import { upsert } from './shared/commands.ts';

interface PauseDocument {
  readonly _id: 'posting';
  /** Absent until the first pause. */
  readonly isPaused?: boolean;
  /** The partitions that were paused in an earlier release: who has paused one wants its orders to wait. */
  readonly paused?: readonly number[];
}

const _id = 'posting';

export type PostingPause = ReturnType<typeof openPostingPause>;

/** In the `partitioning` collection (its name since the first release): whether posting is paused. Redis may forget; this does not. */
export function openPostingPause(db: Db) {
  const collection: Collection<PauseDocument> = db.collection('partitioning');
  return {
    async isPaused(): Promise<boolean> {
      const { isPaused, paused = [] } = (await collection.findOne({ _id })) ?? {};
      return isPaused ?? paused.length > 0;
    },
    /** Repetition is harmless. Processes follow within a second. */
    async set(isPaused: boolean): Promise<void> {
      await upsert(() => collection.updateOne({ _id }, { $set: { isPaused } }, { upsert: true }));
    },
  };
}
