import { toError } from '../errors.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { Bulkhead } from '../waiting/bulkhead.ts';
import { progressLine, settleOrder, stopLine, type Candidate, type Line, type Lines } from './line.ts';
import { pickGroup } from './pick-group.ts';
import type { PostGroup } from './post-group.ts';

interface GroupsOptions {
  /** One for each group in flight. */
  readonly posts: readonly PostGroup[];
  /** Whether a group is of one workspace. */
  readonly isSharded: boolean;
  /** Called when a group has ended, or another one may begin for another reason. */
  readonly onRoom: () => void;
}

/**
 * Runs a few groups at once that hold different keys, so that one is folded while MongoDB works on another. If all orders
 * share a wallet, one group is in flight and groups grow, so a hot wallet costs no retries. Workspaces share groups, and are
 * served one after the other.
 */
export function createGroups(lines: Lines, { posts, isSharded, onRoom }: GroupsOptions) {
  const busy = new Set<string>();
  const idle = [...posts];
  /** One group is left to workspaces whose last group was posted in time: the shard of the others may not answer. */
  const bulkhead = new Bulkhead({ permits: posts.length, slowPermits: Math.max(1, posts.length - 1) }, onRoom);
  const workspacesMax = isSharded ? 1 : Infinity;

  function takeGroup(): Map<Line, readonly Candidate[]> {
    const group = new Map<Line, readonly Candidate[]>();
    let room: number = batchLimits.sizeMax;
    for (const line of lines.values()) {
      if (room <= 0 || group.size === workspacesMax) break;
      if (isSharded && !bulkhead.isOpenTo(line.workspaceId)) continue;
      const picked = pickGroup(line.waiting, busy, room);
      if (picked.length === 0) continue;
      group.set(line, picked);
      for (const { size } of picked) room -= size;
    }
    for (const [line, picked] of group) {
      const taken = new Set(picked);
      line.waiting = line.waiting.filter((candidate) => !taken.has(candidate));
      line.inFlight += picked.length;
      // It was served: the others come first.
      lines.delete(line.workspaceId);
      lines.set(line.workspaceId, line);
    }
    return group;
  }

  async function run(post: PostGroup, group: ReadonlyMap<Line, readonly Candidate[]>): Promise<void> {
    const candidates = [...group.values()].flat();
    const keys = candidates.flatMap(({ lockKeys }) => lockKeys);
    for (const key of keys) busy.add(key);
    const [first] = group.keys();
    const end = isSharded && first !== undefined ? bulkhead.enter(first.workspaceId) : undefined;
    const outcomes = await post(candidates.map(({ order }) => order)).catch(toError);
    end?.();
    for (const key of keys) busy.delete(key);
    idle.push(post);
    for (const [line, picked] of group) {
      line.inFlight -= picked.length;
      if (outcomes instanceof Error) stopLine(line, outcomes);
      else for (const { order } of picked) settleOrder(line, order, outcomes.get(order.id) ?? 'skipped');
      progressLine(lines, line);
    }
    onRoom();
  }

  return {
    /**
     * Begins all groups that can begin now. There are no timers: an order that is read leaves at once if a group can begin and
     * its keys are free.
     */
    begin(): void {
      for (let post = idle.at(-1); post !== undefined; post = idle.at(-1)) {
        const group = takeGroup();
        if (group.size === 0) return;
        idle.pop();
        void run(post, group);
      }
    },
    /** Whether one more could begin, if there were orders for it. */
    hasRoom: (): boolean => idle.length > 0,
  };
}
