/** What the service waits at most. */
export const waitSecondsMax = 10;
/** Between a try's time-out and the end of the wait that is asked for in it. */
const answerMarginMs = 5_000;

/** Asks the service to wait for the ends of orders, for less than a try may take. @param timeoutMs of one try. */
export function waitHeader(waitSeconds: number, timeoutMs: number): Record<string, string> {
  const longest = Math.min(waitSeconds, (timeoutMs - answerMarginMs) / 1000, waitSecondsMax);
  return longest < 1 ? {} : { Prefer: `wait=${Math.floor(longest)}` };
}
