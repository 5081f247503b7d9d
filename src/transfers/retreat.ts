import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { Intake } from '../queue/worker.ts';
import type { Passage } from './lanes.ts';

export interface Retreat {
  /** Told of each group how it fared beside other processes. */
  observe(passage: Passage): void;
  close(): void;
}

interface RetreatTools {
  /** Names this process. */
  readonly holder: string;
  readonly hasCompany: () => boolean;
  readonly setIntake: (intake: Intake) => void;
  readonly log: Logger;
  readonly awayMs?: typeof usualAwayMs;
}

/** Twice as long each time in a row, so that many who come back do not disturb the one that posts. */
const usualAwayMs = { first: 4_000, max: 8_000, lookEvery: 500 };

/**
 * Workers on the same few wallets post no more together than one of them does: each waits for the others' commits, and each
 * change between them is a pause. So one that is held up leaves the queue's jobs to the other for a while, where they make
 * larger groups; what it has in hand it posts. It comes back with a single job, and goes on in full where that found its
 * wallets free. Only for a process whose name comes before its own does one retreat, so that of any that hold each other
 * up somebody stays; where all others are gone, it comes back at once.
 */
export function createRetreat({ holder, hasCompany, setIntake, log, awayMs = usualAwayMs }: RetreatTools): Retreat {
  const stop = new AbortController();
  let isAway = false;
  let inARow = 0;

  async function retreat(by: string): Promise<void> {
    isAway = true;
    setIntake('none');
    if (inARow === 0) log.info({ by }, 'another worker posts on the same wallets; leaving it the jobs for a while');
    const endsAt = performance.now() + Math.min(awayMs.first * 2 ** inARow, awayMs.max);
    inARow += 1;
    while (performance.now() < endsAt && hasCompany()) {
      await setTimeout(awayMs.lookEvery, undefined, { signal: stop.signal });
    }
    isAway = false;
    setIntake(hasCompany() ? 'one' : 'full');
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
