import type { Db } from 'mongodb';
import { aheadOf, systemClock, type CorrectedClock, type ServerTime } from '../../clock.ts';
import type { Logger } from '../../log.ts';

/** Further off, a clock is warned of. */
const toleranceMs = 1_000;
/** Further off, a clock is an alarm, and the command line changes nothing. The tolerance of a signed timestamp. */
export const clockOffMaxMs = 60_000;
const toldEveryMs = 60_000;

/**
 * MongoDB's time (the primary's or the mongos's), as of now. The server reads its clock at an unknown moment between question
 * and answer. That is the doubt, so that a slow network never makes a right clock look wrong. Source: MongoDB manual,
 * "isMaster", `localTime`.
 * @throws the driver's error if MongoDB does not answer.
 */
export async function readServerTime(db: Db): Promise<ServerTime> {
  const askedAt = performance.now();
  const { localTime } = (await db.command({ isMaster: 1 })) as { localTime: Date };
  const doubtMs = (performance.now() - askedAt) / 2;
  return { serverMs: localTime.getTime() + doubtMs, doubtMs };
}

/**
 * Corrects a clock by MongoDB's.
 * @returns how far this machine's own clock is ahead of MongoDB's, at least; negative if it is behind.
 * @throws the driver's error if MongoDB does not answer.
 */
export async function correctClock(db: Db, clock: CorrectedClock): Promise<number> {
  const time = await readServerTime(db);
  clock.correct(time);
  return aheadOf(time, systemClock().getTime());
}

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
