import { randomBytes } from 'node:crypto';
import { SettingsError } from '../config.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { QueueRecord, QueuesSeen } from '../storage/queue-record.ts';
import type { QueueSights, Sight } from '../storage/queue-sights.ts';

const idBytes = 12;
/**
 * A process that was killed counts for this long, to one that has never seen the right queues. It is longer than an
 * election, in which all processes are silent.
 */
const goneAfterMs = 30_000;

type Recorded = Awaited<ReturnType<QueueRecord['read']>>;

/** The key is for the whole installation. It is no hash tag's, so that on a cluster any node may have it. */
const keyOf = (prefix: string): string => `${prefix}:queues`;

/** The id that Redis keeps of the queues under a prefix. Throws if Redis is away. */
export async function readQueues(redis: RedisClient, prefix: string): Promise<QueuesSeen> {
  return { prefix, id: await redis.get(keyOf(prefix)) };
}

/** Gives the queues a new id, in place of one that they may have. @returns it. Throws if Redis is away. */
export async function placeQueues(redis: RedisClient, prefix: string, { databaseId }: Recorded) {
  const id = `${databaseId}:${randomBytes(idBytes).toString('hex')}`;
  await redis.set(keyOf(prefix), id);
  return { prefix, id };
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
export function queuesDiffer({ prefix }: QueuesSeen, { queues }: Recorded, by: Sight | undefined): SettingsError {
  const others =
    by === undefined ? 'the queues of this database are' : `process ${by.instanceId} of this database uses`;
  const what =
    queues !== undefined && queues.prefix !== prefix
      ? `QUEUE_PREFIX is "${prefix}", but ${others} under "${queues.prefix}"`
      : by === undefined
        ? `REDIS_URL leads to a Redis that has the queues of another database under QUEUE_PREFIX "${prefix}"`
        : `REDIS_URL leads to another Redis than that of process ${by.instanceId} of this database`;
  return new SettingsError(`wrong settings:\n  ${what} (docs/operations.md, "QueuesDiffer")`);
}

interface QueueSources {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly queueRecord: QueueRecord;
  readonly queueSights: QueueSights;
}

/**
 * For a command, which is no process of the service: checks that it uses the queues that the processes use, as far as any is
 * alive. Changes nothing. @throws SettingsError it does not; it names the setting.
 */
export async function checkQueues({ redis, prefix, queueRecord, queueSights }: QueueSources): Promise<void> {
  const [seen, recorded] = await Promise.all([readQueues(redis, prefix), queueRecord.read()]);
  if (areSame(seen, recorded.queues)) return;
  const [by] = whoSees(recorded, (await queueSights.ofOthers()).others);
  if (by !== undefined || areForeign(seen, recorded)) throw queuesDiffer(seen, recorded, by);
}
