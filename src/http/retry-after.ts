import type { ServerName, ServiceError } from '../errors.ts';

/** The longest wait that is told while a server is away. With a longer one, clients would come back long after the server did. */
const maxSeconds = 15;
/** Of an outage's length, the part that is told as the wait. */
const partOfOutage = 1 / 4;
/** An outage is over once nothing has failed for so long: longer than a client that heeds the wait stays away. */
const quietMs = 20_000;

/**
 * What `Retry-After` says. While a server is away the wait grows with the outage, and is drawn at random from the upper half of
 * what it has grown to: so clients do not ask every second for as long as it lasts, and do not come back all at once.
 * @param nowMs monotonic, in milliseconds.
 * @returns seconds; undefined if the failure has no such header.
 */
export function createRetryAfter(nowMs = () => performance.now()): (error: ServiceError) => number | undefined {
  const outages = new Map<ServerName, { readonly beganMs: number; readonly failedMs: number }>();
  return ({ server, retryAfterSeconds }) => {
    if (server === undefined || retryAfterSeconds === undefined) return retryAfterSeconds;
    const failedMs = nowMs();
    const last = outages.get(server);
    const beganMs = last !== undefined && failedMs - last.failedMs < quietMs ? last.beganMs : failedMs;
    outages.set(server, { beganMs, failedMs });
    const grown = Math.min(maxSeconds, ((failedMs - beganMs) / 1_000) * partOfOutage);
    return Math.max(retryAfterSeconds, Math.ceil(grown * (0.5 + Math.random() / 2)));
  };
}
