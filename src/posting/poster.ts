import type { OrderToPost } from '../orders/order.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { ActiveWorkspace, type ActiveWorkspaces, type PostedWorkspace } from './active-workspace.ts';
import { GroupRunner } from './group-runner.ts';
import { OrderReader } from './order-reader.ts';
import type { PostGroup } from './post-group.ts';

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

/** Posts what waits in workspaces: reads it, and posts it in groups that workspaces share. */
export class Poster {
  readonly #workspaces: ActiveWorkspaces = new Map();
  readonly #groups: GroupRunner;
  readonly #reader: OrderReader;
  #isGoingOn = false;

  constructor({ orders, posts, isSharded, onUnknownType }: PosterOptions) {
    const onRoom = (): void => {
      this.#goOnSoon();
    };
    this.#groups = new GroupRunner(this.#workspaces, { posts, isSharded, onRoom });
    this.#reader = new OrderReader(this.#workspaces, { orders, isSharded, onRoom, onUnknownType });
  }

  /** Whether it could do more now, if more were asked for. */
  get hasRoom(): boolean {
    return this.#groups.hasRoom;
  }

  /**
   * Posts what waits in a workspace, until nothing does, in the order of creation. Whoever asks for one that is being posted
   * shares the outcome; what waits by now is posted too.
   * @param behind behind which id something waits that is not read yet; '' if anywhere.
   * @param onProgress called each time something of it was read or posted.
   * @returns once nothing of it is in flight; never rejects.
   */
  post(workspaceId: string, behind: string, onProgress: () => void): Promise<PostedWorkspace> {
    const workspace = this.#workspaces.get(workspaceId) ?? new ActiveWorkspace(workspaceId, this.#workspaces);
    // What another run leaves is for this one. What that has in flight ends first.
    if (workspace.isLeaving) return workspace.ended.then(() => this.post(workspaceId, behind, onProgress));
    this.#workspaces.set(workspaceId, workspace);
    workspace.wake(behind);
    workspace.onProgress = onProgress;
    this.#goOnSoon();
    return workspace.ended;
  }

  /**
   * Reads nothing more of a workspace. What is in flight goes on.
   * @param isAtOnce whether what is read already is given up too.
   */
  leave(workspaceId: string, isAtOnce: boolean): void {
    const workspace = this.#workspaces.get(workspaceId);
    if (workspace === undefined) return;
    if (isAtOnce) workspace.stop();
    else workspace.isLeaving = true;
    workspace.progress();
  }

  #goOnSoon(): void {
    if (this.#isGoingOn) return;
    this.#isGoingOn = true;
    // What arrives in one round of the event loop is read, and leaves, together.
    setImmediate(() => {
      this.#isGoingOn = false;
      this.#groups.begin();
      this.#reader.begin();
    });
  }
}
