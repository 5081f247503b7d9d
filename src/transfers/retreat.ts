import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { Intake } from '../queue/worker.ts';
import type { Passage } from './lanes.ts';

export interface Retreat {
  /** Told how this process's groups get on beside those of others. */
  observe(passage: Passage): void;
  close(): void;
}

interface RetreatTools {
  /** Names this process. */
  readonly holder: string;
  readonly setIntake: (intake: Intake) => void;
  readonly log: Logger;
  readonly awayMs?: typeof usualAwayMs;
}

/** Longer from the second time in a row on; no longer than it takes to notice that the other has died. */
const usualAwayMs = { first: 3_000, next: 5_000 };

/**
 * Workers on the same few wallets post no more together than one of them does: each waits for the others' commits, and each
 * change between them is a pause. So one that is held up leaves the queue's jobs to the other for a while, where they make
 * larger groups; what it has in hand it posts. It comes back with a single job, and goes on in full once a group got on
 * without a turn. Only for a process whose name comes before its own does one retreat, so that of any that hold each other
 * up somebody stays. Where that one dies, its jobs and the queue's wait until the others are back.
 */
export function createRetreat({ holder, setIntake, log, awayMs = usualAwayMs }: RetreatTools): Retreat {
  const stop = new AbortController();
  let isAway = false;
  let inARow = 0;

  async function retreat(by: string): Promise<void> {
    isAway = true;
    setIntake('none');
    if (inARow === 0) log.info({ by }, 'another worker posts on the same wallets; leaving it the jobs for a while');
    const lengthMs = inARow === 0 ? awayMs.first : awayMs.next;
    inARow += 1;
    await setTimeout(lengthMs, undefined, { signal: stop.signal });
    isAway = false;
    setIntake('one');
  }

  return {
    observe(passage) {
      if (isAway || stop.signal.aborted) return;
      // Closed meanwhile: a worker that stops takes no jobs anyway.
      if (passage.kind === 'held up' && passage.by < holder) retreat(passage.by).catch(() => undefined);
      if (passage.kind === 'free' && inARow > 0) {
        inARow = 0;
        setIntake('full');
        log.info('the wallets are free; taking all jobs again');
      }
    },
    close: () => {
      stop.abort();
    },
  };
}
