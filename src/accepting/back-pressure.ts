import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Backlogs } from '../storage/orders/backlog.ts';
import { failoverMaxMs } from '../storage/shared/failover.ts';
import type { LookAtPending, PendingOrders } from '../storage/orders/pending-orders.ts';

export type BackPressure = ReturnType<typeof startBackPressure>;

interface BackPressureTools {
  readonly pendingOrders: PendingOrders;
  readonly backlog: Backlogs;
  readonly log: Logger;
  /** How many orders may wait for a worker before new ones are refused; those set aside for the operator do not count. */
  readonly backlogMax: number;
  /** The same for one workspace, so that one that floods does not keep out the others. */
  readonly backlogMaxWorkspace: number;
}

const lookEveryMs = 1_000;
const roundMaxMs = 15_000;
/** Looks that take longer, one after the other, say that MongoDB is too busy for more orders. */
const latencyMaxMs = 2_000;
const retryAfterSeconds = 5;
/** In words, for the log. */
const reasons = { UNAVAILABLE: 'MongoDB is away or slow', BACKLOG_FULL: 'too many orders wait' } as const;
const noneCrowded: ReadonlyMap<string, number> = new Map();

/**
 * Looks once a second at how many orders wait, in all and in each workspace, and at how fast MongoDB answers. Beyond a
 * limit creates are refused before anything is stored; reads go on. An election alone is no reason to refuse, because
 * creates wait it out, a limited number of them. If no look was answered for longer than that wait, or all were answered
 * slowly for as long, creates are refused at once. The limit is a number of orders and not their age, which would depend on
 * the clocks of the processes that accepted them.
 */
export function startBackPressure(tools: BackPressureTools) {
  const { pendingOrders, backlog, log, backlogMax, backlogMaxWorkspace } = tools;
  let toldReason: string | undefined;
  let pendingCount: number | undefined;
  let lastLook: LookAtPending | undefined;
  /** Workspaces that have too many orders waiting. */
  let crowded = noneCrowded;
  let answeredAt = performance.now();
  /** When the first of the slow looks began that no faster one has followed. */
  let slowSince = Infinity;

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const found = await pendingOrders.look(backlogMax + 1).catch(() => undefined);
    pendingCount = found?.waiting;
    lastLook = found ?? lastLook;
    const now = performance.now();
    if (pendingCount === undefined) return;
    answeredAt = now;
    slowSince = now - startedAt <= latencyMaxMs ? Infinity : Math.min(slowSince, startedAt);
    await lookAtWorkspaces(pendingCount);
  }

  /** Asks only if a workspace may have too many orders waiting. If MongoDB does not answer, the last result stays. */
  async function lookAtWorkspaces(pending: number): Promise<void> {
    const looking = { moreThan: backlogMaxWorkspace, countMax: backlogMax + 1 };
    const found = pending > backlogMaxWorkspace ? await backlog.crowded(looking).catch(() => crowded) : noneCrowded;
    for (const [workspaceId, waiting] of found) {
      if (!crowded.has(workspaceId))
        log.warn({ workspaceId, waiting }, 'refusing orders of a workspace: too many wait');
    }
    for (const workspaceId of crowded.keys()) {
      if (!found.has(workspaceId)) log.warn({ workspaceId }, 'taking orders of a workspace again');
    }
    crowded = found;
  }

  function reason(): keyof typeof reasons | undefined {
    if (performance.now() - Math.min(answeredAt, slowSince) > failoverMaxMs) return 'UNAVAILABLE';
    return pendingCount !== undefined && pendingCount > backlogMax ? 'BACKLOG_FULL' : undefined;
  }

  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      await look();
      const found = reason();
      if (found !== toldReason) {
        log.warn({ reason: found && reasons[found] }, found === undefined ? 'taking orders again' : 'refusing orders');
      }
      toldReason = found;
    },
    logged: { log, what: 'looking for back-pressure' },
  });

  return {
    /** Resolves once the first look has ended, even if it failed. */
    looked: rounds.first,
    /** @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL while new orders should not be taken. */
    check: (workspaceId: string): void => {
      const refusal = reason() ?? (crowded.has(workspaceId) ? 'WORKSPACE_BACKLOG_FULL' : undefined);
      if (refusal !== undefined) throw new ServiceError(refusal, { retryAfterSeconds });
    },
    /** How many orders waited for a worker at the last look, up to one above the limit; undefined if it failed. */
    pendingCount: () => pendingCount,
    /** The last look that succeeded, however long ago; undefined if none has. */
    lastLook: () => lastLook,
    close: () => rounds.close(),
  };
}
