import pLimit from 'p-limit';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { Backlogs, Look } from '../storage/orders/backlog.ts';
import { failoverMaxMs } from '../waiting/failover.ts';

export type BackPressure = ReturnType<typeof startBackPressure>;

type Backlog = Pick<Backlogs, 'look' | 'countOf'>;

interface BacklogLimits {
  /** How many orders may wait for a worker before new ones are refused. Those set aside for the operator do not count. */
  readonly backlogMax: number;
  /** The same for one workspace, so that one that floods does not keep out the others. */
  readonly backlogMaxWorkspace: number;
}

const lookEveryMs = 1_000;
const roundMaxMs = 15_000;
/** If look after look takes longer, MongoDB is too busy for more orders. */
const latencyMaxMs = 2_000;
const retryAfterSeconds = 5;
/** While a shard is away, workspaces are counted one by one: how many in all, how many at once, and for how long each. */
const askedMax = 256;
const askedAtOnce = 32;
const askedMaxMs = 500;
/** In words, for the log. */
const reasons = { UNAVAILABLE: 'MongoDB is away or slow', BACKLOG_FULL: 'too many orders wait' } as const;

type Refusal = keyof typeof reasons | 'WORKSPACE_BACKLOG_FULL';

/** A workspace that wants to create orders while a shard is away. */
interface Asking {
  /** Since when its shard has not answered: its last answer, or its first create. */
  since: number;
  /** What was counted last. */
  waiting: number;
  /** Whether it has created anything since it was last counted. */
  isNew: boolean;
}

/**
 * Looks once a second at how many orders wait, in all and in each workspace, and at how fast MongoDB answers. Beyond a
 * limit creates are refused before anything is stored; reads go on. No workspace counts for more than its own limit, so that
 * none keeps out the others. An election alone is no reason to refuse, because creates wait it out, a limited number of
 * them. If no look was answered for longer than that wait, or all were answered slowly for as long, creates are refused at
 * once. The limit is a number of orders and not their age, which would depend on the clocks of the processes that accepted
 * them.
 *
 * On a cluster a look fails if one shard is away. Then the workspaces that create orders are counted one by one, and only
 * those whose own shard has not answered for so long are refused.
 * @param isSharded whether MongoDB is a cluster, of which one shard may be away and the others not.
 */
