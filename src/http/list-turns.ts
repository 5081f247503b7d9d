import { ServiceError } from '../errors.ts';
import { createPlaces, type PlaceLimits } from '../waiting/places.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import { createTurns, type TurnLimits } from '../waiting/turns.ts';

export interface ListTurnLimits {
  /** How many lists this process reads at once. They have connections for all commands that so many lists send. */
  readonly reading: TurnLimits;
  /** How many more may wait for their turn. */
  readonly waiting: PlaceLimits;
}

/** A page that is asked for. */
interface Asked {
  readonly workspaceId: string;
  /** Milliseconds until the client is answered that it took too long. */
  readonly timeLeftMs: () => number;
  /** Names the page. Requests for the same page of a workspace share its reading until that begins. */
  readonly page: string;
}

/** Reads a list. @param timeLeftMs of the last request that shares the reading. */
type Read<T> = (timeLeftMs: Asked['timeLeftMs']) => Promise<T>;

export type ListTurns = <T>(asked: Asked, read: Read<T>) => Promise<T>;

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

/** A page that waits for its turn. All requests for it until then share it. */
interface Waiting {
  readonly reading: Promise<unknown>;
  /** The time left of the last request that shares it. */
  timeLeftMs: () => number;
}

/**
 * Limits how many lists are read at once, in the process and of one workspace, whatever its keys. Further ones wait for their
 * turn; workspaces are served round robin (src/waiting/turns.ts). Requests for a page that waits share its reading. A turn lasts
 * until the reading ends, through an election too, and even if the client has been answered or is gone meanwhile.
 * @returns a function that reads when its turn comes. It throws what `read` throws, and ServiceError TOO_MANY_LISTS: at once
 * if too many wait already, or later if the turn comes too late to answer in time, or the place of one that waits goes to a
 * workspace that has fewer (src/waiting/places.ts).
 */
export function createListTurns(throughFailover: ThroughFailover, limits: ListTurnLimits = defaultLimits): ListTurns {
  const turns = createTurns(limits.reading);
  const places = createPlaces(limits.waiting);
  /** The pages that wait, by {@link nameOf}. */
  const waiting = new Map<string, Waiting>();

  async function readInTurn<T>(asked: Asked, read: Read<T>): Promise<T> {
    const { workspaceId, timeLeftMs } = asked;
    const name = nameOf(asked);
    const { promise: reading, resolve, reject } = Promise.withResolvers<T>();
    const entry: Waiting = { reading, timeLeftMs };
    let withdraw = (): void => undefined;
    // A request that comes after the reading began may know of a change that the reading misses.
    const endWaiting = (): void => {
      if (waiting.get(name) === entry) waiting.delete(name);
    };
    const leave = places.take(workspaceId, () => {
      withdraw();
      endWaiting();
      reject(tooMany());
    });
    if (leave === undefined) throw tooMany();
    waiting.set(name, entry);
    const readInTime = async (leftMs: () => number): Promise<T> => {
      if (leftMs() < readMinMs) throw tooMany();
      return read(leftMs);
    };
    withdraw = turns.enter(workspaceId, (end) => {
      leave();
      endWaiting();
      void throughFailover(workspaceId, readInTime, () => entry.timeLeftMs())
        .finally(end)
        .then(resolve, reject);
    });
    return reading;
  }

  return async (asked, read) => {
    const shared = waiting.get(nameOf(asked));
    if (shared === undefined) return readInTurn(asked, read);
    shared.timeLeftMs = asked.timeLeftMs;
    return (await shared.reading) as Awaited<ReturnType<typeof read>>;
  };
}

function nameOf({ workspaceId, page }: Asked): string {
  return `${workspaceId} ${page}`;
}

function tooMany(): ServiceError {
  return new ServiceError('TOO_MANY_LISTS', { retryAfterSeconds });
}
