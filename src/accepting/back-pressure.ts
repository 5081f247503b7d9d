import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { Bulkhead } from '../waiting/bulkhead.ts';
import { failoverMaxMs } from '../waiting/failover.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { Backlogs, BacklogSnapshot } from '../storage/orders/backlog.ts';

export type BackPressure = ReturnType<typeof startBackPressure>;

interface BacklogLimits {
  /** How many orders may wait for a worker before new ones are refused. Those set aside for the operator do not count. */
  readonly backlogMax: number;
  /** The same for one workspace, so that one that floods does not keep out the others. */
  readonly backlogMaxWorkspace: number;
}

/** From the end of a count to the start of the next. */
const countedEveryMs = 1_000;
const snapshotMaxMs = 15_000;
/** How long a snapshot says how many wait of a workspace, while the next one is on its way. */
const snapshotHoldsMs = 3_000;
/** A count that takes longer is as good as none: MongoDB is too busy for more orders. */
const countMaxMs = 2_000;
/** Of how many workspaces a count is remembered. One that creates nothing for {@link failoverMaxMs} is forgotten. */
const workspacesMax = 10_000;
/** Of counts of workspaces: nearly all take milliseconds, and those that hang at a shard leave room to the others. */
const permitsOfCounts = {
  ...{ permits: 16, slowPermits: 16, overflow: 64, slowAfterMs: 200 },
  waiting: { max: workspacesMax, ofKeyMax: 1 },
} as const;
const retryAfterSeconds = 5;

/**
 * Refuses creates before anything is stored while too many orders wait, in all or in a workspace, or while MongoDB does not answer;
 * reads go on. The limit is a number of orders and not their age, which would depend on the clocks of the processes that accepted
 * them.
 * - **In all** they are counted by a snapshot of the whole backlog once a second. One that fails, as it does while a shard is away,
 *   refuses nothing.
 * - **Of a workspace** the snapshot says how many wait. While there is none, those of each workspace that creates are counted once a
 *   second, in the background. An election alone is no reason to refuse, because creates wait it out, a limited number of
 *   them. If no count was answered in time for longer than that wait, its creates are refused at once. So a shard that is away keeps
 *   out its own workspaces alone.
 */
