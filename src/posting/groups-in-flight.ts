import { batchLimits } from '../waiting/batcher.ts';
import type { OrderToPost } from '../orders/order.ts';
import { toError } from '../errors.ts';
import type { FairQueue } from '../waiting/fair-queue.ts';
import { createLanes } from '../waiting/lanes.ts';
import { pickGroup } from './pick-group.ts';
import { isRead, type Outcome, type QueuedOrder, type ReadOrder } from './queued-order.ts';

/**
 * Posts a group. Returns each order's outcome by id, or the error of one that could not be posted; none of one that was
 * posted before. Throws what is the outcome of all of them.
 */
export type PostGroup = (orders: readonly OrderToPost[]) => Promise<ReadonlyMap<string, Outcome | Error>>;

interface GroupsInFlightOptions {
  /** The most workspaces in one group. */
  readonly workspacesMax: number;
  /** Called when a group has ended, or another one may begin for another reason. */
  readonly onRoom: () => void;
}

/**
 * Runs a few groups at once that hold different keys, so that one is folded while MongoDB works on another. If all orders
 * share a wallet, one group is in flight and groups grow, so a hot wallet costs no retries. Workspaces are served one after
 * the other.
 * @param waiting the orders that are in no group.
 * @param posts one for each group in flight.
 * @returns a function that begins all groups that can begin now. There are no timers: an order that is read leaves at once
 * if a group can begin and its keys are free.
 */
export function createGroupsInFlight(
  waiting: FairQueue<QueuedOrder>,
  posts: readonly PostGroup[],
  { workspacesMax, onRoom }: GroupsInFlightOptions,
): () => void {
  const busy = new Set<string>();
  const idle = [...posts];
  const isOfOne = workspacesMax === 1;
  /** One group is left to workspaces whose last group was posted in time: the shard of the others may not answer. */
  const lanes = createLanes({ max: posts.length, slowMax: Math.max(1, posts.length - 1) }, onRoom);
  const limits = { sizeMax: batchLimits.sizeMax, workspacesMax };

  const takeGroup = (): ReadOrder[] =>
    waiting.take(limits, (line, room, workspaceId) =>
      isOfOne && !lanes.mayBegin(workspaceId) ? [] : pickGroup(readOf(line), busy, room),
    );

  async function run(post: PostGroup, group: readonly ReadOrder[]): Promise<void> {
    const keys = group.flatMap(({ busyKeys }) => busyKeys);
    for (const key of keys) busy.add(key);
    for (const queued of group) queued.state = 'in group';
    const [first] = group;
    const ended = isOfOne && first !== undefined ? lanes.begin(first.workspaceId) : undefined;
    await settle(post, group);
    ended?.();
    for (const key of keys) busy.delete(key);
    idle.push(post);
    onRoom();
  }

  return () => {
    for (let post = idle.at(-1); post !== undefined; post = idle.at(-1)) {
      const group = takeGroup();
      if (group.length === 0) return;
      idle.pop();
      void run(post, group);
    }
  };
}

/** The front of a line. */
function readOf(line: readonly QueuedOrder[]): readonly ReadOrder[] {
  const read: ReadOrder[] = [];
  for (const queued of line) {
    if (!isRead(queued)) break;
    read.push(queued);
  }
  return read;
}

async function settle(post: PostGroup, group: readonly ReadOrder[]): Promise<void> {
  try {
    const outcomes = await post(group.map(({ order }) => order));
    for (const queued of group) queued.settle(outcomes.get(queued.id) ?? 'skipped');
  } catch (error) {
    for (const queued of group) queued.settle(toError(error));
  }
}
