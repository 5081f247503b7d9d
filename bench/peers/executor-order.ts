import type { PatternName } from '../load/patterns.ts';
import type { SessionProgram } from './session.ts';

/** What the process that posts batches is told. */
export interface ExecutorOrder {
  readonly psql: SessionProgram;
  readonly pattern: PatternName;
  readonly wallets: number;
  /** Transfers that wait or are posted at any time: each caller sends its next one when it has its answer. */
  readonly inFlight: number;
  /** Connections, each with one batch at a time. */
  readonly executors: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly seed: number;
}
