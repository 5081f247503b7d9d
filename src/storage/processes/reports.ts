import type { Collection, Db } from 'mongodb';
import { ofPrimary, operatorMaxMs, toPrimary, upsert } from '../shared/commands.ts';

/** A `worker` posts, and as its WORKER_ROLE says sends webhooks too; `webhooks` only sends them. */
export type ProcessKind = 'web' | 'worker' | 'webhooks';

/** What tells whether something is wrong; each is counted by Prometheus too. */
export type LatelyCount = (typeof latelyCounts)[number];
export const latelyCounts = [
  'answered',
  /** Answers of 5xx. */
  'serverErrors',
  'slowAnswers',
  /** Requests refused at a step at which somebody without a secret fails. */
  'forged',
  /** Groups of creates and of orders that were committed, or failed, and the seconds that they took together. */
  'commits',
  'commitSeconds',
  /** Groups of orders that were posted or not, and those that were not. */
  'groups',
  'groupFailures',
] as const;

/** What a process says about itself once a second, for the operator. Rates are a second's. */
export interface ProcessReport {
  /** Its instance id. */
  readonly id: string;
  readonly kind: ProcessKind;
  readonly startedAt: Date;
  /** How far the clock of its machine is ahead of MongoDB's. */
  readonly clockAheadMs: number;
  /** The types of the orders that it could not post lately, because it does not know them. */
  readonly unknownTypes: readonly string[];
  readonly answeredPerSecond: number;
  readonly acceptedPerSecond: number;
  readonly postedPerSecond: number;
  /** Share of the time with a group in hand, 0 to 1. */
  readonly busyShare: number;
  /** Webhooks, whether or not their receivers took them. */
  readonly sentPerSecond: number;
  readonly deliveredPerSecond: number;
  /** A second's, over the last 45, without those that are zero. */
  readonly lately?: Readonly<Partial<Record<LatelyCount, number>>>;
  /** The servers behind it that do not answer it, each with since when. */
  readonly down?: Readonly<Record<string, Date>>;
  /** When the first certificate of a server behind it expires, by the server's name; those that were seen. */
  readonly certificates?: Readonly<Record<string, Date>>;
  /** Of the service. Absent from a process of an earlier release. */
  readonly version?: string | undefined;
  /** Absent from a process of an earlier release. */
  readonly startedWith?: StartedWith;
}

/** What a process's settings say of that which the database has too. */
export interface StartedWith {
  /** None in a worker without MASTER_KEYS. */
  readonly masterKeyVersions: readonly number[];
}

/** A process that runs, as far as the others know. */
export interface RunningProcess {
  readonly id: string;
  readonly kind: ProcessKind;
  /** Undefined if it has not reported yet, or is of an earlier release. */
  readonly startedWith: StartedWith | undefined;
}

/** A process that fell silent without having stopped. */
export interface LostProcess {
  readonly id: string;
  readonly kind: ProcessKind;
  /** When it was last heard of. */
  readonly seenAt: Date;
}

/** Of the `posters` collection, the name that it has had since the first release. MongoDB forgets each after an hour. */
interface ProcessDocument {
  readonly _id: string;
  readonly kind?: ProcessKind;
  /** Absent while the process starts, and once it has stopped. */
  readonly report?: ProcessReport;
  readonly reportedAt?: Date;
  /** When it stopped in order. */
  readonly endedAt?: Date;
}

/** A process that has not reported for this long is no longer listed: three reports were missed. */
const silentMs = 3_000;
/** One that nothing was heard of for so long does not run any more. It is longer than an election takes. */
export const runsMs = 30_000;
/** Longer than a process that runs is silent, while MongoDB answers. */
const lostAfterMs = 15_000;
/**
 * Who was lost within this counts. A supervisor waits for up to five minutes before it starts again what crashes at once: in half
 * an hour that is several times.
 */
