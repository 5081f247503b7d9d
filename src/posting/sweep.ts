import type { Clock } from '../clock.ts';
import { idPrefixes, isTestWorkspace, leastIdAt } from '../domain/ids.ts';
import type { Logger } from '../log.ts';
import type { PostingQueue } from '../queue/posting-queue.ts';
import { createPerWorkspace, perWorkspaceMaxMs } from '../scheduling/per-workspace.ts';
import type { Collections } from '../storage/collections.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { startSingleton, type LeaseCandidate } from '../waiting/singleton.ts';

interface SweepSources {
  readonly collections: Pick<Collections, 'backlog' | 'workspaces'>;
  /** Whether MongoDB is a cluster, of which one shard may be away and the others not. */
  readonly isSharded: boolean;
  readonly queue: Pick<PostingQueue, 'wake'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Only the holder of this lease sweeps. */
export const sweeperLease = 'sweeper';
const usualRoundEveryMs = 1_000;
const roundMaxMs = 10_000;
/** Younger orders are left to those who made them. */
const ageMinMs = 5_000;
const pageSize = batchLimits.sizeMax;
const pagesPerRoundMax = 80;

/**
 * Wakes the workspaces of orders that have been PENDING for a while, because whoever was to wake them died, or Redis forgot.
 * To wake one that waits anyway costs next to nothing. One process sweeps at a time, by a lease; when it dies, or its sweeping
 * fails, another takes over within seconds. A workspace costs a page of index keys at the most.
 *
 * On a cluster, a shard that is away keeps it from going through all workspaces at once. Then it takes them one by one, and
 * skips those whose shard does not answer.
 */
export function startSweeper(sources: SweepSources, candidate: LeaseCandidate, roundEveryMs = usualRoundEveryMs) {
  const job = { lease: sweeperLease, what: 'sweeping', everyMs: roundEveryMs, workMaxMs: roundMaxMs };
  return startSingleton(job, candidate, createSweep(sources), sources.log);
}

function createSweep({ collections, isSharded, queue, clock }: SweepSources): () => Promise<void> {
  const { backlog, workspaces } = collections;
  const perWorkspace = createPerWorkspace(workspaces, isSharded);
  /** The workspace behind which the next round goes on; '' to begin anew. */
  let behind = '';

  return async () => {
    const before = leastIdAt('order', new Date(clock().getTime() - ageMinMs));

    /** Those of test workspaces whatever their age, which is not by this clock. */
    const waitingBehind = (place: string): ReturnType<typeof backlog.waitingBehind> =>
      place < idPrefixes.workspace
        ? backlog.waitingBehind({ $gt: place, $lt: idPrefixes.workspace }, pageSize)
        : backlog.waitingBehind({ $gt: place }, pageSize, before);

    async function sweepAll(): Promise<void> {
      for (let pages = 0; pages < pagesPerRoundMax; pages += 1) {
        const page = await waitingBehind(behind);
        await queue.wake(page);
        const isOver = page.length < pageSize;
        if (isOver && behind >= idPrefixes.workspace) {
          behind = '';
          return;
        }
        behind = isOver ? idPrefixes.workspace : (page.at(-1)?.workspaceId ?? '');
      }
    }

    const oldestOf = (workspaceId: string) =>
      backlog.oldestBefore(workspaceId, isTestWorkspace(workspaceId) ? undefined : before, perWorkspaceMaxMs);
    await perWorkspace(sweepAll, oldestOf, (oldest) => queue.wake(oldest));
  };
}
