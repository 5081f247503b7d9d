import type { Logger } from '../log.ts';
import { watchQueues } from '../queue/queue-watch.ts';
import type { RedisClient } from '../redis/connection.ts';
import { watchRoundTrips } from '../redis/round-trips.ts';
import type { OnCompared } from '../setting-watch.ts';
import type { Leases } from '../storage/leases.ts';
import type { PostingSessions } from '../storage/processes/posting-sessions.ts';
import { openPulse } from '../storage/processes/pulse.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startReaper } from './reaper.ts';

interface TakingPartTools {
  readonly uri: string;
  /** `background` waits for jobs, `request` is for commands. */
  readonly redis: { readonly background: RedisClient; readonly request: RedisClient };
  readonly prefix: string;
  readonly sessions: PostingSessions;
  readonly leases: Leases;
  readonly instanceId: string;
  readonly log: Logger;
  readonly onQueuesCompared: OnCompared;
}

/**
 * A worker among the others: it says that it is alive, and ends the transactions of those that are not. It takes part, which
 * means that it may have partitions and do what one worker does for all, only while it can work: while Redis answers, and
 * the queues there are those of the others.
 */
export function startTakingPart(tools: TakingPartTools) {
  const { redis, prefix, sessions, leases, instanceId, log, onQueuesCompared: onCompared } = tools;
  const pulse = openPulse(tools.uri);
  const roundTrips = watchRoundTrips({ redis: redis.background });
  const queueWatch = watchQueues({
    redis: redis.request,
    prefix,
    instanceId,
    kind: 'worker',
    log,
    leases,
    onCompared,
    storage: () => pulse.queues,
  });
  const mayWork = (): boolean => roundTrips.work() && queueWatch.areRight();
  const heartbeat = startHeartbeat({ pulse, sessions, instanceId, mayWork, log });
  const reaper = startReaper({ pulse, instanceId, log });
  return {
    /** The workers that share the partitions, as of the last heartbeat; undefined before the first. */
    workers: heartbeat.workers,
    mayWork,
    isRedisThere: roundTrips.work,
    wrongSetting: queueWatch.wrongSetting,
    /** From now on no partitions are assigned to this worker. It goes on saying that it is alive. */
    async leave(): Promise<void> {
      heartbeat.leave();
      await queueWatch.close();
    },
    /** Stops, after {@link leave}; resolves once this process is no longer listed. */
    async close(): Promise<void> {
      await Promise.all([heartbeat.close(), reaper.close(), roundTrips.close()]);
      await pulse.close();
    },
  };
}
