import { clockOffMaxMs, describeClock } from './clock.ts';
import type { Logger } from './log.ts';

/**
 * Warns of a clock each time that it is found off, which the log counts, and says when it is right again. Beyond
 * {@link clockOffMaxMs} it is an error.
 */
export function createClockWarning(log: Logger): (aheadMs: number) => void {
  let isOff = false;
  return (aheadMs) => {
    const what = describeClock(aheadMs);
    if (what === undefined) {
      if (isOff) log.warn({ event: 'recovered' }, "the clock of this machine agrees with MongoDB's again");
      isOff = false;
      return;
    }
    isOff = true;
    const level = Math.abs(aheadMs) > clockOffMaxMs ? 'error' : 'warn';
    log[level]({ event: 'clock-off', aheadMs: Math.round(aheadMs) }, what);
  };
}
