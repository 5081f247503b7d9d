import type { Binary, ClientSession, Collection, Db } from 'mongodb';

interface WorkerDocument {
  readonly _id: string;
  /** The sessions in which this process runs its posting transactions. */
  readonly sessionIds: readonly Binary[];
  readonly lastSeenAt: Date;
  /** False once it stops. Absent where a process of an older release wrote it, which knows of no partitions. */
  readonly takesPartitions?: boolean;
}

/** What a process says of itself. */
export interface Beat {
  readonly instanceId: string;
  readonly sessions: readonly ClientSession[];
  /** Whether partitions may be assigned to it. */
  readonly takesPartitions: boolean;
}

/**
 * Beats are courtesy: one that a failover takes back is said again a second later. Asked of the majority instead, every
 * worker would look silent wherever the secondaries lag.
 */
const ofPrimary = { readConcern: { level: 'local' } } as const;
const toPrimary = { writeConcern: { w: 1 } } as const;
const reapedMax = 100;
/** More workers than anyone runs. */
const workersMax = 1_000;

/**
 * The `posters` collection (the name that it has had since the first release): which worker processes are alive, and in which sessions each runs its transactions. A process
 * that dies leaves its transaction open, and with it the wallets it wrote locked, for the server's whole transaction
 * lifetime (60 s); others may end it at once by killing its sessions. Times are the server's, so that no process's
 * clock matters. Source: MongoDB manual, "killSessions", "transactionLifetimeLimitSeconds".
 */
export function openWorkers(db: Db) {
  const collection: Collection<WorkerDocument> = db.collection('posters');
  async function killSessions(ids: readonly Binary[]): Promise<void> {
    // Of an empty list MongoDB ends every session of this user, whoever's it is.
    if (ids.length > 0) await db.command({ killSessions: ids.map((id) => ({ id })) });
  }
  return {
    /**
     * Ends the transaction that a session of this process may have left open: where the connection breaks at a commit, the
     * driver may give up on it, and the wallets stay locked until the session's next transaction. What was committed stays.
     */
    async endTransaction({ id }: ClientSession): Promise<void> {
      if (id !== undefined) await killSessions([id.id]);
    },

    /** Lists a process as alive, for the first time or anew. */
    async enlist(beat: Beat): Promise<void> {
      await collection.updateOne({ _id: beat.instanceId }, toUpdate(beat), { upsert: true, ...toPrimary });
    },

    /** Says that a process is still alive. @returns false where it is no longer listed: others gave it up. */
    async beat(beat: Beat): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ _id: beat.instanceId }, toUpdate(beat), toPrimary);
      return matchedCount > 0;
    },

    /** The processes to which partitions may be assigned, of those that were not silent for so long; by id. */
    async takingPartitions(silentMs: number): Promise<string[]> {
      const wasSeen = { $gte: ['$lastSeenAt', { $subtract: ['$$NOW', silentMs] }] };
      const workers = await collection
        .find({ takesPartitions: true, $expr: wasSeen }, { projection: { _id: 1 }, ...ofPrimary })
        .sort({ _id: 1 })
        .limit(workersMax)
        .toArray();
      return workers.map(({ _id }) => _id);
    },

    /**
     * Ends the transactions of other processes that were silent for so long, and lists them no longer. One that was only
     * slow loses its transactions, nothing else: their jobs are tried again. It learns of it by its next beat, even where
     * it beat again while its sessions were being killed. @returns the ids of the processes that were given up.
     */
    async reapSilent(instanceId: string, silentMs: number): Promise<string[]> {
      const isSilent = { $lt: ['$lastSeenAt', { $subtract: ['$$NOW', silentMs] }] };
      const silent = await collection
        .find({ _id: { $ne: instanceId }, $expr: isSilent }, ofPrimary)
        .limit(reapedMax)
        .toArray();
      if (silent.length === 0) return [];
      await killSessions(silent.flatMap(({ sessionIds }) => sessionIds));
      const { deletedCount } = await collection.deleteMany(
        { $or: silent.map(({ _id, sessionIds }) => ({ _id, sessionIds })) },
        toPrimary,
      );
      return deletedCount === 0 ? [] : silent.map(({ _id }) => _id);
    },

    async remove(instanceId: string): Promise<void> {
      await collection.deleteOne({ _id: instanceId }, toPrimary);
    },
  };
}

function toUpdate({ sessions, takesPartitions }: Beat) {
  const sessionIds = sessions.flatMap((session) => session.id?.id ?? []);
  return { $set: { sessionIds, takesPartitions }, $currentDate: { lastSeenAt: true } } as const;
}
