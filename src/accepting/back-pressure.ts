import pLimit from 'p-limit';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { Backlogs, BacklogSnapshot } from '../storage/orders/backlog.ts';
import { failoverMaxMs } from '../waiting/failover.ts';

export type BackPressure = ReturnType<typeof startBackPressure>;

type Backlog = Pick<Backlogs, 'snapshot' | 'countOf'>;

interface BacklogLimits {
  /** How many orders may wait for a worker before new ones are refused. Those set aside for the operator do not count. */
  readonly backlogMax: number;
  /** The same for one workspace, so that one that floods does not keep out the others. */
  readonly backlogMaxWorkspace: number;
}

const snapshotEveryMs = 1_000;
const roundMaxMs = 15_000;
/** If snapshot after snapshot takes longer, MongoDB is too busy for more orders. */
const latencyMaxMs = 2_000;
const retryAfterSeconds = 5;
/** While a shard is away: how many workspaces are counted individually, how many at once, and for how long each. */
const individualMax = 256;
const individualAtOnce = 32;
const individualMaxMs = 500;
/** In words, for the log. */
const reasons = { UNAVAILABLE: 'MongoDB is away or slow', BACKLOG_FULL: 'too many orders wait' } as const;

type BackPressureReason = keyof typeof reasons | 'WORKSPACE_BACKLOG_FULL';

/**
 * Refuses creates before anything is stored while too many orders wait, in all or in a workspace, or while MongoDB does not answer;
 * reads go on. A workspace counts for no more than its own limit, so that none keeps out the others. The limit is a number of
 * orders and not their age, which would depend on the clocks of the processes that accepted them.
 *
 * It counts in one of two modes:
 * - **Whole**: a snapshot of the backlog once a second. An election alone is no reason to refuse, because creates wait it out, a
 *   limited number of them. If no snapshot was answered for longer than that wait, or all were slow for as long, creates are
 *   refused at once.
 * - **Individual**: on a cluster a snapshot fails if one shard is away. Until one succeeds again, the workspaces that create orders
 *   are counted individually, and only those whose own shard has not answered for so long are refused.
 * @param isSharded whether MongoDB is a cluster, of which one shard may be away and the others not.
 */
