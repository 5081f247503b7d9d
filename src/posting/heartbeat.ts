import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { PostingSessions } from '../storage/processes/posting-sessions.ts';
import type { Pulse } from '../storage/processes/pulse.ts';

export type Heartbeat = ReturnType<typeof startHeartbeat>;

interface HeartbeatTools {
  readonly pulse: Pick<Pulse, 'workers'>;
  /** The sessions whose transactions others end if this process dies. */
  readonly sessions: Pick<PostingSessions, 'open' | 'renew'>;
  /** Whether it can do its work, so that partitions may be assigned to it. */
  readonly mayWork: () => boolean;
  readonly log: Logger;
}

/** A process that is silent for this long counts as dead: others take its partitions and end its open transactions. */
export const silentMs = 4_000;
const usualLimits = {
  /** The pause between heartbeats. Others notice within about this time that a worker came or left. */
  beatEveryMs: 500,
  /** Well below {@link silentMs}, so that after a heartbeat that hangs there is time for another. */
  beatMaxMs: 2_000,
};

/**
 * Keeps saying that this worker process is alive. If others gave it up because it was slow, it goes on in new sessions,
 * because the others may kill those that they know once more.
 */
export function startHeartbeat(
  instanceId: string,
  { pulse, sessions, mayWork, log }: HeartbeatTools,
  limits: Partial<typeof usualLimits> = {},
) {
  const { beatEveryMs, beatMaxMs } = { ...usualLimits, ...limits };
  let isLeaving = false;
  let isListed = false;
  let workers: readonly string[] | undefined;
  const self = () => ({ instanceId, sessions: sessions.open(), takesPartitions: !isLeaving && mayWork() });

  async function beat(): Promise<void> {
    if (isListed && !(await pulse.workers.beat(self()))) {
      isListed = false;
      sessions.renew();
      log.warn('given up by other workers while alive; posting goes on in new sessions');
    }
    if (!isListed) await pulse.workers.enlist(self());
    isListed = true;
    workers = await pulse.workers.takingPartitions(silentMs);
  }

  const rounds = startRounds({
    everyMs: beatEveryMs,
    roundMaxMs: beatMaxMs,
    round: beat,
    logged: { log, what: 'heartbeat' },
  });
  return {
    /** Resolves once this process is listed, or MongoDB did not answer the first heartbeat. */
    first: rounds.first,
    /** The workers that share the partitions, as of the last heartbeat; undefined before the first. */
    workers: () => workers,
    /** From now on no partitions are assigned to this worker. It goes on saying that it is alive. */
    leave(): void {
      isLeaving = true;
      rounds.hasten();
    },
    /** Stops; resolves once this process is no longer listed. */
    async close(): Promise<void> {
      await rounds.close();
      await pulse.workers.remove(instanceId).catch(() => undefined);
    },
  };
}