export function startBackPressure(
  { backlogMax, backlogMaxWorkspace }: BacklogLimits,
  backlog: Pick<Backlogs, 'snapshot' | 'countOf'>,
  log: Logger,
) {
  const inAll = new WaitingOrders();
  let lastSnapshot: BacklogSnapshot | undefined;
  let snapshotAt = -Infinity;
  const permits = new Bulkhead(permitsOfCounts);
  const workspaces = new LRUCache<string, OfWorkspace>({
    max: workspacesMax,
    ttl: failoverMaxMs,
    ttlResolution: 0,
    updateAgeOnGet: true,
    perf: performance,
    memoMethod: (workspaceId) => ({
      waiting: new WaitingOrders(lastSnapshot?.byWorkspace.get(workspaceId)),
      countedAt: -Infinity,
      unansweredSince: Infinity,
    }),
  });

  /** Counts the orders of a workspace, if it is time. */
  async function count(workspaceId: string, own: OfWorkspace): Promise<void> {
    if (performance.now() < own.countedAt + countedEveryMs) return;
    own.countedAt = Infinity;
    const counted = own.waiting.beginCount();
    const counting = permits.run(workspaceId, async () => {
      const startedAt = performance.now();
      own.unansweredSince = Math.min(own.unansweredSince, startedAt);
      counted(await backlog.countOf(workspaceId, backlogMaxWorkspace + 1));
      if (performance.now() - startedAt <= countMaxMs) own.unansweredSince = Infinity;
    });
    await counting.catch(() => undefined);
    own.countedAt = performance.now();
  }

  /** Counts the orders of all workspaces. */
  async function countAll(): Promise<void> {
    const counted = inAll.beginCount();
    const ofEach = [...workspaces].map(([workspaceId, own]) => ({
      workspaceId,
      own,
      counted: own.waiting.beginCount(),
    }));
    const limits = { countMax: backlogMax, perWorkspaceMax: backlogMaxWorkspace };
    const snapshot = backlog.snapshot(limits);
    lastSnapshot = await snapshot.catch(() => undefined);
    snapshotAt = lastSnapshot === undefined ? -Infinity : performance.now();
    const { waiting, byWorkspace } = await snapshot;
    counted(waiting);
    for (const { workspaceId, own, counted: countedOwn } of ofEach) {
      const ofOwn = byWorkspace.get(workspaceId);
      // It ends as soon as more wait than may, so it has not come to all.
      if (ofOwn !== undefined || waiting <= backlogMax) countedOwn(ofOwn ?? 0);
      own.unansweredSince = Infinity;
    }
  }

  function refusalOf({ waiting, unansweredSince }: OfWorkspace) {
    if (performance.now() - unansweredSince > failoverMaxMs) return 'UNAVAILABLE';
    if (lastSnapshot !== undefined && inAll.number > backlogMax) return 'BACKLOG_FULL';
    return waiting.number > backlogMaxWorkspace ? 'WORKSPACE_BACKLOG_FULL' : undefined;
  }

  const rounds = startRounds({
    everyMs: countedEveryMs,
    roundMaxMs: snapshotMaxMs,
    round: countAll,
    logged: { log, what: 'counting the orders that wait' },
  });

  return {
    /** Resolves once the first snapshot was taken, even if that failed. */
    firstSnapshot: rounds.first,
    /**
     * @param orders how many a batch brings to the workers. They count from now on, and not only once they are counted, so that
     * batches pass a limit by the size of one at the most, as far as this process takes them. Of creates one by one, which a
     * process takes by the thousand in a second, nearly all are posted before the next count.
     * @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL while new orders should not be taken.
     */
    check: (workspaceId: string, orders = 0): void => {
      const own = workspaces.memo(workspaceId);
      const refusal = refusalOf(own);
      if (performance.now() - snapshotAt > snapshotHoldsMs) void count(workspaceId, own);
      if (refusal === 'WORKSPACE_BACKLOG_FULL')
        log.warn({ workspaceId, waiting: own.waiting.number }, 'refusing orders of a workspace: too many wait');
      if (refusal !== undefined) throw new ServiceError(refusal, { retryAfterSeconds, ...causes[refusal] });
      for (const waiting of [own.waiting, inAll]) waiting.admit(orders);
    },
    /** Undefined if it failed. */
    lastSnapshot: () => lastSnapshot,
    close: () => rounds.close(),
  };
}

const causes = {
  UNAVAILABLE: {
    cause: new Error('the orders that wait could not be counted for too long'),
    server: 'mongodb',
  },
  BACKLOG_FULL: {},
  WORKSPACE_BACKLOG_FULL: {},
} as const;

interface OfWorkspace {
  readonly waiting: WaitingOrders;
  /** When they were counted last; Infinity during a count. */
  countedAt: number;
  /** Since when no count was answered in time; Infinity if the last one was. */
  unansweredSince: number;
}

/** How many orders wait: as many as were counted last, and those admitted since that count began, which it may have missed. */
class WaitingOrders {
  #counted: number;
  #admitted = 0;
  #admittedBefore = 0;
  #begun = 0;
  #countBegun = 0;

  constructor(counted = 0) {
    this.#counted = counted;
  }

  get number(): number {
    return this.#counted + this.#admitted - this.#admittedBefore;
  }

  admit(orders: number): void {
    this.#admitted += orders;
  }

  /** @returns what is to be told how many were counted. */
  beginCount(): (counted: number) => void {
    const admittedBefore = this.#admitted;
    this.#begun += 1;
    const begun = this.#begun;
    return (counted) => {
      // One that began later has ended before, and knows better.
      if (begun < this.#countBegun) return;
      this.#countBegun = begun;
      this.#counted = counted;
      this.#admittedBefore = admittedBefore;
    };
  }
}