export function startBackPressure(limits: BacklogLimits, backlog: Backlog, isSharded: boolean, log: Logger) {
  const { backlogMax, backlogMaxWorkspace } = limits;
  let loggedReason: keyof typeof reasons | undefined;
  let lastSnapshot: BacklogSnapshot | undefined;
  /** What each workspace had waiting, and which had too many, as of the last snapshot that was answered. */
  let answered: Pick<BacklogSnapshot, 'waitingOf' | 'overLimit'> = { waitingOf: new Map(), overLimit: new Map() };
  const admitted = new AdmittedOrders();
  const individual = new IndividualCounts(backlog, backlogMaxWorkspace, admitted);
  let isAwayLogged = false;
  let answeredAt = performance.now();
  /** When the current row of slow snapshots began; Infinity after a fast one. */
  let slowSince = Infinity;

  const isIndividual = (): boolean => isSharded && lastSnapshot === undefined;

  async function count(): Promise<void> {
    const startedAt = performance.now();
    admitted.beginCount();
    lastSnapshot = await backlog
      .snapshot({ countMax: backlogMax, perWorkspaceMax: backlogMaxWorkspace })
      .catch(() => undefined);
    if (lastSnapshot !== undefined) useSnapshot(lastSnapshot, startedAt);
    else if (isSharded) await countIndividually();
  }

  function useSnapshot(snapshot: BacklogSnapshot, startedAt: number): void {
    answeredAt = performance.now();
    slowSince = answeredAt - startedAt <= latencyMaxMs ? Infinity : Math.min(slowSince, startedAt);
    if (isAwayLogged) log.warn({ event: 'recovered' }, 'all shards answer again');
    isAwayLogged = false;
    individual.clear();
    admitted.endCount();
    logOverLimit(answered.overLimit, snapshot.overLimit, log);
    answered = snapshot;
  }

  async function countIndividually(): Promise<void> {
    await individual.count();
    const isOneAway = individual.isOneAway();
    if (isOneAway && !isAwayLogged) log.warn('refusing orders of workspaces whose shard does not answer');
    isAwayLogged = isOneAway;
  }

  /** Why orders of all workspaces are refused. @param uncounted orders of all that no snapshot has counted. */
  function refusalOfAll(uncounted = 0): keyof typeof reasons | undefined {
    if (performance.now() - Math.min(answeredAt, slowSince) > failoverMaxMs) return 'UNAVAILABLE';
    return lastSnapshot !== undefined && lastSnapshot.waiting + uncounted > backlogMax ? 'BACKLOG_FULL' : undefined;
  }

  /** @param uncounted orders that were not counted yet: of all workspaces, and of this one. */
  function refusalOf(workspaceId: string, uncounted = { inAll: 0, own: 0 }): BackPressureReason | undefined {
    const waitingBefore = answered.waitingOf.get(workspaceId) ?? 0;
    const own = isIndividual() ? individual.of(workspaceId, waitingBefore) : undefined;
    const isOverLimit = (own?.waiting ?? waitingBefore) + uncounted.own > backlogMaxWorkspace;
    const refusalOfWorkspace = isOverLimit ? 'WORKSPACE_BACKLOG_FULL' : undefined;
    if (own === undefined) return refusalOfAll(uncounted.inAll) ?? refusalOfWorkspace;
    if (isAway(own)) return 'UNAVAILABLE';
    return individual.waiting() + uncounted.inAll > backlogMax ? 'BACKLOG_FULL' : refusalOfWorkspace;
  }

  const rounds = startRounds({
    everyMs: snapshotEveryMs,
    roundMaxMs,
    round: async () => {
      await count();
      if (isIndividual()) return;
      const reason = refusalOfAll();
      if (reason !== loggedReason) {
        if (reason === undefined) log.warn({ event: 'recovered' }, 'taking orders again');
        else log.warn({ why: reason, reason: reasons[reason] }, 'refusing orders');
      }
      loggedReason = reason;
    },
    logged: { log, what: 'looking for back-pressure' },
  });

  return {
    /** Resolves once the first snapshot was taken, even if that failed. */
    firstSnapshot: rounds.first,
    /** @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL while new orders should not be taken. */
    check: (workspaceId: string): void => {
      throwRefusal(refusalOf(workspaceId));
    },
    /**
     * As {@link check} for many orders at once, which count from now on, and not only once a snapshot has them. So batches
     * pass a limit by the size of one at the most, as far as this process takes them.
     * @param orders how many it brings to the workers.
     */
    checkBatch: (workspaceId: string, orders: number): void => {
      throwRefusal(refusalOf(workspaceId, admitted.sumsFor(workspaceId)));
      admitted.add(workspaceId, orders);
    },
    /** Undefined if it failed. */
    lastSnapshot: () => lastSnapshot,
    close: () => rounds.close(),
  };
}

/** A workspace that creates orders while a shard is away. */
interface IndividualCount {
  /** Since when its shard has not answered: its last answer, or its first create. */
  since: number;
  /** How many orders waited when it was counted last. */
  waiting: number;
  /** Whether it has created anything since it was last counted. */
  isActive: boolean;
}

/** The backlogs of workspaces that create orders while a shard is away, each counted by a query of its own. */
class IndividualCounts {
  readonly #backlog: Pick<Backlog, 'countOf'>;
  readonly #backlogMaxWorkspace: number;
  readonly #admitted: AdmittedOrders;
  readonly #counts = new Map<string, IndividualCount>();

  constructor(backlog: Pick<Backlog, 'countOf'>, backlogMaxWorkspace: number, admitted: AdmittedOrders) {
    this.#backlog = backlog;
    this.#backlogMaxWorkspace = backlogMaxWorkspace;
    this.#admitted = admitted;
  }

