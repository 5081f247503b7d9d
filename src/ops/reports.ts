import { slotTag, type RedisClient } from '../redis/connection.ts';
import { startRounds } from '../rounds.ts';
import type { Observers } from './observers.ts';
import type { Recent } from './recent.ts';

/** What a process says about itself once a second. Values that are not known are left out. */
export type ProcessReport = Omit<Report, Unknowable> & Partial<Pick<Report, Unknowable>>;
type Report = ReturnType<typeof reportOf>;
type Unknowable = 'answerMs' | 'latencyMs' | 'webhooks' | 'clockAheadMs';

interface Self {
  /** Its instance id. */
  readonly id: string;
  readonly kind: 'web' | 'worker';
  readonly partitions: () => readonly number[];
  readonly startedAt: Date;
}

const reportEveryMs = 1_000;
const roundMaxMs = 10_000;
/** A process that is silent for this long is no longer listed. */
const aliveMs = 5_000;
const processesMax = 1_000;
/** The most endpoints for which a process says how much it sent. */
const endpointsMax = 64;

/** The keys are on one node of a cluster, so that one command reads every report. */
const listKey = (redis: RedisClient, prefix: string): string => `${prefix}:${slotTag(redis, 'process')}es`;
const reportKey = (redis: RedisClient, prefix: string, id: string): string =>
  `${prefix}:${slotTag(redis, 'process')}:${id}`;

/**
 * Keeps reporting the state of a process in Redis, under a key that expires by itself. Best effort: while Redis is away
 * nothing is reported, nothing waits, and the process counts as gone.
 */
export function startReporting(redis: RedisClient, prefix: string, self: Self, { recent, clockAheadMs }: Observers) {
  const { id } = self;
  const rounds = startRounds({
    everyMs: reportEveryMs,
    roundMaxMs,
    round: async () => {
      await Promise.all([
        redis.sadd(listKey(redis, prefix), id),
        redis.set(reportKey(redis, prefix, id), JSON.stringify(reportOf(self, recent, clockAheadMs())), 'PX', aliveMs),
      ]);
    },
  });
  return {
    async close(): Promise<void> {
      await rounds.close();
      await Promise.all([redis.srem(listKey(redis, prefix), id), redis.del(reportKey(redis, prefix, id))]).catch(
        () => undefined,
      );
    },
  };
}

function reportOf({ id, kind, partitions, startedAt }: Self, recent: Recent, clockAheadMs: number) {
  return {
    id,
    kind,
    startedAt: startedAt.toISOString(),
    /** How far the clock of its machine is ahead of MongoDB's. Absent in reports of an older release. */
    clockAheadMs,
    answeredPerSecond: recent.perSecond('answered'),
    acceptedPerSecond: recent.perSecond('accepted'),
    postedPerSecond: recent.perSecond('posted'),
    conflictsPerSecond: recent.perSecond('conflicts'),
    /** Share of the time with a group in hand, 0 to 1. */
    busyShare: recent.perSecond('busyMs') / 1000,
    answerMs: recent.percentiles('answerMs'),
    /** From acceptance to the terminal state, for orders that this process posted. */
    latencyMs: recent.percentiles('latencyMs'),
    /** The partitions that a worker consumes. */
    partitions: partitions(),
    /** Webhooks that were sent and delivered, a second. Absent in reports of an older release. */
    webhooks: {
      sent: recent.perSecond('sent'),
      delivered: recent.perSecond('delivered'),
      /** The endpoints to which the most was sent. */
      endpoints: recent.mostSent(endpointsMax).map((endpointId) => ({
        id: endpointId,
        sent: recent.perSecond(`sent ${endpointId}`),
        delivered: recent.perSecond(`delivered ${endpointId}`),
      })),
    },
  };
}

/** The reports of every process that is alive, by id. @throws where Redis is away. */
export async function readReports(redis: RedisClient, prefix: string): Promise<ProcessReport[]> {
  const ids = (await redis.smembers(listKey(redis, prefix))).slice(0, processesMax);
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map((id) => reportKey(redis, prefix, id)));
  const gone = ids.filter((_, index) => typeof texts[index] !== 'string');
  if (gone.length > 0) await redis.srem(listKey(redis, prefix), ...gone);
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => JSON.parse(text) as ProcessReport)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
