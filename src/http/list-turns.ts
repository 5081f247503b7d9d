import pLimit, { type LimitFunction } from 'p-limit';
import { ServiceError } from '../errors.ts';
import type { ThroughFailover } from '../storage/failover.ts';

export interface ListTurnLimits {
  /** Lists read at once in this process; as many connections are theirs. */
  readonly readingMax: number;
  /** Of those, lists of one workspace. */
  readonly readingOfWorkspaceMax: number;
  /** Lists under way in this process, those that wait for their turn included. */
  readonly underWayMax: number;
  /** Of those, lists of one workspace. */
  readonly underWayOfWorkspaceMax: number;
}

interface Turn {
  readonly workspaceId: string;
  /** Milliseconds until whoever asks is told that it took too long. */
  readonly timeLeftMs: () => number;
  /** What is read: who asks for the same page of the same workspace before its reading begins shares it. */
  readonly page: string;
}

export type ListTurns = <T>(turn: Turn, read: () => Promise<T>) => Promise<T>;

/**
 * Few, since a list may cost MongoDB what thousands of single reads do; one workspace leaves most of them to the others. Fewer
 * still would wake this process for each answer: of eight under way several come together.
 */
const defaultLimits: ListTurnLimits = {
  readingMax: 32,
  readingOfWorkspaceMax: 8,
  underWayMax: 512,
  underWayOfWorkspaceMax: 128,
};
/** With less than this left a list is not begun any more. */
const readMinMs = 1_000;
const retryAfterSeconds = 1;

/** A page that waits for its turn, and is shared by all who ask for it until then. */
interface Waiting {
  readonly reading: Promise<unknown>;
  /** Of those who share it, that of who came last. */
  timeLeftMs: () => number;
}

interface OfWorkspace {
  readonly inTurn: LimitFunction;
  readonly waiting: Map<string, Waiting>;
  underWay: number;
}

/**
 * Lets lists be read in turns: so many at once in the process, and so many of one workspace, whatever its keys. Further
 * ones wait, first for their workspace's turn and then for the process's, in the order in which they came; who asks for a
 * page that waits shares its reading. A turn lasts until the reading ends, also where its client has been answered or is
 * gone meanwhile; through an election as well.
 * @returns a function that reads when it is its turn, and throws what `read` throws; ServiceError TOO_MANY_LISTS at once
 * where too many wait already, and when its turn comes too late to be answered in time.
 */
export function createListTurns(throughFailover: ThroughFailover, limits: ListTurnLimits = defaultLimits): ListTurns {
  const ofProcess = pLimit(limits.readingMax);
  const workspaces = new Map<string, OfWorkspace>();
  let underWay = 0;

  function line<T>({ workspaceId, timeLeftMs, page }: Turn, own: OfWorkspace, read: () => Promise<T>): Promise<T> {
    underWay += 1;
    own.underWay += 1;
    // Who asks once it is read may have been told of something that the reading misses.
    const endSharing = (): void => {
      if (own.waiting.get(page) === entry) own.waiting.delete(page);
    };
    const readInTime = (): Promise<T> => {
      endSharing();
      if (entry.timeLeftMs() < readMinMs) throw tooMany();
      return read();
    };
    const reading = own
      .inTurn(() => ofProcess(() => throughFailover(readInTime, timeLeftMs)))
      .finally(() => {
        endSharing();
        underWay -= 1;
        own.underWay -= 1;
        if (own.underWay === 0) workspaces.delete(workspaceId);
      });
    const entry: Waiting = { reading, timeLeftMs };
    own.waiting.set(page, entry);
    return reading;
  }

  return async (turn, read) => {
    const { workspaceId, page } = turn;
    const own = workspaces.get(workspaceId) ?? {
      ...{ inTurn: pLimit(limits.readingOfWorkspaceMax), waiting: new Map<string, Waiting>(), underWay: 0 },
    };
    const shared = own.waiting.get(page);
    if (shared !== undefined) {
      shared.timeLeftMs = turn.timeLeftMs;
      return (await shared.reading) as Awaited<ReturnType<typeof read>>;
    }
    if (underWay >= limits.underWayMax || own.underWay >= limits.underWayOfWorkspaceMax) throw tooMany();
    workspaces.set(workspaceId, own);
    return line(turn, own, read);
  };
}

function tooMany(): ServiceError {
  return new ServiceError('TOO_MANY_LISTS', { retryAfterSeconds });
}
