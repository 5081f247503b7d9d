/** How long an event is tried, and how long an endpoint may fail. */
export const eventTriedMs = 3 * 24 * 3_600_000;
/** How often it is tried at least, over about an hour and a half: its endpoint may have been disabled for those days. */
export const eventAttemptsMin = 8;
export const endpointFailsMaxMs = 24 * 3_600_000;

const eventFirstMs = 5_000;
const eventFactor = 3;
const eventPauseMaxMs = 8 * 3_600_000;
const endpointFirstMs = 1_000;
const endpointFactor = 2;
const endpointPauseMaxMs = 600_000;
/** Up to a fifth earlier or later, so that events that failed together are not tried together. */
const jitter = 0.2;

interface PauseOptions {
  /** What the receiver asked for. */
  readonly atLeastMs?: number;
  readonly random?: () => number;
}

/** The time until an event is tried again: 5 s, 15 s, 45 s … 8 h. @param attempts so far, at least 1. */
export function eventPauseMs(attempts: number, options: PauseOptions = {}): number {
  return pause(eventFirstMs * eventFactor ** (attempts - 1), eventPauseMaxMs, options);
}

/** The time until an endpoint that fails is sent anything: 1 s, 2 s, 4 s … 10 min. @param failures in a row, at least 1. */
export function endpointPauseMs(failures: number, options: PauseOptions = {}): number {
  return pause(endpointFirstMs * endpointFactor ** (failures - 1), endpointPauseMaxMs, options);
}

function pause(ms: number, maxMs: number, { atLeastMs = 0, random = Math.random }: PauseOptions): number {
  return Math.max(Math.min(ms, maxMs) * (1 + jitter * (2 * random() - 1)), atLeastMs);
}