const lostWithinMs = 1_800_000;
/** More are not read at once: a count of them is a lower bound from there. */
export const processesMax = 1_000;

export type ProcessReports = ReturnType<typeof openProcessReports>;

/** What the processes of the last hour say about themselves, from their start on. Times are the server's. */
export function openProcessReports(db: Db) {
  const collection: Collection<ProcessDocument> = db.collection('posters');
  const ago = (ms: number) => ({ $subtract: ['$$NOW', ms] });
  const read = { ...ofPrimary, maxTimeMS: operatorMaxMs };
  return {
    /** By it a process says that it runs; with a report, which replaces the last one, it is listed too. */
    async record(id: string, kind: ProcessKind, report?: ProcessReport): Promise<void> {
      const update = [{ $set: { kind, reportedAt: '$$NOW', ...(report && { report: { $literal: report } }) } }];
      await upsert(() => collection.updateOne({ _id: id }, update, { upsert: true, ...toPrimary }));
    },

    /** A process that stops in order is no longer listed, and is not lost. */
    async ended(id: string): Promise<void> {
      await collection.updateOne({ _id: id }, [{ $set: { endedAt: '$$NOW' } }, { $unset: ['report'] }], toPrimary);
    },

    /** The reports of all processes that have reported within the last {@link silentMs}, by id. */
    async latest(): Promise<ProcessReport[]> {
      const isFresh = { $gte: ['$reportedAt', ago(silentMs)] };
      const documents = await collection
        .find({ $expr: isFresh, report: { $exists: true } }, { projection: { report: 1 }, ...read })
        .sort({ _id: 1 })
        .limit(processesMax)
        .toArray();
      return documents.flatMap(({ report }) => report ?? []);
    },

    /** How many workers post: those that have started, and have reported within the last {@link silentMs}. */
    countPosting: (): Promise<number> =>
      collection.countDocuments(
        { kind: 'worker', report: { $exists: true }, $expr: { $gte: ['$reportedAt', ago(silentMs)] } },
        { limit: processesMax, ...read },
      ),

    /** All that run, by id: those that were heard of within the last {@link runsMs}, and neither start nor have stopped. */
    async running(): Promise<RunningProcess[]> {
      const heardOf = { $gte: [{ $max: ['$lastSeenAt', '$reportedAt'] }, ago(runsMs)] };
      const projection = { kind: 1, 'report.startedWith': 1 } as const;
      const documents = await collection
        // Workers of the first release have `lastSeenAt` alone.
        .find(
          { $expr: heardOf, $or: [{ report: { $exists: true } }, { lastSeenAt: { $exists: true } }] },
          { projection, ...ofPrimary },
        )
        .sort({ _id: 1 })
        .limit(processesMax)
        .toArray();
      return documents.map(({ _id: id, kind = 'worker', report }) => ({ id, kind, startedWith: report?.startedWith }));
    },

    /**
     * Those that fell silent without having stopped within the last half hour, the last one first: they were killed, crashed, or
     * their machines are gone.
     */
    async lost(): Promise<LostProcess[]> {
      const $and = [{ $gte: ['$reportedAt', ago(lostWithinMs)] }, { $lt: ['$reportedAt', ago(lostAfterMs)] }];
      const documents = await collection
        .find({ $expr: { $and }, endedAt: { $exists: false } }, { projection: { kind: 1, reportedAt: 1 }, ...read })
        .sort({ reportedAt: -1 })
        .limit(processesMax)
        .toArray();
      return documents.flatMap(({ _id: id, kind, reportedAt: seenAt }) => (kind && seenAt ? { id, kind, seenAt } : []));
    },
  };
}

/** What all processes together counted a second, over the last 45. */
export function latelyOf(processes: readonly Pick<ProcessReport, 'lately'>[], name: LatelyCount): number {
  return processes.reduce((sum, { lately = {} }) => sum + (lately[name] ?? 0), 0);
}
