import pLimit, { type LimitFunction } from 'p-limit';
import { ServiceError } from '../errors.ts';
import type { ThroughFailover } from '../storage/failover.ts';

export interface ListTurnLimits {
  /** How many lists this process reads at once. They have connections for all commands that so many lists send. */
  readonly readingMax: number;
  /** How many of those may be of one workspace. */
  readonly readingOfWorkspaceMax: number;
  /** How many lists may be under way in this process, including those that wait for their turn. */
  readonly underWayMax: number;
  /** How many of those may be of one workspace. */
  readonly underWayOfWorkspaceMax: number;
}

interface Turn {
  readonly workspaceId: string;
  /** Milliseconds until the client is told that it took too long. */
  readonly timeLeftMs: () => number;
  /** Names what is read. Requests for the same page of a workspace share its reading until that begins. */
  readonly page: string;
}

/** Reads a list. @param timeLeftMs of the last request that shares the reading. */
type Read<T> = (timeLeftMs: Turn['timeLeftMs']) => Promise<T>;

export type ListTurns = <T>(turn: Turn, read: Read<T>) => Promise<T>;

/**
 * Few, because a list may cost MongoDB as much as thousands of single reads. One workspace leaves most of them to others.
 * Eight, because several answers then arrive together; with fewer, each one would wake this process.
 */
const defaultLimits: ListTurnLimits = {
  readingMax: 32,
  readingOfWorkspaceMax: 8,
  underWayMax: 512,
  underWayOfWorkspaceMax: 128,
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

interface OfWorkspace {
  readonly inTurn: LimitFunction;
  readonly waiting: Map<string, Waiting>;
  underWay: number;
}

/**
 * Limits how many lists are read at once, in the process and of one workspace, whatever its keys. Further ones wait in the
 * order in which they came, first for a turn of their workspace, and then for one of the process. Requests for a page that
 * waits share its reading. A turn lasts until the reading ends, through an election too, and even if the client has been
 * answered or is gone meanwhile.
 * @returns a function that reads when its turn comes. It throws what `read` throws, and ServiceError TOO_MANY_LISTS: at once
 * if too many wait already, or later if the turn comes too late to answer in time.
 */
export function createListTurns(throughFailover: ThroughFailover, limits: ListTurnLimits = defaultLimits): ListTurns {
  const ofProcess = pLimit(limits.readingMax);
  const workspaces = new Map<string, OfWorkspace>();
  let underWay = 0;

  function line<T>({ workspaceId, timeLeftMs, page }: Turn, own: OfWorkspace, read: Read<T>): Promise<T> {
    underWay += 1;
    own.underWay += 1;
    // A request that comes after the reading began may know of a change that the reading misses.
    const endSharing = (): void => {
      if (own.waiting.get(page) === entry) own.waiting.delete(page);
    };
    const leftMs = (): number => entry.timeLeftMs();
    const readInTime = (): Promise<T> => {
      endSharing();
      if (leftMs() < readMinMs) throw tooMany();
      return read(leftMs);
    };
    const reading = own
      .inTurn(() => ofProcess(() => throughFailover(readInTime, leftMs)))
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
