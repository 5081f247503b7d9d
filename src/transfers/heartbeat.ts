import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { OtherPoster, Standing } from '../storage/posters.ts';
import type { PostingSessions } from '../storage/postingSessions.ts';
import type { Pulse } from '../storage/pulse.ts';

export interface Heartbeat {
  /**
   * Whether other worker processes may be posting, as they said at the last beat. True until the second: of two that start
   * at once the first beat of one may miss the other.
   */
  hasCompany(): boolean;
  /**
   * Whether one whose name comes before this process's took jobs at the last beat. True until the first. (Of two that are
   * away neither counts on the other.)
   */
  hasRelief(): boolean;
  /** Says at once what this process does; the others know it {@link knownAfterMs} later, as a rule. */
  setStanding(standing: Standing): void;
  /** Stops; resolves once this process is no longer listed. */
  close(): Promise<void>;
}

interface HeartbeatTools {
  readonly pulse: Pulse;
  /** The sessions whose transactions others end where this process dies. */
  readonly sessions: Pick<PostingSessions, 'open' | 'renew'>;
  /** Names this process. */
  readonly holder: string;
  readonly log: Logger;
  readonly beatEveryMs?: number;
}

const usualBeatEveryMs = 1_000;
/** A beat of each other, and what it takes. Those whose beats fail know it later. */
export const knownAfterMs = 1.5 * usualBeatEveryMs;
/** Well below the time after which a silent process is given up: after a beat that hangs there is time for another. */
const roundMaxMs = 2_000;
/** So many beats in a row fail before a new client is tried. */
const failuresMax = 5;

/**
 * Keeps saying that this worker process is alive. One that was given up by others all the same, because it was slow, goes
 * on in new sessions: those that they knew may be killed once more.
 */
export function startHeartbeat(tools: HeartbeatTools): Heartbeat {
  const { pulse, sessions, holder, log, beatEveryMs = usualBeatEveryMs } = tools;
  let standing: Standing = 'taking';
  let isListed = false;
  let beats = 0;
  let failures = 0;
  /** At the last beat. */
  let others: readonly OtherPoster[] = [];
  const self = () => ({ id: holder, sessions: sessions.open(), standing });

  async function beat(): Promise<void> {
    failures += 1;
    if (failures > failuresMax) {
      failures = 1;
      pulse.renew();
    }
    const { posters } = pulse;
    if (isListed && !(await posters.beat(self()))) {
      isListed = false;
      sessions.renew();
      log.warn('given up by other workers while alive; posting goes on in new sessions');
    }
    if (!isListed) await posters.enlist(self());
    isListed = true;
    others = await posters.others(holder);
    beats += 1;
    failures = 0;
  }

  const rounds = startRounds({
    ...{ everyMs: beatEveryMs, roundMaxMs, round: beat },
    onError: (error) => {
      log.warn({ err: error }, 'heartbeat failed; the next one tries again');
    },
    onRecovered: () => {
      log.info('heartbeat goes on');
    },
  });
  return {
    hasCompany: () => beats < 2 || others.some((other) => other.standing !== 'away'),
    hasRelief: () => beats < 1 || others.some((other) => other.id < holder && other.standing === 'taking'),
    setStanding(next) {
      if (next === standing) return;
      standing = next;
      rounds.hasten();
    },
    async close() {
      await rounds.close();
      await pulse.posters.remove(holder).catch(() => undefined);
    },
  };
}
