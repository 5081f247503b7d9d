import type { Latency } from '../load/latency.ts';
import type { RoundTrips } from '../profile/round-trips.ts';

/** What one measurement found; only made for work that was checked and found right. */
export interface Measured {
  /** Orders or requests that were done. */
  readonly done: number;
  /** Orders that it left in the books, those of its warm-up included. */
  readonly recorded: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Orders or requests on their way at once; undefined: all of them wait from the start. */
  readonly inFlight?: number;
  readonly terms?: Terms;
  /** Sends that found every connection busy, and were not made. */
  readonly dropped?: number;
  /** Requests that were answered with 429 or 503. */
  readonly refused?: number;
  /** Creates whose answer never came, those of the warm-up included: their orders may or may not have been recorded. */
  readonly unanswered?: number;
  /** From the moment a request was due to its answer. */
  readonly answerLatency?: Latency;
  /** From the moment a create was due to the notice that its order is COMPLETED or FAILED. */
  readonly terminalLatency?: Latency;
  readonly groups?: GroupFigures;
  /** How it was measured, where that is not the same for every run. */
  readonly note?: string;
  /** What only this kind of measurement finds, by name. */
  readonly figures?: Readonly<Record<string, number>>;
  /** Orders a second, a quarter of a second apart. */
  readonly rates?: readonly number[];
  readonly mongodb?: MongodbCost;
  readonly roundTrips?: RoundTrips;
  /** CPU time in microseconds for each of what was done, by process. */
  readonly cpuMicros: Readonly<Record<string, number>>;
}

/** On what terms something is done, for those who compare it with something else. */
export interface Terms {
  /** Whether nobody pays what is not there. */
  readonly checksBalance: boolean;
  /** What holds of an order that is said to have ended. */
  readonly durability: string;
  /** Whether requests come over HTTP, each signed and used once. */
  readonly isSigned: boolean;
}

/** What each of what was done cost MongoDB. */
export interface MongodbCost {
  readonly commands: number;
  /** Documents answered. */
  readonly read: number;
  /** Documents inserted, or matched by updates. */
  readonly written: number;
  /** Index keys inserted and removed. */
  readonly indexEntries: number;
  /** Of the commands and their answers, as BSON. */
  readonly bytes: number;
  /** Of the answer's body; absent where nobody is answered. */
  readonly answerBytes?: number;
}

export interface GroupFigures {
  readonly meanSize: number;
  readonly maxSize: number;
  /** Runs of a posting transaction beyond its first, for each group. */
  readonly conflictsPerGroup: number;
  /** Commands to MongoDB for each order. */
  readonly roundTripsPerOrder: number;
}

const microsPerSecond = 1_000_000;

export function cpuMicrosEach(seconds: Readonly<Record<string, number>>, done: number): Record<string, number> {
  return Object.fromEntries(Object.entries(seconds).map(([name, used]) => [name, (used * microsPerSecond) / done]));
}
