import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { WrongSettingError } from '../settings/config.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { QueueRecord, Queues, QueuesRecord } from '../storage/processes/queue-record.ts';
import type { ProcessReports } from '../storage/processes/reports.ts';
import type { QueueLocation } from './posting-queue.ts';

const idBytes = 12;
const copiesOnCluster = 8;
const triedKeptMs = 10_000;
const usualLimits = {
  /** Others give an emptied Redis its id back within about a second (health.ts). */
  restoredWithinMs: 5_000,
  lookEveryMs: 250,
};
/** A process that recorded its queues has not yet reported for so long. */
const firstReportMs = 10_000;

/** What the processes know of each other's queues. */
export interface QueueKnowledge {
  readonly queueRecord: QueueRecord;
  readonly processReports: Pick<ProcessReports, 'latest'>;
}

/**
 * The keys are for the whole installation. On a cluster there are several, on most of its masters, so that a process can
 * tell its queues while one of those is away.
 */
function keysOf(redis: RedisClient, prefix: string): readonly string[] {
  const key = `${prefix}:queues`;
  return redis instanceof Cluster ? Array.from({ length: copiesOnCluster }, (_, copy) => `${key}-${copy}`) : [key];
}

/**
 * The id that Redis keeps of the queues under a prefix; on a cluster, the one that most of its copies have. Throws if Redis
 * is away.
 */
export async function readId({ redis, prefix }: QueueLocation): Promise<string | undefined> {
  const answers = await answersOf(keysOf(redis, prefix).map((key) => redis.get(key)));
  const copies = Map.groupBy(
    answers.filter((id) => id !== null),
    (id) => id,
  );
  const [most] = [...copies.values()].toSorted((a, b) => b.length - a.length);
  return most?.[0];
}

/**
 * Gives every copy that can be reached the id, so that Redis has it again after it was emptied or restored. A Redis that
 * answers may refuse to write, so whether this succeeds also tells whether the service can use it.
 * @throws why Redis did not take it; a cluster, at none of its masters.
 */
export async function writeId(redis: RedisClient, { prefix, id }: Queues): Promise<void> {
  await answersOf(keysOf(redis, prefix).map((key) => redis.set(key, id)));
}

/** {@link writeId} of a process that does not know the id yet. Nothing reads what it writes. @throws as that does. */
export async function tryToWrite(redis: RedisClient, prefix: string): Promise<void> {
  await answersOf(keysOf(redis, `${prefix}:tried`).map((key) => redis.set(key, '', 'PX', triedKeptMs)));
}

/** @returns what was answered. @throws the first error, where nothing was. */
async function answersOf<Answer>(commands: readonly Promise<Answer>[]): Promise<Answer[]> {
  const settled = await Promise.allSettled(commands);
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return answers.length > 0 ? answers : Promise.all(commands);
}

/**
 * Compares the queues of a process that starts with those of the others, because with another Redis or prefix it would wait
 * for jobs that never come, and not know which nonces the others saw spent.
 *
 * The queues have an id, which Redis keeps and MongoDB records. Who finds the recorded one is right. Who finds another one of
 * this database, or none, is wrong if any process is alive that reaches its Redis: that one would have given its Redis the id
 * back if it had been emptied or restored. If none is alive, Redis was emptied meanwhile, or all have moved to another one, and the
 * queues get a new id. So no two Redis ever have the same one, and a process that stayed with the old Redis is found out at its
 * next start.
 * @param redis its commands fail within a second.
 * @param instanceId of this process.
 * @returns the queues. Repetition is harmless; of several processes that start at once with different queues, one is right.
 * @throws WrongSettingError they are not those of the others; any other error: MongoDB or Redis is away.
 */
export async function agreeOnQueues(
  location: QueueLocation,
  instanceId: string,
  { queueRecord, processReports }: QueueKnowledge,
  { restoredWithinMs, lookEveryMs } = usualLimits,
): Promise<Queues> {
  const { redis, prefix } = location;
  const startedAt = performance.now();
  for (;;) {
    // Read before Redis, because an id is recorded before Redis gets it.
    const recorded = await queueRecord.read();
    const id = await readId(location);
    if (areRecorded(recorded, prefix, id)) return { prefix, id };
    if (isForeign(recorded, id)) throw queuesDiffer(prefix, recorded, undefined);
    const user = await userOf(recorded, processReports, instanceId);
    if (user === undefined) {
      const placed = { prefix, id: `${recorded.databaseId}:${randomBytes(idBytes).toString('hex')}` };
      if (await queueRecord.replace(recorded.queues, placed, instanceId)) await writeId(redis, placed);
    } else {
      const isOver = performance.now() - startedAt >= restoredWithinMs;
      const hasOtherPrefix = recorded.queues !== undefined && recorded.queues.prefix !== prefix;
      if (isOver || hasOtherPrefix) throw queuesDiffer(prefix, recorded, user);
      await delay(lookEveryMs);
    }
  }
}

/**
 * For a command, which is no process of the service: checks that it uses the queues that the processes use, as far as any is
 * alive. Changes nothing. @throws WrongSettingError it does not.
 */
export async function checkQueues(location: QueueLocation, knowledge: QueueKnowledge): Promise<void> {
  const { prefix } = location;
  const recorded = await knowledge.queueRecord.read();
  const id = await readId(location);
  if (areRecorded(recorded, prefix, id)) return;
  const user = await userOf(recorded, knowledge.processReports);
  if (user !== undefined || isForeign(recorded, id)) throw queuesDiffer(prefix, recorded, user);
}

function areRecorded({ queues }: QueuesRecord, prefix: string, id: string | undefined): id is string {
  return id !== undefined && queues?.prefix === prefix && queues.id === id;
}

/** Whether Redis has these queues as another database's. */
function isForeign({ databaseId }: QueuesRecord, id: string | undefined): boolean {
  return id !== undefined && !id.startsWith(`${databaseId}:`);
}

/** Another process that uses the recorded queues: one that is alive and reaches its Redis, or recorded them a moment ago. */
async function userOf(
  { by, forMs = Infinity }: QueuesRecord,
  processReports: QueueKnowledge['processReports'],
  instanceId?: string,
): Promise<string | undefined> {
  const reported = await processReports.latest();
  const user = reported.find(({ id, down = {} }) => id !== instanceId && !('redis' in down));
  if (user !== undefined) return user.id;
  return by !== instanceId && forMs < firstReportMs ? by : undefined;
}

/** @param by a process that uses the recorded queues; undefined if these are another database's. */
function queuesDiffer(prefix: string, { queues }: QueuesRecord, by: string | undefined): WrongSettingError {
  const others = by === undefined ? 'the queues of this database are' : `process ${by} of this database uses`;
  if (queues !== undefined && queues.prefix !== prefix) {
    const what = `is "${prefix}", but ${others} under "${queues.prefix}"`;
    return new WrongSettingError('QUEUE_PREFIX', what);
  }
  const what =
    by === undefined
      ? `leads to a Redis that has the queues of another database under QUEUE_PREFIX "${prefix}"`
      : `leads to another Redis than that of process ${by} of this database`;
  return new WrongSettingError('REDIS_URL', what);
}
