import { toError } from '../errors.ts';
import { unitOf, type OrderToPost } from '../orders/order.ts';
import { changedIdsOf, isKnownType } from '../orders/types.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { createLanes } from '../waiting/lanes.ts';
import type { PostedCounts } from '../queue/posting-queue.ts';
import type { Outcome, PostGroup } from './post-group.ts';
import { pickGroup } from './pick-group.ts';

/** What became of a workspace's orders. */
export interface PostedWorkspace extends PostedCounts {
  /** Why orders of it wait that could not be posted; undefined if none do. */
  readonly error: Error | undefined;
}

export type Poster = ReturnType<typeof createPoster>;

interface PosterOptions {
  readonly orders: Pick<Orders, 'findWaiting'>;
  /** One for each group in flight. */
  readonly posts: readonly PostGroup[];
  /**
   * On a sharded cluster each group, and each query, is of one workspace: it commits on one shard, and a shard that does not
   * answer holds up nobody else's workspaces.
   */
  readonly isSharded: boolean;
  /** Called for each order whose type this release does not know. It stays PENDING, for a worker that knows it. */
  readonly onUnknownType: (order: OrderToPost) => void;
}

/** An order that is read, and in no group yet. */
interface Candidate {
  readonly order: OrderToPost;
  /** Ids of what it changes. No two groups in flight have one in common. */
  readonly busyKeys: readonly string[];
  /** How many orders it is: more than one if it is the first of an atomic batch. */
  readonly size: number;
}

/**
 * A workspace that is posted, from its first read until nothing of it waits. Its orders are read from MongoDB, wait here until a
 * group can take them, are in flight, and are forgotten once they have ended.
 */
interface Line {
  readonly workspaceId: string;
  /** In the order in which they are to be posted. */
  waiting: Candidate[];
  inFlight: number;
  /** Ids of the orders that wait here, are in flight, or were left PENDING: they are not read again. */
  readonly known: Set<string>;
  isReading: boolean;
  /** Where more may wait in MongoDB: behind an order's id, or '' for anywhere; undefined if nowhere. */
  from: string | undefined;
  /** Nothing more of it is read. */
  isLeaving: boolean;
  error: Error | undefined;
  readonly counts: Record<Outcome, number>;
  readonly ended: PromiseWithResolvers<PostedWorkspace>;
  onProgress: () => void;
}

/** How many orders of a workspace may wait here: enough to find others behind those of a hot wallet. */
const readAheadMax = 1_024;
const groupSizeMax = batchLimits.sizeMax;
/** On a sharded cluster: how many workspaces are read at once, besides those whose shard is slow. */
const readsAtOnce = { max: 8, slowMax: 8 };

/**
 * Posts what waits in workspaces, a few groups at once that hold different keys, so that one is folded while MongoDB works on
 * another. Workspaces share groups, and are served one after the other. There are no timers: what is read leaves at once if a
 * group can begin and its keys are free.
 */
