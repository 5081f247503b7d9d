import { batchLimits } from '../batcher.ts';
import type { OrderToPost } from '../domain/order.ts';
import { createFairQueue } from '../fair-queue.ts';
import { createLanes } from '../lanes.ts';
import type { Outcome } from './group-transaction.ts';
import { pickGroup } from './pick-group.ts';

/** An order on its way to a group, with what its caller is to be told. */
export interface Coming {
  readonly id: string;
  readonly workspaceId: string;
  /** A number that rises in the order in which orders came. */
  readonly place: number;
  /** Aborts when the order is to be left to the next owner, unless it is in a group already. */
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** One that was read, and waits for its group. */
type WaitingOrder = Coming & { readonly order: OrderToPost };

/** Posts a group. Returns what its orders' callers are to be told, by id, or throws what all of them are to be told. */
export type PostGroup = (orders: readonly OrderToPost[]) => Promise<ReadonlyMap<string, Outcome | Error>>;

interface GroupsTools {
  /** One for each group in flight, each with a session of its own. */
  readonly posts: readonly PostGroup[];
  /** The most workspaces in one group. */
  readonly workspacesMax: number;
  /** Called when a group has been taken from the lines. */
  readonly onDeparture: () => void;
}

export type GroupsInFlight = ReturnType<typeof createGroupsInFlight>;

/**
 * Runs a few groups at once that touch different wallets, so that one is folded while MongoDB works on another. If all
 * orders share a wallet, one group is in flight and groups grow, so a hot wallet costs no retries. Workspaces are served one
 * after the other. There are no timers: an order leaves at once if a group can begin and its wallets are free.
 */
export function createGroupsInFlight(tools: GroupsTools) {
  const line = createFairQueue<WaitingOrder>();
  const busy = new Set<string>();
  const idle = [...tools.posts];
  const isOfOne = tools.workspacesMax === 1;
  /** One group is left to workspaces whose last group was posted in time: the shard of the others may not answer. */
  const slowMax = Math.max(1, tools.posts.length - 1);
  const lanes = createLanes({ max: tools.posts.length, slowMax }, dispatchSoon);
  const limits = { sizeMax: batchLimits.sizeMax, workspacesMax: tools.workspacesMax };
  let isDispatchDue = false;

  function dispatchSoon(): void {
    if (isDispatchDue) return;
    isDispatchDue = true;
    // What arrives in one round of the event loop leaves together.
    setImmediate(dispatch);
  }

  function dispatch(): void {
    isDispatchDue = false;
    for (let post = idle.at(-1); post !== undefined; post = idle.at(-1)) {
      const group = line.take(limits, (waiting, room, workspaceId) =>
        isOfOne && !lanes.mayBegin(workspaceId) ? [] : pickGroup(waiting, busy, room),
      );
      if (group.length === 0) return;
      idle.pop();
      void run(post, group);
      tools.onDeparture();
    }
  }

  async function run(post: PostGroup, group: readonly WaitingOrder[]): Promise<void> {
    const walletIds = group.flatMap(({ order }) => [order.sourceWalletId, order.targetWalletId]);
    for (const walletId of walletIds) busy.add(walletId);
    const [first] = group;
    const ended = isOfOne && first !== undefined ? lanes.begin(first.workspaceId) : undefined;
    await settle(post, group);
    ended?.();
    for (const walletId of walletIds) busy.delete(walletId);
    idle.push(post);
    dispatchSoon();
  }

  return {
    add(waiting: WaitingOrder): void {
      line.add(waiting.order.workspaceId, waiting);
      dispatchSoon();
    },
    /** Removes and returns the matching orders that are in no group yet. */
    remove: line.remove,
    /** How many orders of a workspace are in no group yet. */
    count: line.count,
  };
}

async function settle(post: PostGroup, group: readonly WaitingOrder[]): Promise<void> {
  try {
    const outcomes = await post(group.map(({ order }) => order));
    for (const { order, resolve, reject } of group) {
      const outcome = outcomes.get(order.id) ?? 'skipped';
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
