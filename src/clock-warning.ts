import type { Logger } from './log.ts';

/** Further off, a clock is warned of. */
const toleranceMs = 1_000;
/** Further off, a clock is an alarm, and the command line changes nothing. The tolerance of a signed timestamp. */
export const clockOffMaxMs = 60_000;
const toldEveryMs = 60_000;

/** A sentence about a clock that is off by more than a second; undefined if it is right. */
export function describeClock(aheadMs: number): string | undefined {
  if (Math.abs(aheadMs) <= toleranceMs) return undefined;
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  return `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} MongoDB's`;
}

/**
 * Warns of a clock that is off, at once and then once a minute while it is, and says when it is right again. Beyond
 * {@link clockOffMaxMs} it is an error.
 */
export function createClockWarning(log: Logger): (aheadMs: number) => void {
  let toldAt: number | undefined;
  return (aheadMs) => {
    const what = describeClock(aheadMs);
    if (what === undefined) {
      if (toldAt !== undefined) log.info("the clock of this machine agrees with MongoDB's again");
      toldAt = undefined;
      return;
    }
    if (toldAt !== undefined && performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    const level = Math.abs(aheadMs) > clockOffMaxMs ? 'error' : 'warn';
    log[level]({ event: 'clock-off', aheadMs: Math.round(aheadMs) }, what);
  };
}
