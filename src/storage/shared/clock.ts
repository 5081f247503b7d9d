import type { Db } from 'mongodb';
import { aheadOf, systemClock, type CorrectedClock, type ServerTime } from '../../clock.ts';

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