export function createPoster({ orders, posts, isSharded, onUnknownType }: PosterOptions) {
  /** In the order in which they are served. */
  const lines = new Map<string, Line>();
  const busy = new Set<string>();
  const idle = [...posts];
  const groupLanes = createLanes({ max: posts.length, slowMax: Math.max(1, posts.length - 1) }, goOnSoon);
  const readLanes = createLanes(readsAtOnce, goOnSoon);
  let isReadingAll = false;
  let isGoingOn = false;

  function goOnSoon(): void {
    if (isGoingOn) return;
    isGoingOn = true;
    // What arrives in one round of the event loop is read, and leaves, together.
    setImmediate(() => {
      isGoingOn = false;
      beginGroups();
      beginReads();
    });
  }

  function beginGroups(): void {
    for (let post = idle.at(-1); post !== undefined; post = idle.at(-1)) {
      const group = takeGroup();
      if (group.size === 0) return;
      idle.pop();
      void run(post, group);
    }
  }

  function takeGroup(): Map<Line, readonly Candidate[]> {
    const group = new Map<Line, readonly Candidate[]>();
    let room = groupSizeMax;
    for (const line of lines.values()) {
      if (room <= 0 || (isSharded && group.size === 1)) break;
      if (line.waiting.length === 0 || (isSharded && !groupLanes.mayBegin(line.workspaceId))) continue;
      const picked = pickGroup(line.waiting, busy, room);
      if (picked.length === 0) continue;
      group.set(line, picked);
      for (const { size } of picked) room -= size;
    }
    for (const [line, picked] of group) {
      const taken = new Set(picked);
      line.waiting = line.waiting.filter((candidate) => !taken.has(candidate));
      line.inFlight += picked.length;
      // To the end of the line of workspaces.
      lines.delete(line.workspaceId);
      lines.set(line.workspaceId, line);
    }
    return group;
  }

  async function run(post: PostGroup, group: ReadonlyMap<Line, readonly Candidate[]>): Promise<void> {
    const candidates = [...group.values()].flat();
    const keys = candidates.flatMap(({ busyKeys }) => busyKeys);
    for (const key of keys) busy.add(key);
    const [first] = group.keys();
    const ended = isSharded && first !== undefined ? groupLanes.begin(first.workspaceId) : undefined;
    const outcomes = await post(candidates.map(({ order }) => order)).catch(toError);
    ended?.();
    for (const key of keys) busy.delete(key);
    idle.push(post);
    for (const [line, picked] of group) {
      line.inFlight -= picked.length;
      if (outcomes instanceof Error) stop(line, outcomes);
      else for (const { order } of picked) count(line, order.id, outcomes.get(order.id) ?? 'skipped');
      progress(line);
    }
    goOnSoon();
  }

  /** What may still be PENDING stays known, so that it is not read again before the next run. */
  function count(line: Line, id: string, outcome: Outcome | Error): void {
    if (outcome instanceof Error) line.error ??= outcome;
    else line.counts[outcome] += 1;
    if (outcome !== 'skipped' && !(outcome instanceof Error)) line.known.delete(id);
  }

  /** Nothing more of it begins. */
  function stop(line: Line, error?: Error): void {
    line.isLeaving = true;
    line.error ??= error;
    line.waiting = [];
  }

  function progress(line: Line): void {
    line.onProgress();
    const isOver = line.waiting.length === 0 && (line.isLeaving || line.from === undefined);
    if (!isOver || line.inFlight > 0 || line.isReading || lines.get(line.workspaceId) !== line) return;
    lines.delete(line.workspaceId);
    line.ended.resolve({ ...line.counts, error: line.error });
  }

  function beginReads(): void {
    const due = [...lines.values()].filter(
      ({ isReading, isLeaving, from, waiting }) =>
        from !== undefined && !isReading && !isLeaving && waiting.length <= readAheadMax - groupSizeMax,
    );
    if (isSharded) {
      for (const line of due) {
        if (!readLanes.mayBegin(line.workspaceId)) continue;
        void read([line]).finally(readLanes.begin(line.workspaceId));
      }
      return;
    }
    const [first] = due;
    if (first === undefined || isReadingAll) return;
    isReadingAll = true;
    const together = first.from === '' ? due.filter(({ from }) => from === '').slice(0, groupSizeMax) : [first];
    void read(together).finally(() => {
      isReadingAll = false;
      goOnSoon();
    });
  }

  /** @param due one, or several of which more may wait anywhere. */
  async function read(due: readonly Line[]): Promise<void> {
    const [{ from: behind = '' } = { from: '' }] = due;
    for (const line of due) {
      line.isReading = true;
      line.from = undefined;
    }
    try {
      const workspaceIds = due.map(({ workspaceId }) => workspaceId);
      // What is known is not behind the last that was read.
      const except = behind === '' ? due.flatMap(({ known }) => [...known]) : [];
      const { found, more } = await orders.findWaiting({ workspaceIds, behind, except }, groupSizeMax);
      const byWorkspace = Map.groupBy(found, ({ workspaceId }) => workspaceId);
      for (const line of due) {
        const own = byWorkspace.get(line.workspaceId) ?? [];
        // If it was woken meanwhile, more may wait anywhere.
        if (more !== undefined && line.workspaceId >= more) line.from ??= own.at(-1)?.id ?? '';
        for (const order of own) add(line, order);
      }
    } catch (error) {
      for (const line of due) stop(line, toError(error));
    }
    for (const line of due) {
      line.isReading = false;
      progress(line);
    }
    goOnSoon();
  }

  function add(line: Line, order: OrderToPost): void {
    if (line.isLeaving || line.known.has(order.id)) return;
    line.known.add(order.id);
    if (isKnownType(order.type))
      line.waiting.push({ order, busyKeys: changedIdsOf(order), size: unitOf(order).length });
    else onUnknownType(order);
  }

  function post(workspaceId: string, onProgress: () => void): Promise<PostedWorkspace> {
    let line = lines.get(workspaceId);
    // What another run leaves is for this one; what that has in flight ends first.
    if (line?.isLeaving === true) return line.ended.promise.then(() => post(workspaceId, onProgress));
    if (line === undefined) {
      line = newLine(workspaceId, onProgress);
      lines.set(workspaceId, line);
    }
    line.from = '';
    line.onProgress = onProgress;
    goOnSoon();
    return line.ended.promise;
  }

  return {
    /**
     * Posts what waits in a workspace, until nothing does, in the order of creation. Whoever asks for one that is being posted
     * shares the outcome; what waits by now is posted too.
     * @param onProgress called each time something of it was read or posted.
     * @returns once nothing of it is in flight; never rejects.
     */
    post,
    /**
     * Reads nothing more of a workspace. What is in flight goes on.
     * @param isAtOnce whether what is read already is given up too.
     */
    leave(workspaceId: string, isAtOnce: boolean): void {
      const line = lines.get(workspaceId);
      if (line === undefined) return;
      line.isLeaving = true;
      if (isAtOnce) line.waiting = [];
      progress(line);
    },
  };
}

function newLine(workspaceId: string, onProgress: () => void): Line {
  return {
    workspaceId,
    waiting: [],
    inFlight: 0,
    known: new Set(),
    isReading: false,
    from: '',
    isLeaving: false,
    error: undefined,
    counts: { completed: 0, failed: 0, skipped: 0, setAside: 0 },
    ended: Promise.withResolvers<PostedWorkspace>(),
    onProgress,
  };
}