export function startBackPressure(limits: BacklogLimits, backlog: Backlog, isSharded: boolean, log: Logger) {
  const { backlogMax, backlogMaxWorkspace } = limits;
  const lookMax = { countMax: backlogMax, perWorkspaceMax: backlogMaxWorkspace };
  let loggedReason: keyof typeof reasons | undefined;
  let lastLook: Look | undefined;
  /** What each workspace had waiting, and which had too many, as of the last look that was answered. */
  let answered: Pick<Look, 'waitingOf' | 'crowded'> = { waitingOf: new Map(), crowded: new Map() };
  const brought = createBrought();
  /** While looks fail on a cluster. */
  const asking = new Map<string, Asking>();
  let isAwayLogged = false;
  let answeredAt = performance.now();
  /** When the current row of slow looks began; Infinity after a fast one. */
  let slowSince = Infinity;

  async function look(): Promise<void> {
    const startedAt = performance.now();
    brought.beginCount();
    lastLook = await backlog.look(lookMax).catch(() => undefined);
    if (lastLook === undefined) {
      if (isSharded) await askOneByOne();
      return;
    }
    answeredAt = performance.now();
    slowSince = answeredAt - startedAt <= latencyMaxMs ? Infinity : Math.min(slowSince, startedAt);
    if (isAwayLogged) log.warn({ event: 'recovered' }, 'all shards answer again');
    isAwayLogged = false;
    asking.clear();
    brought.counted();
    logCrowded(answered.crowded, lastLook.crowded, log);
    answered = lastLook;
  }

  async function askOneByOne(): Promise<void> {
    await pLimit(askedAtOnce).map(asking, ([workspaceId, state]) => ask(workspaceId, state));
    const isOneAway = [...asking.values()].some(isAway);
    if (isOneAway && !isAwayLogged) log.warn('refusing orders of workspaces whose shard does not answer');
    isAwayLogged = isOneAway;
  }

  async function ask(workspaceId: string, state: Asking): Promise<void> {
    state.isNew = false;
    const waiting = await backlog.countOf(workspaceId, backlogMaxWorkspace + 1, askedMaxMs).catch(() => undefined);
    if (waiting === undefined) return;
    brought.counted(workspaceId);
    Object.assign(state, { waiting, since: performance.now() });
  }

  /** Notes that a workspace creates orders, in the place of one that does so no more if there are too many. */
  function note(workspaceId: string): Asking | undefined {
    const known = asking.get(workspaceId);
    if (known !== undefined) {
      known.isNew = true;
      return known;
    }
    if (asking.size >= askedMax) {
      const [idle] = [...asking].find(([, { isNew }]) => !isNew) ?? [];
      if (idle === undefined) return undefined;
      asking.delete(idle);
      brought.counted(idle);
    }
    const first = { since: performance.now(), waiting: answered.waitingOf.get(workspaceId) ?? 0, isNew: true };
    asking.set(workspaceId, first);
    return first;
  }

  /** @param more orders in all that no look has counted. */
  function reason(more = 0): keyof typeof reasons | undefined {
    if (performance.now() - Math.min(answeredAt, slowSince) > failoverMaxMs) return 'UNAVAILABLE';
    return lastLook !== undefined && lastLook.waiting + more > backlogMax ? 'BACKLOG_FULL' : undefined;
  }

  /** @param more orders that no look has counted: in all, and of the workspace. */
  function refusalOf(workspaceId: string, more = { inAll: 0, own: 0 }): Refusal | undefined {
    const own = isSharded && lastLook === undefined ? note(workspaceId) : undefined;
    const ownWaiting = (own?.waiting ?? answered.waitingOf.get(workspaceId) ?? 0) + more.own;
    const ofWorkspace = ownWaiting > backlogMaxWorkspace ? 'WORKSPACE_BACKLOG_FULL' : undefined;
    if (own === undefined) return reason(more.inAll) ?? ofWorkspace;
    if (isAway(own)) return 'UNAVAILABLE';
    const known = [...asking.values()].reduce((sum, { waiting }) => sum + waiting, more.inAll);
    return known > backlogMax ? 'BACKLOG_FULL' : ofWorkspace;
  }

  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      await look();
      if (isSharded && lastLook === undefined) return;
      const found = reason();
      if (found !== loggedReason) {
        if (found === undefined) log.warn({ event: 'recovered' }, 'taking orders again');
        else log.warn({ why: found, reason: reasons[found] }, 'refusing orders');
      }
      loggedReason = found;
    },
    logged: { log, what: 'looking for back-pressure' },
  });

  return {
    /** Resolves once the first look has ended, even if it failed. */
    looked: rounds.first,
    /** @throws ServiceError UNAVAILABLE, BACKLOG_FULL or WORKSPACE_BACKLOG_FULL while new orders should not be taken. */
    check: (workspaceId: string): void => {
      refuse(refusalOf(workspaceId));
    },
    /**
     * As {@link check} for many orders at once, which count from now on, and not only once a look finds them. So batches
     * pass a limit by the size of one at the most, as far as this process takes them.
     * @param orders how many it brings to the workers.
     */
    checkBatch: (workspaceId: string, orders: number): void => {
      refuse(refusalOf(workspaceId, brought.sumsFor(workspaceId)));
      brought.add(workspaceId, orders);
    },
    /** The last look; undefined if it failed. */
    lastLook: () => lastLook,
    close: () => rounds.close(),
  };
}

function logCrowded(before: Look['crowded'], found: Look['crowded'], log: Logger): void {
  for (const [workspaceId, waiting] of found) {
    if (!before.has(workspaceId)) log.warn({ workspaceId, waiting }, 'refusing orders of a workspace: too many wait');
  }
  for (const workspaceId of before.keys()) {
    if (!found.has(workspaceId)) log.warn({ workspaceId }, 'taking orders of a workspace again');
  }
}

function refuse(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const away = {
    cause: new Error('the orders that wait could not be counted for too long'),
    server: 'mongodb',
  } as const;
  throw new ServiceError(refusal, { retryAfterSeconds, ...(refusal === 'UNAVAILABLE' ? away : {}) });
}

/**
 * How many orders batches have brought that were not counted in the backlog yet. What is brought while it is being counted may
 * be missing in it, and stays until the next count.
 */
function createBrought() {
  let earlier = new Map<string, number>();
  let later = new Map<string, number>();
  const addTo = (sums: Map<string, number>, workspaceId: string, orders: number): void => {
    sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + orders);
  };
  return {
    add: (workspaceId: string, orders: number): void => {
      addTo(later, workspaceId, orders);
    },
    beginCount: (): void => {
      for (const [workspaceId, orders] of later) addTo(earlier, workspaceId, orders);
      later = new Map();
    },
    /** Ends a count, of one workspace or of all. */
    counted: (workspaceId?: string): void => {
      if (workspaceId === undefined) earlier = new Map();
      else earlier.delete(workspaceId);
    },
    sumsFor: (workspaceId: string): { inAll: number; own: number } => {
      const inAll = [...earlier.values(), ...later.values()].reduce((sum, orders) => sum + orders, 0);
      return { inAll, own: (earlier.get(workspaceId) ?? 0) + (later.get(workspaceId) ?? 0) };
    },
  };
}

function isAway({ since }: Asking): boolean {
  return performance.now() - since > failoverMaxMs;
}
