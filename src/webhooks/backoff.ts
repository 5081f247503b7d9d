/** How long an event is tried, and how long an endpoint may fail. */
export const eventTriedMs = 3 * 24 * 3_600_000;
/** How often it is tried at least, over about an hour and a half: its endpoint may have been disabled for those days. */
export const eventAttemptsMin = 8;
export const endpointFailsMaxMs = 24 * 3_600_000;
/** How often an endpoint with nothing to be sent is checked, in case a job was lost. */
export const idleCheckMs = 60_000;
/** Up to a fifth earlier or later, so that events that failed together are not tried together. */
const jitter = 0.2;

/** The time until an event is tried again: 5 s, 15 s, 45 s … 8 h. @param attempts so far, at least 1. */
export function eventPauseMs(attempts: number): number {
  return jittered(Math.min(5_000 * 3 ** (attempts - 1), 8 * 3_600_000));
}

/** The time until an endpoint that fails is sent anything: 1 s, 2 s, 4 s … 10 min. @param failures in a row, at least 1. */
export function endpointPauseMs(failures: number): number {
  return jittered(Math.min(1_000 * 2 ** (failures - 1), 600_000));
}

function jittered(ms: number): number {
  return ms * (1 + jitter * (2 * Math.random() - 1));
}
