import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { watchSettings, type OnCompared } from '../setting-watch.ts';
import type { Leases } from '../storage/leases.ts';
import type { QueueRecord, QueuesSeen } from '../storage/partitioning/queue-record.ts';
import type { ProcessKind, QueueSights } from '../storage/processes/queue-sights.ts';
import type { WrongSetting } from '../config.ts';
import type { QueueLocation } from './queue.ts';
import {
  areForeign,
  areSame,
  placeQueues,
  queuesDiffer,
  queuesRunbook,
  readQueues,
  whoSees,
  writeQueues,
} from './queue-id.ts';

/** This process, as it says in MongoDB who it is. */
interface Self {
  readonly instanceId: string;
  readonly kind: ProcessKind;
}

/** What the processes know of each other's queues. */
interface QueueKnowledge {
  readonly queueRecord: QueueRecord;
  readonly queueSights: QueueSights;
  readonly leases: Pick<Leases, 'take' | 'release'>;
}

interface QueueWatchTimes {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** The pause between comparisons. */
  readonly lookEveryMs: number;
}

const usualTimes: QueueWatchTimes = { now: () => performance.now(), lookEveryMs: 1_000 };

type Recorded = Awaited<ReturnType<QueueRecord['read']>>;

const lookMaxMs = 10_000;
/**
 * A process whose Redis was emptied goes on for this long, until the id is there again or the others have said what they
 * see. It is several looks.
 */
const graceMs = 5_000;
/** A process that is silent for this long need not say what it sees. */
const silentMs = 4_000;
/** Longer than another process usually takes to give the queues their id. */
const placingMs = 200;
/** Only the holder of this lease gives the queues an id. */
const placingLease = 'queue-id';
const placingLeaseMs = 10_000;

/**
 * Keeps comparing the queues of this process with those of the others, because a process with another Redis or prefix
 * would hold its partitions without ever seeing a job, and its nonces would be unknown to the others.
 *
 * The queues have an id, which is kept in Redis, and which MongoDB records. Every process says in MongoDB which id it sees.
 * Whoever sees the recorded one is right. Whoever sees an older one of this database, or none, looks at what the others
 * see. If one that may be alive sees the recorded id, this process's settings are wrong. If none does, Redis was emptied or
 * restored, or all have moved to another one, and the queues get a new id. Because it is new, no two Redis ever have the same
 * one, and a process that stayed with the old Redis is found out when it comes back.
 * Source: docs/posting.md, "Partitions".
 * @param location.redis its commands fail within a second.
 */
export function watchQueues(
  { redis, prefix }: QueueLocation,
  { instanceId, kind }: Self,
  { queueSights, queueRecord, leases }: QueueKnowledge,
  onCompared: OnCompared,
  log: Logger,
  { now, lookEveryMs } = usualTimes,
) {
  /** Since when a process that was right has seen other queues: by its own clock, and by the server's. */
  let differing: { readonly sinceMs: number; readonly since: Date | undefined } | undefined;

  /** @returns undefined if it is not to be decided yet. @throws WrongSettingError they are not those of the others. */
  async function judge(
    seen: QueuesSeen,
    recorded: Recorded,
    wereRight: boolean,
  ): Promise<'right' | 'place' | undefined> {
    if (areSame(seen, recorded.queues)) return 'right';
    if (areForeign(seen, recorded)) throw queuesDiffer(seen, recorded, undefined);
    const { ownAt, others: all } = await queueSights.ofOthers(instanceId);
    const others = whoSees(recorded, all);
    const [by] = others;
    if (by === undefined) return 'place';
    // It has never seen the right queues, so these are not them.
    if (!wereRight) throw queuesDiffer(seen, recorded, by);
    const { sinceMs, since } = (differing ??= { sinceMs: now(), since: ownAt });
    const isOver = now() - sinceMs >= graceMs;
    // Their looks began after this process found that its queues are others.
    const later = others.find(({ after }) => since !== undefined && after !== undefined && after >= since);
    // These were the right queues. A process that has not looked since says nothing against that.
    const isAwaited = others.some(({ silentForMs }) => silentForMs < silentMs);
    if (later === undefined) return isOver || !isAwaited ? 'place' : undefined;
    if (isOver || seen.id !== null) throw queuesDiffer(seen, recorded, later);
    return undefined;
  }

  async function compare(wrong: WrongSetting | undefined): Promise<boolean> {
    const areRight = await look(wrong);
    if (areRight !== 'placed by another') return areRight;
    // Not only at the next look: a process that starts would not be ready until then.
    await delay(placingMs);
    return (await look(wrong)) === true;
  }

  async function look(wrong: WrongSetting | undefined): Promise<boolean | 'placed by another'> {
    // Read before Redis, where an id is placed before it is recorded. So nobody who starts meanwhile finds one recorded that
    // this process has not seen.
    const recorded = await queueRecord.read();
    // If Redis is away, what was found before stays.
    const read = await readQueues(redis, prefix).catch(() => undefined);
    await queueSights.record(instanceId, kind, read?.seen);
    if (read === undefined) return false;
    const { seen, isWhole } = read;
    const verdict = await judge(seen, recorded, wrong === undefined);
    // A master of a cluster that comes back empty is given its copies again, by a later look if not by this one.
    if (verdict === 'right' && !isWhole) await writeQueues(redis, seen).catch(() => undefined);
    if (verdict === undefined) return false;
    if (verdict === 'place' && !(await place(recorded))) return 'placed by another';
    differing = undefined;
    return true;
  }

  /** Gives the queues a new id. @returns false if another process is doing that, or has done it meanwhile. */
  async function place(recorded: Recorded): Promise<boolean> {
    if (!(await leases.take(placingLease, instanceId, placingLeaseMs))) return false;
    try {
      const { queues: current } = await queueRecord.read();
      if (current?.id !== recorded.queues?.id) return false;
      const placed = await placeQueues(redis, prefix, recorded);
      if (!(await queueRecord.replace(recorded.queues, placed))) return false;
      // Before the lease ends, so that whoever has it next knows.
      await queueSights.record(instanceId, kind, placed);
      log.warn({ prefix }, 'the queues have a new id: Redis is new here, or was emptied or restored');
      return true;
    } finally {
      await leases.release(placingLease, instanceId).catch(() => undefined);
    }
  }

  const watch = watchSettings(
    { settings: ['QUEUE_PREFIX', 'REDIS_URL'], runbook: queuesRunbook, everyMs: lookEveryMs, roundMaxMs: lookMaxMs },
    compare,
    onCompared,
    log,
  );
  return {
    /** Whether the queues are those of the others. */
    areRight: (): boolean => watch.wrongNow() === undefined,
    /** Which setting differs; undefined while none does. */
    wrongSetting: watch.wrongNow,
    /** Resolves once the queues have been found right. @throws AbortError the signal aborts. */
    untilRight: watch.untilRight,
    /** Stops; resolves once this process is no longer listed, if it is a web process. */
    async close(): Promise<void> {
      await watch.close();
      if (kind !== 'web') return;
      await queueSights.remove(instanceId).catch(() => undefined);
    },
  };
}
