import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { PostingWorker } from '../queue/worker.ts';
import { knownAfterMs } from './heartbeat.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Passage } from './lanes.ts';

export interface Retreat {
  /** Told how this process's groups get on beside those of others. */
  observe(passage: Passage): void;
  close(): void;
}

interface RetreatTools {
  /** Names this process. */
  readonly holder: string;
  readonly worker: Pick<PostingWorker, 'setIntake' | 'isIdle'>;
  readonly heartbeat: Pick<Heartbeat, 'setAway' | 'hasCompany'>;
  readonly log: Logger;
  readonly times?: typeof usualTimes;
}

/** Away for twice as long each time in a row, up to the most: each return costs the other as well. */
const usualTimes = { awayMs: 10_000, awayMaxMs: 40_000, knownAfterMs, lookEveryMs: 250 };

/**
 * Workers on the same few wallets post no more together than one of them does: each waits for the others' commits, and each
 * change between them is a pause. So one that is held up leaves the queue's jobs to the other for a while, where they make
 * larger groups. What it has in hand it posts; then it says that it is away, and the other need not ask for its wallets any
 * more. It says that it comes back before it does, takes a single job, and goes on in full once a group got on without a
 * turn. Only for a process whose name comes before its own does one retreat, so that of any that hold each other up somebody
 * stays; where those that stay have died or stopped, it comes back before its time.
 */
export function createRetreat({ holder, worker, heartbeat, log, times = usualTimes }: RetreatTools): Retreat {
  const stop = new AbortController();
  const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal: stop.signal });
  let isAway = false;
  let inARow = 0;

  async function retreat(by: string): Promise<void> {
    isAway = true;
    worker.setIntake('none');
    if (inARow === 0) log.info({ by }, 'another worker posts on the same wallets; leaving it the jobs for a while');
    const backAt = performance.now() + Math.min(times.awayMs * 2 ** inARow, times.awayMaxMs);
    inARow += 1;
    while (!worker.isIdle()) await wait(times.lookEveryMs);
    heartbeat.setAway(true);
    while (performance.now() < backAt && heartbeat.hasCompany()) await wait(times.lookEveryMs);
    heartbeat.setAway(false);
    if (heartbeat.hasCompany()) await wait(times.knownAfterMs);
    isAway = false;
    worker.setIntake('one');
  }

  return {
    observe(passage) {
      if (isAway || stop.signal.aborted) return;
      // Closed meanwhile: a worker that stops takes no jobs anyway.
      if (passage.kind === 'held up' && passage.by < holder) retreat(passage.by).catch(() => undefined);
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
