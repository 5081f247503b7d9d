import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import type { Clock, ClockOf } from '../clock.ts';
import { isTestWorkspace } from '../domain/ids.ts';
import { testClocksToWake } from './schema/schema.ts';
import { inOneReply } from './shared/commands.ts';

/** The clock of a test workspace. It shows `at` until the real time is `since`, and runs from then on, a second a second. */
export interface TestClock {
  readonly at: Date;
  readonly since: Date;
  /** The real time at which something is due next, if nobody puts the clock forward; null if nothing will be. */
  readonly wakeAt: Date | null;
  /** How many transactions it has dated; absent before the first. */
  readonly dated?: number;
  /** The last time that it was put forward; absent before the first. */
  readonly advance?: Advance;
  /** The time before that, whose answer may still be to come. */
  readonly before?: Advance;
}

/** A clock is put forward: it stands still meanwhile, `since` being when whoever asked for it is answered at the latest. */
export interface Advance {
  readonly id: string;
  readonly from: Date;
  readonly to: Date;
  /** How many scheduled orders came due, and how many holds expired. */
  readonly started: number;
  readonly expired: number;
  /** Whether all has ended that was due until `to`. */
  readonly isDone: boolean;
}

/**
 * The time by which a transaction dates what it does in a workspace. In a test workspace the transaction commits before the clock
 * is put forward, or conflicts with that; in others it asks nothing.
 */
export type DateIn = (workspaceId: string, session: ClientSession) => Promise<Date>;

/** What a test workspace's clock shows. */
export function timeBy({ at, since }: Pick<TestClock, 'at' | 'since'>, realNow: Date): Date {
  return new Date(at.getTime() + Math.max(0, realNow.getTime() - since.getTime()));
}

/** What puts a clock forward now; undefined if nothing does. */
export function advanceUnderWay({ advance, since }: TestClock, realNow: Date): Advance | undefined {
  return advance === undefined || advance.isDone || since <= realNow ? undefined : advance;
}

/** A new clock, which shows the real time. */
export function newTestClock(realNow: Date): TestClock {
  return { at: realNow, since: realNow, wakeAt: null };
}

interface ClockDocument {
  readonly _id: string;
  readonly clock?: TestClock;
}

/** The clocks of test workspaces, each in its workspace's document. @param clock the real time. */
export function openTestClocks(db: Db, clock: Clock) {
  const collection: Collection<ClockDocument> = db.collection('workspaces');

  async function read(workspaceId: string): Promise<TestClock> {
    const document = await collection.findOne({ _id: workspaceId }, { projection: { clock: 1 } });
    return document?.clock ?? newTestClock(clock());
  }

  const clockOf: ClockOf = (workspaceId) => {
    if (!isTestWorkspace(workspaceId)) return clock;
    return read(workspaceId).then((own) => () => timeBy(own, clock()));
  };

  const dateIn: DateIn = async (workspaceId, session) => {
    if (!isTestWorkspace(workspaceId)) return clock();
    const options = { session, returnDocument: 'after', projection: { clock: 1 } } as const;
    const document = await collection.findOneAndUpdate({ _id: workspaceId }, { $inc: { 'clock.dated': 1 } }, options);
    return timeBy({ ...newTestClock(clock()), ...document?.clock }, clock());
  };

  /** Changes the clock for as long as an advance is under way. @returns whether it still was. */
  async function during(
    { id }: Pick<Advance, 'id'>,
    asRead: Filter<ClockDocument>,
    update: object,
    session?: ClientSession,
  ): Promise<boolean> {
    const isUnderWay = { 'clock.advance.id': id, 'clock.advance.isDone': false, 'clock.since': { $gt: clock() } };
    const options = session === undefined ? {} : { session };
    return (await collection.updateOne({ ...asRead, ...isUnderWay }, update, options)).matchedCount === 1;
  }

  return {
    clockOf,
    read,

    dateIn,

    /**
     * Begins to put a clock forward. @param until the real time up to which it stands still; it is looked at then, whoever has
     * died. @returns whether it was as read.
     */
    async begin(workspaceId: string, asRead: TestClock, advance: Advance, until: Date): Promise<boolean> {
      const { at, since, advance: before } = asRead;
      const ofBefore = before === undefined ? {} : { 'clock.before': before };
      const stopped = { 'clock.at': advance.from, 'clock.since': until, 'clock.wakeAt': until };
      const change = { ...stopped, 'clock.advance': advance, ...ofBefore };
      const filter = { _id: workspaceId, 'clock.at': at, 'clock.since': since };
      return (await collection.updateOne(filter, { $set: change })).matchedCount === 1;
    },

    /** Moves a clock on. @returns whether its advance was still under way, and it stood and had dated as read. */
    moveTo: (workspaceId: string, asRead: TestClock, advance: Advance, at: Date): Promise<boolean> => {
      const stands = { _id: workspaceId, 'clock.at': asRead.at, 'clock.dated': asRead.dated ?? null };
      return during(advance, stands, { $set: { 'clock.at': at } });
    },

    /** Counts what came due, in the transaction that does it. */
    count: (
      workspaceId: string,
      advance: Advance,
      what: 'started' | 'expired',
      by: number,
      session: ClientSession,
    ): Promise<boolean> => during(advance, { _id: workspaceId }, { $inc: { [`clock.advance.${what}`]: by } }, session),

    /** Ends an advance: the clock runs on from where it stands. */
    end: (workspaceId: string, advance: Advance): Promise<boolean> =>
      during(advance, { _id: workspaceId }, { $set: { 'clock.since': clock(), 'clock.advance.isDone': true } }),

    /** Has a test workspace looked at when something will be due. */
    async expect(workspaceId: string, dueAt: Date): Promise<void> {
      if (!isTestWorkspace(workspaceId)) return;
      const realAt = { $add: ['$clock.since', { $subtract: [dueAt, '$clock.at'] }] };
      await collection.updateOne({ _id: workspaceId }, [
        { $set: { 'clock.wakeAt': { $min: ['$clock.wakeAt', realAt] } } },
      ]);
    },

    /** Sets when the workspace is looked at next. @returns whether that was as read. */
    async wakeAt(workspaceId: string, { at, since, wakeAt }: TestClock, next: Date | null): Promise<boolean> {
      const filter = { _id: workspaceId, 'clock.at': at, 'clock.since': since, 'clock.wakeAt': wakeAt };
      return (await collection.updateOne(filter, { $set: { 'clock.wakeAt': next } })).matchedCount === 1;
    },

    /** The test workspaces that are to be looked at. Unless somebody does, they are found again after a while. */
    async toWake(countMax: number, againAfterMs: number): Promise<string[]> {
      const now = clock();
      const isDue = { 'clock.wakeAt': { $gt: new Date(0), $lte: now } };
      const options = { projection: { _id: 1 }, limit: countMax, hint: testClocksToWake, ...inOneReply(countMax) };
      const ids = (await collection.find(isDue, options).sort({ 'clock.wakeAt': 1 }).toArray()).map(({ _id }) => _id);
      const again = { $set: { 'clock.wakeAt': new Date(now.getTime() + againAfterMs) } };
      if (ids.length > 0) await collection.updateMany({ _id: { $in: ids }, ...isDue }, again);
      return ids;
    },
  };
}
