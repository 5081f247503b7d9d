import { toError } from '../errors.ts';
import type { OrderToPost } from '../orders/order.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { Bulkhead } from '../waiting/bulkhead.ts';
import type { ActiveWorkspace, ActiveWorkspaces } from './active-workspace.ts';

interface OrderReaderOptions {
  readonly orders: Pick<Orders, 'findWaiting'>;
  /** Whether each query is for one workspace, and those of several workspaces run at once. */
  readonly isSharded: boolean;
  /** Called when a query has ended, or another one may begin for another reason. */
  readonly onRoom: () => void;
  /** Called for each order whose type this release does not know. It stays PENDING, for a worker that knows it. */
  readonly onUnknownType: (order: OrderToPost) => void;
}

/** How many legs of a workspace may wait here, before no more is read: enough to find others behind those of a hot wallet. */
const readAheadMax = 1_024;
const pageSize = batchLimits.sizeMax;
/** On a sharded cluster: how many workspaces are read at once, besides those whose shard is slow. */
const readPermits = { permits: 8, slowPermits: 8 };

/**
 * Reads what waits in workspaces, oldest first in each, before their groups can begin. Those that were woken share a query, from the
 * earliest place of theirs on; one of which a page was read goes on by itself. On a cluster each has its own.
 */
export class OrderReader {
  readonly #workspaces: ActiveWorkspaces;
  readonly #options: OrderReaderOptions;
  readonly #bulkhead: Bulkhead;
  /** The query that workspaces share is under way. */
  #isReading = false;

  constructor(workspaces: ActiveWorkspaces, options: OrderReaderOptions) {
    this.#workspaces = workspaces;
    this.#options = options;
    this.#bulkhead = new Bulkhead(readPermits, options.onRoom);
  }

  /** Begins all queries that can begin now. */
  begin(): void {
    const unread = [...this.#workspaces.values()].filter(
      (workspace) =>
        workspace.unreadBehind !== undefined &&
        !workspace.isReading &&
        !workspace.isLeaving &&
        // Last, because it is a sum over all that waits.
        workspace.size <= readAheadMax - pageSize,
    );
    if (this.#options.isSharded) this.#readApart(unread);
    else this.#readTogether(unread);
  }

  #readApart(unread: readonly ActiveWorkspace[]): void {
    for (const workspace of unread) {
      if (!this.#bulkhead.isOpenTo(workspace.id)) continue;
      const release = this.#bulkhead.enter(workspace.id);
      void this.#read([workspace]).finally(release);
    }
  }

  #readTogether(unread: readonly ActiveWorkspace[]): void {
    const [first] = unread;
    if (first === undefined || this.#isReading) return;
    this.#isReading = true;
    const together = first.isNextPage ? [first] : unread.filter(({ isNextPage }) => !isNextPage).slice(0, pageSize);
    void this.#read(together).finally(() => {
      this.#isReading = false;
      this.#options.onRoom();
    });
  }

  async #read(workspaces: readonly ActiveWorkspace[]): Promise<void> {
    const places = new Map(workspaces.map((workspace) => [workspace, workspace.unreadBehind ?? '']));
    for (const workspace of workspaces) {
      workspace.isReading = true;
      workspace.unreadBehind = undefined;
    }
    try {
      await this.#readPage(places);
    } catch (error) {
      for (const workspace of workspaces) workspace.stop(toError(error));
    }
    for (const workspace of workspaces) {
      workspace.isReading = false;
      workspace.progress();
    }
  }

  /** @param places behind which id each workspace is to be read. */
  async #readPage(places: ReadonlyMap<ActiveWorkspace, string>): Promise<void> {
    const { orders, onUnknownType } = this.#options;
    const workspaces = [...places.keys()];
    const workspaceIds = workspaces.map(({ id }) => id);
    const behind = [...places.values()].reduce((least, place) => (place < least ? place : least));
    const except = workspaces.flatMap(({ seenIds }) => [...seenIds].filter((id) => id > behind));
    const { orders: page, more } = await orders.findWaiting({ workspaceIds, behind, except }, pageSize);
    const byWorkspace = Map.groupBy(page, ({ workspaceId }) => workspaceId);
    for (const [workspace, place] of places) {
      if (more?.workspaceId === workspace.id) workspace.wake(more.id, true);
      else if (more !== undefined && workspace.id > more.workspaceId) workspace.wake(place);
      // It takes nothing more, and what was read is left.
      if (workspace.isLeaving) workspace.wake(place);
      for (const unknown of (byWorkspace.get(workspace.id) ?? []).map((order) => workspace.add(order)))
        if (unknown !== undefined) onUnknownType(unknown);
    }
  }
}
