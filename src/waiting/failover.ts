import pRetry from 'p-retry';
import { ServiceError, toError } from '../errors.ts';
import { FairShares, type ShareLimits } from './shares.ts';

/**
 * Does a request's work with MongoDB, and repeats it while the servers are at fault. So an election costs the client time,
 * not an error. The work must be safe to repeat.
 * @param workspaceId whose share of the places it takes.
 * @param work is given how long is left: nothing once its caller was told that the service is away.
 * @param leftMs until the request has to be answered. No attempt begins with less than {@link attemptMinMs} left.
 * @throws ServiceError UNAVAILABLE, before the work begins, if as many others are under way as may be; later, if its place
 * went to a workspace that has fewer; otherwise the error of the last attempt.
 */
export type ThroughFailover = <T>(
  workspaceId: string,
  work: (timeLeftMs: () => number) => Promise<T>,
  leftMs: () => number,
) => Promise<T>;

/** From the first failure. Longer than an election usually takes; clients get an error if it takes longer. */
export const failoverMaxMs = 10_000;
/** Time for an attempt to look for a primary, which takes 3 s, and a moment more. With less left, it would end too late to answer. */
export const attemptMinMs = 4_000;
/**
 * Requests that wait for MongoDB in one process, at some 10 kB each. One workspace leaves a quarter to others, so that they
 * seldom have to take a place from it. What is not answered within a second waits for a shard that is away, most likely: its
 * place is there for others.
 */
export const waitingLimits = { max: 2_048, ofKeyMax: 1_536, heldMaxMs: 1_000 } as const;
/** An attempt goes on after its place was lost. While there are this many attempts for each place, nobody gets another's. */
const attemptsPerPlaceMax = 2;
const backoffMinMs = 50;
const backoffMaxMs = 500;

/**
 * One for each process, because all its requests share the places.
 * @param isTransient whether an error is the servers' fault, so that the same work may succeed later.
 */
export function createThroughFailover(
  isTransient: (error: Error) => boolean,
  limits: ShareLimits = waitingLimits,
): ThroughFailover {
  const places = new FairShares(limits);
  let attempting = 0;
  return (workspaceId, work, leftMs) =>
    new Promise((resolve, reject) => {
      let isLost = false;
      const leave =
        attempting >= attemptsPerPlaceMax * limits.max
          ? undefined
          : places.take(workspaceId, () => {
              isLost = true;
              reject(unavailable('its place among those that wait for MongoDB went to another workspace'));
            });
      if (leave === undefined) throw unavailable('as many requests wait for MongoDB as may');
      attempting += 1;
      void attemptAll(work, () => (isLost ? 0 : leftMs()), isTransient)
        .finally(() => {
          attempting -= 1;
          leave();
        })
        .then(resolve, reject);
    });
}

function unavailable(why: string): ServiceError {
  return new ServiceError('UNAVAILABLE', { cause: new Error(why), server: 'mongodb' });
}

/** Nearly all work succeeds at once, and p-retry costs more than that work: so it is asked only after a failure. */
async function attemptAll<T>(
  work: (timeLeftMs: () => number) => Promise<T>,
  leftMs: () => number,
  isTransient: (error: Error) => boolean,
): Promise<T> {
  try {
    return await work(leftMs);
  } catch (cause) {
    const failedAt = performance.now();
    const first = toError(cause);
    return pRetry((attempt) => (attempt === 1 ? Promise.reject(first) : work(leftMs)), {
      retries: Infinity,
      minTimeout: backoffMinMs,
      maxTimeout: backoffMaxMs,
      randomize: true,
      shouldRetry: ({ error }) => {
        const isInTime = performance.now() - failedAt < failoverMaxMs && leftMs() >= attemptMinMs;
        return isInTime && isTransient(error);
      },
    });
  }
}
