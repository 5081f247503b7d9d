import type { Binary, ClientSession, Collection, Db } from 'mongodb';

interface WorkerDocument {
  readonly _id: string;
  /** The sessions in which this process runs its posting transactions. */
  readonly sessionIds: readonly Binary[];
  readonly lastSeenAt: Date;
  /** False once it stops. Absent where a process of an older release wrote it, which knows of no partitions. */
  readonly takesPartitions?: boolean;
  /** Others ended its transactions because it was silent, and it has not said anything in new sessions since. */
  readonly isGivenUp?: boolean;
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
/**
 * The transaction lifetime of the server, which by itself ends what is older. Until then a process that was given up may
 * have left a transaction open all the same: one that it began after its sessions were killed, and before it died.
 */
const forgottenMs = 60_000;
/** More workers than anyone runs. */
const workersMax = 1_000;

/**
 * The `posters` collection (the name that it has had since the first release): which worker processes are alive, and in
 * which sessions each runs its transactions. A process that dies leaves its transaction open, and with it the wallets it
 * wrote locked, for the server's whole transaction lifetime (60 s); others may end it at once by killing its sessions.
 * Times are the server's, on a sharded cluster the router's, so that no process's clock matters.
 * Source: MongoDB manual, "killSessions", "transactionLifetimeLimitSeconds".
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
      const update = [...toUpdate(beat), { $unset: ['isGivenUp'] }];
      await collection.updateOne({ _id: beat.instanceId }, update, { upsert: true, ...toPrimary });
    },

    /** Says that a process is still alive. @returns false where it is listed no longer, or as given up by others. */
    async beat(beat: Beat): Promise<boolean> {
      const asAlive = { _id: beat.instanceId, isGivenUp: { $ne: true } };
      const { matchedCount } = await collection.updateOne(asAlive, toUpdate(beat), toPrimary);
      return matchedCount > 0;
    },

    /** The processes to which partitions may be assigned, of those that were not silent for so long; by id. */
    async takingPartitions(silentMs: number): Promise<string[]> {
      const wasSeen = { $gte: ['$lastSeenAt', { $subtract: ['$$NOW', silentMs] }] };
      const workers = await collection
        .find(
          { takesPartitions: true, isGivenUp: { $ne: true }, $expr: wasSeen },
          { projection: { _id: 1 }, ...ofPrimary },
        )
        .sort({ _id: 1 })
        .limit(workersMax)
        .toArray();
      return workers.map(({ _id }) => _id);
    },

    /**
     * Ends the transactions of other processes that were silent for so long, and of those given up before that still are.
     * One that was only slow loses its transactions, nothing else: their jobs are tried again. It learns of it by its next
     * beat, even where it beat again while its sessions were being killed. @returns the ids of those newly given up; of
     * several callers at once, each id is returned to one.
     */
    async reapSilent(instanceId: string, silentMs: number): Promise<string[]> {
      const silent = await collection
        .find({ _id: { $ne: instanceId }, ...silentFor(silentMs) }, ofPrimary)
        // Those that nobody gave up yet first, however many were.
        .sort({ isGivenUp: 1 })
        .limit(reapedMax)
        .toArray();
      if (silent.length === 0) return [];
      await killSessions(silent.flatMap(({ sessionIds }) => sessionIds));
      const givenUp: string[] = [];
      for (const { _id, sessionIds, isGivenUp } of silent) {
        if (isGivenUp) continue;
        const asRead = { _id, sessionIds, isGivenUp: { $ne: true } };
        const { modifiedCount } = await collection.updateOne(asRead, { $set: { isGivenUp: true } }, toPrimary);
        if (modifiedCount > 0) givenUp.push(_id);
      }
      await collection.deleteMany({ isGivenUp: true, ...silentFor(forgottenMs) }, toPrimary);
      return givenUp;
    },

    async remove(instanceId: string): Promise<void> {
      await collection.deleteOne({ _id: instanceId }, toPrimary);
    },
  };
}

const silentFor = (ms: number) => ({ $expr: { $lt: ['$lastSeenAt', { $subtract: ['$$NOW', ms] }] } });

/** By the clock that is compared with it: `$currentDate` would be a shard's, which differs from the router's `$$NOW`. */
function toUpdate({ sessions, takesPartitions }: Beat) {
  const sessionIds = sessions.flatMap((session) => session.id?.id ?? []);
  return [{ $set: { sessionIds, takesPartitions, lastSeenAt: '$$NOW' } }];
}
