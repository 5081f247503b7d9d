/*
 * A process's clock is corrected by MongoDB's every few seconds. It is sure between corrections; from when the machine slept, or
 * its clock was set, until the next correction it is lost, and nothing is dated by it.
 */

/** What time it is. Where a time is stored, signed, compared with another process's or shown, it is asked of one of these. */
export type Clock = () => Date;

/** This machine's own clock, uncorrected: for what only this process sees, and for tests and tools. */
export const systemClock: Clock = () => new Date();

/** The time of a server, as of now. */
export interface ServerTime {
  readonly serverMs: number;
  /** The server's clock may be off from `serverMs` by this much, either way: half of the round trip. */
  readonly doubtMs: number;
}

/** The clock is lost: see {@link CorrectedClock}. It is corrected within seconds, if MongoDB answers. */
export class ClockLostError extends Error {
  override readonly name = 'ClockLostError';
}

export interface CorrectedClock {
  readonly now: Clock;
  /**
   * As `now`, for what is recorded. It throws a ClockLostError while the clock is lost: monotonic time may not count sleep, so that
   * orders would be dated in a past whose figures were told as final.
   */
  readonly dating: Clock;
  /** Moves the clock towards the server's, by no more than the measurement tells for sure. */
  readonly correct: (time: ServerTime) => void;
}

/** Wide enough for a clock that is a day off. Further off, the machine and the server cannot both be believed in the least. */
export const correctionMaxMs = 36 * 3_600_000;
/** Further off, a clock is warned of, and is a problem for the operator. */
export const clockToleranceMs = 1_000;
/** Further off, a clock is an error in the log, and the command line changes nothing. The tolerance of a signed timestamp. */
export const clockOffMaxMs = 60_000;

/** How far `nowMs` is ahead of a server's clock, at least; negative if it is behind, 0 if the doubt explains the difference. */
export function aheadOf({ serverMs, doubtMs }: ServerTime, nowMs: number): number {
  const aheadMs = nowMs - serverMs;
  return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - doubtMs);
}

/**
 * A clock that is corrected by a server's. Between corrections it runs by the monotonic clock, so that it does not follow when
 * the machine's clock is set. A correction moves it to the nearest time that the measurement allows, so a slow answer moves
 * it little or not at all, and by at most {@link correctionMaxMs} from the machine's clock. It may move it back: ids still
 * increase (domain/ids.ts).
 */
export function createClock(systemMs = () => Date.now(), monotonicMs = () => performance.now()): CorrectedClock {
  let baseMs = systemMs() - monotonicMs();
  /** How far the machine's clock and the monotonic one were apart when this clock was last known to be right. */
  let apartMs = baseMs;
  return {
    now: () => new Date(baseMs + monotonicMs()),
    dating() {
      const passedMs = monotonicMs();
      if (Math.abs(systemMs() - passedMs - apartMs) > clockToleranceMs)
        throw new ClockLostError(
          'this machine slept, or its clock was set: nothing is dated until MongoDB has told its time',
        );
      return new Date(baseMs + passedMs);
    },
    correct(time) {
      const passedMs = monotonicMs();
      const ownMs = systemMs() - passedMs;
      const correctedMs = baseMs - aheadOf(time, baseMs + passedMs);
      baseMs = Math.min(ownMs + correctionMaxMs, Math.max(ownMs - correctionMaxMs, correctedMs));
      if (time.doubtMs <= clockToleranceMs) apartMs = ownMs;
    },
  };
}

/** A sentence about a clock that is off by more than a second; undefined if it is right. */
export function describeClock(aheadMs: number): string | undefined {
  if (Math.abs(aheadMs) <= clockToleranceMs) return undefined;
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  return `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} MongoDB's`;
}

/**
 * By what clock a workspace goes: the process's own, at no cost, or that of a test workspace, as it stands when this is called. A
 * promise only where that has to be read. Ask again for each operation: such a clock may be put forward meanwhile.
 */
export type ClockOf = (workspaceId: string) => Clock | Promise<Clock>;

/** All workspaces by this machine's clock: for tests and tools. */
export const systemClockOf: ClockOf = () => systemClock;
