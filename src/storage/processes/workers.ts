import type { Binary, ClientSession, Collection, Db } from 'mongodb';
import { ofPrimary, toPrimary } from '../shared/commands.ts';
import type { ProcessKind } from './runs.ts';

interface WorkerDocument {
  readonly _id: string;
  /** A web process is listed for its reports (reports.ts). Absent if a worker of an earlier release has just started. */
  readonly kind?: ProcessKind;
  /** The sessions in which this process runs its posting transactions. */
  readonly sessionIds: readonly Binary[];
  readonly lastSeenAt: Date;
  /** False once it stops. */
  readonly takesPartitions: boolean;
  /** Others ended its transactions because it was silent, and it has not enlisted with new sessions since. */
  readonly isGivenUp?: boolean;
}

interface SilentDocument extends WorkerDocument {
  readonly silentForMs: number;
}

/** What a process says about itself in a heartbeat. */
export interface Beat {
  readonly instanceId: string;
  readonly sessions: readonly ClientSession[];
  /** Whether partitions may be assigned to it. */
  readonly takesPartitions: boolean;
}

const reapedMax = 100;
/**
 * The server itself ends a transaction that is older than this. Until then a process that was given up may still have one
 * open, because it may have begun another one after its sessions were killed and before it died.
 */
const forgottenMs = 60_000;
/** More workers than anyone runs. */
const workersMax = 1_000;

/**
 * The `posters` collection (the name that it has had since the first release): which processes are alive, and in which
 * sessions each worker runs its transactions. A worker that dies leaves its transaction open, and with it the wallets it
 * wrote locked, for the server's whole transaction lifetime (60 s); others may end it at once by killing its sessions.
 * Times are the server's, on a sharded cluster the router's, so that no process's clock matters.
 * Source: MongoDB manual, "killSessions", "transactionLifetimeLimitSeconds".
 */
export function openWorkers(db: Db) {
  const collection: Collection<WorkerDocument> = db.collection('posters');
  async function killSessions(ids: readonly Binary[]): Promise<void> {
    // With an empty list MongoDB would end every session of this user, in any process.
    if (ids.length > 0) await db.command({ killSessions: ids.map((id) => ({ id })) });
  }
  /** By id, because not every server knows `$$NOW` in a delete's filter. One that enlisted since it was found stays. */
  async function forget(silent: readonly SilentDocument[]): Promise<void> {
    const ids = silent.filter(({ silentForMs }) => silentForMs > forgottenMs).map(({ _id }) => _id);
    if (ids.length === 0) return;
    await collection.deleteMany({ _id: { $in: ids }, $or: [{ isGivenUp: true }, { kind: 'web' }] }, toPrimary);
  }
  return {
    /**
     * Ends the transaction that a session of this process may have left open. If the connection breaks at a commit, the driver
     * may give up, and the wallets stay locked until the session's next transaction. What was committed stays.
     */
    async endTransaction({ id }: ClientSession): Promise<void> {
      if (id !== undefined) await killSessions([id.id]);
    },

    /** Lists a process as alive, for the first time or anew. */
    async enlist(beat: Beat): Promise<void> {
      const update = [...toUpdate(beat), { $unset: ['isGivenUp'] }];
      await collection.updateOne({ _id: beat.instanceId }, update, { upsert: true, ...toPrimary });
    },

    /** Says that a process is still alive. @returns whether it is listed, and not as given up. */
    async beat(beat: Beat): Promise<boolean> {
      const asAlive = { _id: beat.instanceId, isGivenUp: { $ne: true } };
      return (await collection.updateOne(asAlive, toUpdate(beat), toPrimary)).matchedCount === 1;
    },

    /** The processes to which partitions may be assigned, and that were not silent for `silentMs`; sorted by id. */
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
     * Ends the transactions of other workers that have been silent for `silentMs`, again and again while they are silent.
     * A process that was only slow loses its open transactions and nothing else: their jobs are tried again. It learns of it
     * by its next heartbeat, even if it sent one while its sessions were being killed.
     * @returns the ids of those newly given up; of several callers at once, each id is returned to one.
     */
    async reapSilent(instanceId: string, silentMs: number): Promise<string[]> {
      const silentForMs = { $subtract: ['$$NOW', '$lastSeenAt'] };
      // One answer has those to be reaped, web processes too, because this is asked once a second.
      const found = await collection
        .aggregate<SilentDocument>(
          [
            { $match: { _id: { $ne: instanceId }, $expr: { $gt: [silentForMs, silentMs] } } },
            // First the workers that nobody has given up yet.
            { $sort: { isGivenUp: 1, kind: -1 } },
            { $limit: reapedMax },
            { $addFields: { silentForMs } },
          ],
          ofPrimary,
        )
        .toArray();
      const silent = found.filter(({ kind }) => kind !== 'web');
      if (silent.length > 0) await killSessions(silent.flatMap(({ sessionIds }) => sessionIds));
      const givenUp: string[] = [];
      for (const { _id, sessionIds, isGivenUp } of silent) {
        if (isGivenUp) continue;
        const asRead = { _id, sessionIds, isGivenUp: { $ne: true } };
        const { modifiedCount } = await collection.updateOne(asRead, { $set: { isGivenUp: true } }, toPrimary);
        if (modifiedCount > 0) givenUp.push(_id);
      }
      await forget(found.filter(({ kind, isGivenUp }) => kind === 'web' || isGivenUp));
      return givenUp;
    },

    async remove(instanceId: string): Promise<void> {
      await collection.deleteOne({ _id: instanceId }, toPrimary);
    },
  };
}

/** `$$NOW` is the clock that others compare with. `$currentDate` would be that of a shard, not of the router. */
function toUpdate({ sessions, takesPartitions }: Beat) {
  const sessionIds = sessions.flatMap((session) => session.id?.id ?? []);
  return [{ $set: { kind: 'worker', sessionIds, takesPartitions, lastSeenAt: '$$NOW' } }];
}
