import type { Db } from 'mongodb';
import type { Logger } from '../log.ts';

/** Ids, signed timestamps and the overlaps of secrets depend on clocks. They tolerate a difference of this much. */
const toleranceMs = 1_000;
const toldEveryMs = 60_000;

/**
 * How far this process's clock is ahead of MongoDB's (the primary's or the mongos's); negative if it is behind. The server
 * reads its clock at an unknown moment between question and answer. That uncertainty is subtracted, so that a slow network
 * never makes a right clock look wrong. Source: MongoDB manual, "isMaster", `localTime`.
 * @throws the driver's error if MongoDB does not answer.
 */
export async function readClockAheadMs(db: Db): Promise<number> {
  const askedAt = performance.now();
  const { localTime } = (await db.command({ isMaster: 1 })) as { localTime: Date };
  const doubtMs = (performance.now() - askedAt) / 2;
  const aheadMs = Date.now() - doubtMs - localTime.getTime();
  return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - doubtMs);
}

/** A sentence about a clock that is off by more than a second; undefined if it is right. */
export function describeClock(aheadMs: number): string | undefined {
  if (Math.abs(aheadMs) <= toleranceMs) return undefined;
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  return `the clock of this process is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} MongoDB's`;
}

/** Warns of a clock that is off, at once and then once a minute while it is, and says when it is right again. */
export function createClockWarning(log: Logger): (aheadMs: number) => void {
  let toldAt: number | undefined;
  return (aheadMs) => {
    const what = describeClock(aheadMs);
    if (what === undefined) {
      if (toldAt !== undefined) log.info("the clock of this process agrees with MongoDB's again");
      toldAt = undefined;
      return;
    }
    if (toldAt !== undefined && performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    log.warn({ event: 'clock-off', aheadMs: Math.round(aheadMs) }, what);
  };
}
