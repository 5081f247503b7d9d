import type { Latency } from './latency.ts';
import type { PatternName, WalletCounts } from './patterns.ts';
import type { ReadKind } from './read-kinds.ts';
import type { Credentials } from './requests.ts';

export interface Batch {
  readonly lines: number;
  readonly isAtomic: boolean;
}

/** What the generator is told. */
export interface LoadOrder {
  readonly kind: 'create' | 'read';
  /** Creates that come in one request; undefined: each is a request of its own. */
  readonly batch?: Batch;
  /** Legs of each order; undefined: each is a transfer. */
  readonly legs?: number;
  readonly port: number;
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Whether each create is answered only once its order has ended (`Prefer: wait`). */
  readonly awaitsEnd?: boolean;
  /** Requests on their way at once; a send that finds none free is dropped, and counted. */
  readonly connections: number;
  readonly keys: readonly Credentials[];
  readonly workspaceId: string;
  readonly walletIds: readonly string[];
  readonly wallets: WalletCounts;
  /** Orders to be read. */
  readonly orderIds: readonly string[];
  /** What is read of them, by turns. */
  readonly reads: readonly ReadKind[];
  readonly pattern: PatternName;
  readonly seed: number;
  readonly redisUrl: string;
  /** Where posted orders are named; absent where nobody waits for that. */
  readonly noticeChannel?: string;
}

/** What came of it. */
export interface LoadResult {
  readonly sent: number;
  readonly dropped: number;
  readonly unanswered: number;
  /** Creates that were to be answered once their orders had ended, and were answered before. */
  readonly answeredTooSoon: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Of the bodies of all answers with status 200. */
  readonly bytes: number;
  /** Of the creates that were answered 200. */
  readonly acceptedIds: readonly string[];
  /** The same creates' places in the schedule, and so in the pattern. */
  readonly acceptedIndexes: readonly number[];
  /** From the first due time to the last answer. */
  readonly answerSeconds: number;
  /** From the first due time to the last notice. */
  readonly terminalSeconds: number;
  readonly answerLatency?: Latency;
  readonly terminalLatency?: Latency;
}
