import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { PostingWorker } from '../queue/worker.ts';
import { knownAfterMs } from './heartbeat.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Passage } from './passages.ts';
import type { Poster } from './post.ts';

export interface Retreat {
  /** Told how this process's groups get on beside those of others. */
  observe(passage: Passage): void;
  close(): void;
}

interface RetreatTools {
  /** Names this process. */
  readonly holder: string;
  readonly worker: Pick<PostingWorker, 'setIntake' | 'isIdle'>;
  readonly heartbeat: Pick<Heartbeat, 'setStanding' | 'hasRelief' | 'hasCompany'>;
  readonly poster: Pick<Poster, 'setHandingBack'>;
  readonly log: Logger;
  readonly times?: typeof usualTimes;
}

/**
 * Away for twice as long each time in a row: a return costs the other as well. With a group in flight that does not end in
 * time, it has nothing to say, and goes on.
 */
const usualTimes = { awayMs: 5_000, awayMaxMs: 20_000, emptyMaxMs: 30_000, knownAfterMs, lookEveryMs: 250 };

/**
 * Workers on the same few wallets post no more together than one of them does: each waits for the others' commits, and each
 * change between them is a pause. So one that is held up leaves the queue's jobs to the other for a while, where they make
 * larger groups, and hands back those that it has not begun. With nothing in hand it says that it is away, and the other
 * need not ask for its wallets any more. It says that it comes back before it does, takes a single job, and goes on in full
 * once most of a group got on without a turn. Only for a process whose name comes before its own does one retreat, so that
 * of any that hold each other up somebody stays; once none of those takes jobs, it comes back before its time.
 */
export function createRetreat({ holder, worker, heartbeat, poster, log, times = usualTimes }: RetreatTools): Retreat {
  const stop = new AbortController();
  let isAway = false;
  let inARow = 0;

  /** Waits while it may go on so, for as long as another is there to take the jobs. */
  async function waitWhile(mayGoOn: () => boolean, maxMs: number): Promise<void> {
    const endsAt = performance.now() + maxMs;
    while (mayGoOn() && performance.now() < endsAt && heartbeat.hasRelief()) {
      await setTimeout(times.lookEveryMs, undefined, { signal: stop.signal });
    }
  }

  async function stayAway(): Promise<void> {
    heartbeat.setStanding('posting');
    poster.setHandingBack(true);
    await waitWhile(() => !worker.isIdle(), times.emptyMaxMs);
    stop.signal.throwIfAborted();
    poster.setHandingBack(false);
    if (!worker.isIdle()) return;
    heartbeat.setStanding('away');
    await waitWhile(() => true, Math.min(times.awayMs * 2 ** (inARow - 1), times.awayMaxMs));
    heartbeat.setStanding('taking');
    if (heartbeat.hasCompany()) await setTimeout(times.knownAfterMs, undefined, { signal: stop.signal });
  }

  async function retreat(by: string): Promise<void> {
    isAway = true;
    inARow += 1;
    worker.setIntake('none');
    if (inARow === 1) log.info({ by }, 'another worker posts on the same wallets; leaving it the jobs for a while');
    await stayAway().catch((error: unknown) => {
      if (!stop.signal.aborted) log.error({ err: error }, 'could not stay away; taking jobs again');
    });
    // A worker that stops takes no jobs any more.
    if (stop.signal.aborted) return;
    isAway = false;
    heartbeat.setStanding('taking');
    worker.setIntake('one');
  }

  return {
    observe(passage) {
      if (isAway || stop.signal.aborted) return;
      if (passage.kind === 'held up' && passage.by < holder && heartbeat.hasRelief()) void retreat(passage.by);
      if (passage.kind === 'free' && inARow > 0) {
        inARow = 0;
        worker.setIntake('full');
        log.info('the wallets are free; taking all jobs again');
      }
    },
    close: () => {
      stop.abort();
    },
  };
}
