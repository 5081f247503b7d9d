import type { Collection, Db } from 'mongodb';
import type { QueuesSeen } from '../partitioning/queue-record.ts';
import { ofPrimary, toPrimary, upsert } from '../shared/commands.ts';

export type ProcessKind = 'web' | 'worker';

/** What another process saw of its queues. */
export interface Sight extends QueuesSeen {
  readonly instanceId: string;
  /** For how long nothing was heard of it. */
  readonly silentForMs: number;
  /** Its look began after this. */
  readonly after: Date | undefined;
}

/** Of a process in the `posters` collection (workers.ts), what belongs to this. */
interface SightDocument {
  readonly _id: string;
  readonly lastSeenAt: Date;
  /** `at`: when its last look was recorded; `after`: the same of the look before, so that this look began after it. */
  readonly queues: QueuesSeen & { readonly at: Date; readonly after?: Date };
}

const processesMax = 1_000;

export type QueueSights = ReturnType<typeof openQueueSights>;

/** Which queues each process sees, in the list of the processes that are alive. Times are the server's. */
export function openQueueSights(db: Db) {
  const collection: Collection<SightDocument> = db.collection('posters');
  return {
    /**
     * Says which queues a process saw by its last look. Of a web process it also says that it is alive, which a worker says
     * by its heartbeat; undefined if it says nothing more.
     */
    async record(instanceId: string, kind: ProcessKind, seen: QueuesSeen | undefined): Promise<void> {
      const unless = (field: string, value: unknown) => ({ $ifNull: [`$${field}`, value] });
      const process = {
        kind,
        // A worker of any release can read it, and gives it nothing.
        sessionIds: unless('sessionIds', []),
        takesPartitions: unless('takesPartitions', false),
        lastSeenAt: kind === 'web' ? '$$NOW' : unless('lastSeenAt', '$$NOW'),
      };
      const queues = seen && {
        prefix: { $literal: seen.prefix },
        id: { $literal: seen.id },
        at: '$$NOW',
        after: '$queues.at',
      };
      const update = [{ $set: queues === undefined ? process : { ...process, queues } }];
      await upsert(() => collection.updateOne({ _id: instanceId }, update, { upsert: true, ...toPrimary }));
    },

    /**
     * What the others see. @param instanceId the process that asks; undefined if it is none.
     * @returns `ownAt`: when its own last look was recorded.
     */
    async ofOthers(instanceId?: string): Promise<{ ownAt: Date | undefined; others: Sight[] }> {
      const silence = { $addFields: { silentForMs: { $subtract: ['$$NOW', '$lastSeenAt'] } } };
      const processes = await collection
        .aggregate<SightDocument & { silentForMs: number }>(
          [{ $match: { queues: { $exists: true } } }, { $limit: processesMax }, silence],
          ofPrimary,
        )
        .toArray();
      const ownAt = processes.find(({ _id }) => _id === instanceId)?.queues.at;
      const others = processes
        .filter(({ _id }) => _id !== instanceId)
        .map(({ _id, silentForMs, queues: { prefix, id, after } }) => ({
          instanceId: _id,
          prefix,
          id,
          silentForMs,
          after,
        }));
      return { ownAt, others };
    },

    /** A process that ends sees nothing any more. */
    async remove(instanceId: string): Promise<void> {
      await collection.deleteOne({ _id: instanceId }, toPrimary);
    },
  };
}