  /**
   * The count of a workspace that creates an order now. A new workspace takes the place of one that creates none any more.
   * @param waitingBefore the count of a workspace that was not counted individually yet.
   * @returns undefined if as many as may are counted, and all are active.
   */
  of(workspaceId: string, waitingBefore: number): IndividualCount | undefined {
    const count = this.#counts.get(workspaceId);
    if (count !== undefined) {
      count.isActive = true;
      return count;
    }
    if (this.#counts.size >= individualMax) {
      const [inactive] = [...this.#counts].find(([, { isActive }]) => !isActive) ?? [];
      if (inactive === undefined) return undefined;
      this.#counts.delete(inactive);
      this.#admitted.endCount(inactive);
    }
    const first = { since: performance.now(), waiting: waitingBefore, isActive: true };
    this.#counts.set(workspaceId, first);
    return first;
  }

  async count(): Promise<void> {
    await pLimit(individualAtOnce).map(this.#counts, async ([workspaceId, count]) => {
      count.isActive = false;
      const waiting = await this.#backlog
        .countOf(workspaceId, this.#backlogMaxWorkspace + 1, individualMaxMs)
        .catch(() => undefined);
      if (waiting === undefined) return;
      this.#admitted.endCount(workspaceId);
      Object.assign(count, { waiting, since: performance.now() });
    });
  }

  isOneAway(): boolean {
    return [...this.#counts.values()].some(isAway);
  }

  /** How many orders of all these workspaces waited. */
  waiting(): number {
    return [...this.#counts.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  clear(): void {
    this.#counts.clear();
  }
}

function isAway({ since }: IndividualCount): boolean {
  return performance.now() - since > failoverMaxMs;
}

/**
 * How many orders of batches were admitted and not counted in the backlog yet. What is admitted during a count may be missing in
 * it, and stays until the next one.
 */
class AdmittedOrders {
  #beforeCount = new Map<string, number>();
  #sinceCount = new Map<string, number>();

  add(workspaceId: string, orders: number): void {
    addTo(this.#sinceCount, workspaceId, orders);
  }

  beginCount(): void {
    for (const [workspaceId, orders] of this.#sinceCount) addTo(this.#beforeCount, workspaceId, orders);
    this.#sinceCount = new Map();
  }

  /** Ends a count of one workspace, or of all. */
  endCount(workspaceId?: string): void {
    if (workspaceId === undefined) this.#beforeCount = new Map();
    else this.#beforeCount.delete(workspaceId);
  }

  sumsFor(workspaceId: string): { inAll: number; own: number } {
    const orders = [...this.#beforeCount.values(), ...this.#sinceCount.values()];
    const own = (this.#beforeCount.get(workspaceId) ?? 0) + (this.#sinceCount.get(workspaceId) ?? 0);
    return { inAll: orders.reduce((sum, number) => sum + number, 0), own };
  }
}

function addTo(sums: Map<string, number>, workspaceId: string, orders: number): void {
  sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + orders);
}

function logOverLimit(before: BacklogSnapshot['overLimit'], now: BacklogSnapshot['overLimit'], log: Logger): void {
  for (const [workspaceId, waiting] of now) {
    if (!before.has(workspaceId)) log.warn({ workspaceId, waiting }, 'refusing orders of a workspace: too many wait');
  }
  for (const workspaceId of before.keys()) {
    if (!now.has(workspaceId)) log.warn({ workspaceId }, 'taking orders of a workspace again');
  }
}

function throwRefusal(refusal: BackPressureReason | undefined): void {
  if (refusal === undefined) return;
  const away = {
    cause: new Error('the orders that wait could not be counted for too long'),
    server: 'mongodb',
  } as const;
  throw new ServiceError(refusal, { retryAfterSeconds, ...(refusal === 'UNAVAILABLE' ? away : {}) });
}
