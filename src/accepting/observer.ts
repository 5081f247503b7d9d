/** What accepting reports, for the operator. */
export interface AcceptObserver {
  /** @param recorded how many of the batch's orders are new. The bizId or signed request of the others is known. */
  batchRecorded(size: number, recorded: number, durationMs: number): void;
  enqueueFailed(): void;
}
