import type { Db } from 'mongodb';
import {
  aheadOf,
  clockOffMaxMs,
  describeClock,
  systemClock,
  type CorrectedClock,
  type ServerTime,
} from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { startRounds, type Rounds } from '../../waiting/rounds.ts';
import { bringUp } from './start.ts';

const correctEveryMs = 2_500;
/** Longer than MongoDB takes to answer, or to fail. */
const correctMaxMs = 18_000;

/**
 * Corrects a process's clock by MongoDB's, for the first time before this resolves, and then again and again.
 * @param onClock told each time how far this machine's own clock is ahead of MongoDB's; undefined if MongoDB did not answer.
 * @throws the signal's reason.
 */
export async function followClock(
  db: Db,
  { clock, onClock }: { readonly clock: CorrectedClock; readonly onClock: (aheadMs: number | undefined) => void },
  log: Logger,
  signal: AbortSignal,
): Promise<Rounds> {
  const warnOfClock = createClockWarning(log);
  const correct = async (): Promise<void> => {
    const aheadMs = await correctClock(db, clock).catch((error: unknown) => {
      onClock(undefined);
      throw error;
    });
    onClock(aheadMs);
    warnOfClock(aheadMs);
  };
  await bringUp(correct, log, signal);
  const logged = { log, what: "asking for MongoDB's time" };
  return startRounds({ everyMs: correctEveryMs, roundMaxMs: correctMaxMs, round: correct, logged });
}

/**
 * MongoDB's time (the primary's or the mongos's), as of now. The server reads its clock at an unknown moment between question
 * and answer. That is the doubt, so that a slow network never makes a right clock look wrong; nor does a machine that slept in
 * between, which only its own clock may tell. Source: MongoDB manual, "isMaster", `localTime`.
 * @throws the driver's error if MongoDB does not answer.
 */
export async function readServerTime(db: Db): Promise<ServerTime> {
  const [askedAt, askedAtMs] = [systemClock().getTime(), performance.now()];
  const { localTime } = (await db.command({ isMaster: 1 })) as { localTime: Date };
  const doubtMs = Math.max(performance.now() - askedAtMs, systemClock().getTime() - askedAt) / 2;
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

/**
 * Warns of a clock each time that it is found off, and says when it is right again. Beyond {@link clockOffMaxMs} it is an error.
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
