import { randomBytes } from 'node:crypto';
import { Cluster } from 'ioredis';
import type { RedisClient } from '../redis/connection.ts';
import type { QueueRecord, QueuesSeen } from '../storage/partitioning/queue-record.ts';
import type { QueueSights, Sight } from '../storage/processes/queue-sights.ts';
import { WrongSettingError } from '../config.ts';
import type { QueueLocation } from './queue.ts';

/** The heading of its entry in docs/operations.md. */
export const queuesRunbook = 'SettingWrong';
const idBytes = 12;
const copiesOnCluster = 8;
/**
 * A process that was killed counts for this long, to one that has never seen the right queues. It is longer than an
 * election, in which all processes are silent.
 */
const goneAfterMs = 30_000;

type Recorded = Awaited<ReturnType<QueueRecord['read']>>;

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
 * is away. @returns isWhole whether every copy has it that could be read.
 */
export async function readQueues(redis: RedisClient, prefix: string): Promise<{ seen: QueuesSeen; isWhole: boolean }> {
  const answers = await answersOf(keysOf(redis, prefix).map((key) => redis.get(key)));
  const copies = Map.groupBy(
    answers.filter((id) => id !== null),
    (id) => id,
  );
  const [most] = [...copies.values()].toSorted((a, b) => b.length - a.length);
  return { seen: { prefix, id: most?.[0] ?? null }, isWhole: most?.length === answers.length };
}

/** Gives the queues a new id, in place of one that they may have. @returns it. Throws if Redis is away. */
export async function placeQueues(redis: RedisClient, prefix: string, { databaseId }: Recorded) {
  const placed = { prefix, id: `${databaseId}:${randomBytes(idBytes).toString('hex')}` };
  await writeQueues(redis, placed);
  return placed;
}

/** Gives every copy that can be reached the id. Throws if Redis is away. */
export async function writeQueues(redis: RedisClient, { prefix, id }: QueuesSeen): Promise<void> {
  if (id !== null) await answersOf(keysOf(redis, prefix).map((key) => redis.set(key, id)));
}

/** @returns what was answered. @throws the first error, where nothing was. */
async function answersOf<Answer>(asked: readonly Promise<Answer>[]): Promise<Answer[]> {
  const settled = await Promise.allSettled(asked);
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return answers.length > 0 ? answers : Promise.all(asked);
}

export function areSame(one: QueuesSeen, other: QueuesSeen | undefined): boolean {
  return one.prefix === other?.prefix && one.id === other.id;
}

/** Whether Redis has these queues as another database's. */
export function areForeign({ id }: QueuesSeen, { databaseId }: Recorded): boolean {
  return id !== null && !id.startsWith(`${databaseId}:`);
}

/** Those of the processes that see the recorded queues, and that are alive or may have been killed a moment ago. */
export function whoSees({ queues }: Recorded, sights: readonly Sight[]): Sight[] {
  return sights.filter((sight) => areSame(sight, queues) && sight.silentForMs < goneAfterMs);
}

/**
 * Says which setting of this process differs. @param by a process that sees the recorded queues; undefined if these queues
 * are another database's.
 */
export function queuesDiffer({ prefix }: QueuesSeen, { queues }: Recorded, by: Sight | undefined) {
  const others =
    by === undefined ? 'the queues of this database are' : `process ${by.instanceId} of this database uses`;
  if (queues !== undefined && queues.prefix !== prefix) {
    const what = `is "${prefix}", but ${others} under "${queues.prefix}"`;
    return new WrongSettingError('QUEUE_PREFIX', queuesRunbook, [what]);
  }
  const what =
    by === undefined
      ? `leads to a Redis that has the queues of another database under QUEUE_PREFIX "${prefix}"`
      : `leads to another Redis than that of process ${by.instanceId} of this database`;
  return new WrongSettingError('REDIS_URL', queuesRunbook, [what]);
}

/**
 * For a command, which is no process of the service: checks that it uses the queues that the processes use, as far as any is
 * alive. Changes nothing. @throws WrongSettingError it does not.
 */
export async function checkQueues(
  { redis, prefix }: QueueLocation,
  queueRecord: QueueRecord,
  queueSights: QueueSights,
): Promise<void> {
  const [{ seen }, recorded] = await Promise.all([readQueues(redis, prefix), queueRecord.read()]);
  if (areSame(seen, recorded.queues)) return;
  const [by] = whoSees(recorded, (await queueSights.ofOthers()).others);
  if (by !== undefined || areForeign(seen, recorded)) throw queuesDiffer(seen, recorded, by);
}
