import { ServiceError } from '../errors.ts';
import { createPlaces, type PlaceLimits } from '../waiting/places.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import { createTurns, type TurnLimits } from '../waiting/turns.ts';
import type { ApiRequest } from './routes.ts';

export interface ListTurnLimits {
  /** How many lists this process reads at once. They have connections for all commands that so many lists send. */
  readonly reading: TurnLimits;
  /** How many more may wait for their turn. */
  readonly waiting: PlaceLimits;
}

/** Who asks for a list. */
type Asking = Pick<ApiRequest, 'workspaceId' | 'timeLeftMs'>;
/** Reads a list in the time that is left. */
type Read<T> = (timeLeftMs: ApiRequest['timeLeftMs']) => Promise<T>;

export type ListTurns = <T>(asking: Asking, read: Read<T>) => Promise<T>;

/**
 * Few, because a list may cost MongoDB as much as thousands of single reads. Eight of one workspace, because several answers
 * then arrive together; with fewer, each one would wake this process.
 */
const defaultLimits: ListTurnLimits = {
  reading: { max: 16, slowMax: 16, ofOneMax: 8 },
  waiting: { max: 480, ofOneMax: 120 },
};
/** With less time left than this, a list is not begun. */
const readMinMs = 1_000;
const retryAfterSeconds = 1;

/**
 * Limits how many lists are read at once, in the process and of one workspace, whatever its keys. Further ones wait for their
 * turn; workspaces are served round robin (src/waiting/turns.ts). A turn lasts until the reading ends, through an election too, and even
 * if the client has been answered or is gone meanwhile.
 * @returns a function that reads when its turn comes. It throws what `read` throws, and ServiceError TOO_MANY_LISTS: at once
 * if too many wait already, or later if the turn comes too late to answer in time, or the place of one that waits goes to a
 * workspace that has fewer (src/waiting/places.ts).
 */
export function createListTurns(throughFailover: ThroughFailover, limits: ListTurnLimits = defaultLimits): ListTurns {
  const turns = createTurns(limits.reading);
  const places = createPlaces(limits.waiting);

  return async <T>({ workspaceId, timeLeftMs }: Asking, read: Read<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let withdraw = (): void => undefined;
    const leave = places.take(workspaceId, () => {
      withdraw();
      reject(tooMany());
    });
    if (leave === undefined) throw tooMany();
    const readInTime = async (leftMs: () => number): Promise<T> => {
      if (leftMs() < readMinMs) throw tooMany();
      return read(leftMs);
    };
    withdraw = turns.enter(workspaceId, (end) => {
      leave();
      void throughFailover(workspaceId, readInTime, timeLeftMs).finally(end).then(resolve, reject);
    });
    return promise;
  };
}

function tooMany(): ServiceError {
  return new ServiceError('TOO_MANY_LISTS', { retryAfterSeconds });
}
