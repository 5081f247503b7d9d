import type { OrderToPost } from '../orders/order.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { createGroups } from './groups.ts';
import { newLine, progressLine, stopLine, type Lines, type PostedWorkspace } from './line.ts';
import type { PostGroup } from './post-group.ts';
import { createReads } from './reads.ts';

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

/** Posts what waits in workspaces: reads it, and posts it in groups that workspaces share. */
export function createPoster({ orders, posts, isSharded, onUnknownType }: PosterOptions) {
  const lines: Lines = new Map();
  const groups = createGroups(lines, { posts, isSharded, onRoom: goOnSoon });
  const beginReads = createReads(lines, { orders, isSharded, onRoom: goOnSoon, onUnknownType });
  let isGoingOn = false;

  function goOnSoon(): void {
    if (isGoingOn) return;
    isGoingOn = true;
    // What arrives in one round of the event loop is read, and leaves, together.
    setImmediate(() => {
      isGoingOn = false;
      groups.begin();
      beginReads();
    });
  }

  function post(workspaceId: string, onProgress: () => void): Promise<PostedWorkspace> {
    const line = lines.get(workspaceId) ?? newLine(workspaceId);
    // What another run leaves is for this one. What that has in flight ends first.
    if (line.isLeaving) return line.ended.promise.then(() => post(workspaceId, onProgress));
    lines.set(workspaceId, line);
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
    /** Whether it could do more now, if more were asked for. */
    hasRoom: groups.hasRoom,
    /**
     * Reads nothing more of a workspace. What is in flight goes on.
     * @param isAtOnce whether what is read already is given up too.
     */
    leave(workspaceId: string, isAtOnce: boolean): void {
      const line = lines.get(workspaceId);
      if (line === undefined) return;
      if (isAtOnce) stopLine(line);
      else line.isLeaving = true;
      progressLine(lines, line);
    },
  };
}
