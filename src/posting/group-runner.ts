import { isTestWorkspace } from '../domain/ids.ts';
import { toError } from '../errors.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { Bulkhead } from '../waiting/bulkhead.ts';
import type { ActiveWorkspace, ActiveWorkspaces, WaitingOrder } from './active-workspace.ts';
import { pickGroup } from './pick-group.ts';
import type { PostGroup } from './post-group.ts';

interface GroupRunnerOptions {
  /** One for each group in flight. */
  readonly posts: readonly PostGroup[];
  /** Whether a group is of one workspace. */
  readonly isSharded: boolean;
  /** Called when a group has ended, or another one may begin for another reason. */
  readonly onRoom: () => void;
}

/** What a group takes of each workspace. */
type Group = ReadonlyMap<ActiveWorkspace, readonly WaitingOrder[]>;

/**
 * Runs a few groups at once that hold different keys, so that one is folded while MongoDB works on another. If all orders
 * share a wallet, one group is in flight and groups grow, so a hot wallet costs no retries. Workspaces share groups, and are
 * served one after the other.
 */
export class GroupRunner {
  readonly #workspaces: ActiveWorkspaces;
  readonly #isSharded: boolean;
  readonly #onRoom: () => void;
  /** One group is left to workspaces whose last group was posted in time: the shard of the others may not answer. */
  readonly #bulkhead: Bulkhead;
  /** Of the groups in flight. */
  readonly #lockedKeys = new Set<string>();
  readonly #idle: PostGroup[];

  constructor(workspaces: ActiveWorkspaces, { posts, isSharded, onRoom }: GroupRunnerOptions) {
    this.#workspaces = workspaces;
    this.#isSharded = isSharded;
    this.#onRoom = onRoom;
    this.#bulkhead = new Bulkhead({ permits: posts.length, slowPermits: Math.max(1, posts.length - 1) }, onRoom);
    this.#idle = [...posts];
  }

  /** Whether one more could begin, if there were orders for it. */
  get hasRoom(): boolean {
    return this.#idle.length > 0;
  }

  /**
   * Begins all groups that can begin now. There are no timers: an order that is read leaves at once if a group can begin and
   * its keys are free.
   */
  begin(): void {
    for (let post = this.#idle.at(-1); post !== undefined; post = this.#idle.at(-1)) {
      const group = this.#pick();
      if (group.size === 0) return;
      this.#idle.pop();
      void this.#run(post, group);
    }
  }

  #pick(): Group {
    const group = new Map<ActiveWorkspace, readonly WaitingOrder[]>();
    const workspacesMax = this.#isSharded ? 1 : Infinity;
    let room: number = batchLimits.sizeMax;
    for (const workspace of this.#workspaces.values()) {
      if (room <= 0 || group.size === workspacesMax) break;
      if (this.#isSharded && !this.#bulkhead.isOpenTo(workspace.id)) continue;
      const picked = pickGroup(workspace.waiting, this.#lockedKeys, room);
      // What is dated by another clock is posted by itself.
      const isTest = isTestWorkspace(workspace.id);
      if (picked.length === 0 || (isTest && group.size > 0)) continue;
      group.set(workspace, picked);
      for (const { size } of picked) room -= size;
      if (isTest) break;
    }
    return group;
  }

  async #run(post: PostGroup, group: Group): Promise<void> {
    for (const [workspace, picked] of group) workspace.beginGroup(picked);
    const orders = [...group.values()].flat();
    const keys = orders.flatMap(({ lockKeys }) => lockKeys);
    for (const key of keys) this.#lockedKeys.add(key);
    const [first] = group.keys();
    const release = this.#isSharded && first !== undefined ? this.#bulkhead.enter(first.id) : undefined;
    const outcomes = await post(orders.map(({ order }) => order)).catch(toError);
    release?.();
    for (const key of keys) this.#lockedKeys.delete(key);
    this.#idle.push(post);
    for (const [workspace, picked] of group) workspace.endGroup(picked, outcomes);
    this.#onRoom();
  }
}
