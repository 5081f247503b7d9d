import pTimeout from 'p-timeout';
import { batchLimits, tookTooLong } from '../waiting/batcher.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import { toError } from '../errors.ts';
import type { FairQueue } from '../waiting/fair-queue.ts';
import { createLanes } from '../waiting/lanes.ts';
import type { OrderToPost } from '../orders/order.ts';
import { isKnownType } from '../orders/types.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { isSettled, markRead, type QueuedOrder } from './queued-order.ts';

interface ReadAheadOptions {
  /** Whether each query is for one workspace, and those of several workspaces run at once. */
  readonly isSharded: boolean;
  /** Called when a query has ended, or another one may begin for another reason. */
  readonly onRoom: () => void;
  /** Called for each order whose type this release does not know. It stays PENDING, for a worker that knows it. */
  readonly onUnknownType: (order: OrderToPost) => void;
}

/** How many orders at the front of a line may be read: enough to find others behind those of a hot wallet. */
const readAheadMax = 1_024;
/** On a sharded cluster: how many workspaces are read at once, besides those whose shard is slow. */
const readsAtOnce = { max: 8, slowMax: 8 };

/**
 * Reads orders before their groups can begin: from the front of each line, and first for the workspaces that have waited
 * longest. Orders that are no longer PENDING, or whose type is unknown, are skipped.
 * @param waiting the orders that are in no group.
 * @returns a function that begins all queries that can begin now.
 */
export function createReadAhead(
  waiting: FairQueue<QueuedOrder>,
  orders: Pick<Orders, 'findPending'>,
  { isSharded, onRoom, onUnknownType }: ReadAheadOptions,
): () => void {
  const lanes = createLanes(readsAtOnce, onRoom);
  const limits = { sizeMax: batchLimits.sizeMax, workspacesMax: isSharded ? 1 : Infinity };
  /** The workspaces that a query is reading. Each is in one query at a time, or orders of a faster answer would overtake. */
  const beingRead = new Set<string>();
  const mayRead = (workspaceId: string): boolean =>
    isSharded ? !beingRead.has(workspaceId) && lanes.mayBegin(workspaceId) : beingRead.size === 0;

  async function read(batch: readonly QueuedOrder[]): Promise<void> {
    const workspaces = byWorkspace(batch);
    for (const queued of batch) queued.state = 'reading';
    for (const { workspaceId } of workspaces) beingRead.add(workspaceId);
    const ends = isSharded ? workspaces.map(({ workspaceId }) => lanes.begin(workspaceId)) : [];
    try {
      const finding = orders.findPending(workspaces);
      const found = await pTimeout(finding, { milliseconds: batchLimits.flushMaxMs, fallback: tookTooLong });
      const byId = new Map(found.map((order) => [order.id, order]));
      for (const queued of batch) {
        const order = byId.get(queued.id);
        if (order !== undefined && isKnownType(order.type)) {
          if (!isSettled(queued)) markRead(queued, order);
          continue;
        }
        if (order !== undefined) onUnknownType(order);
        queued.settle('skipped');
      }
    } catch (error) {
      for (const queued of batch) queued.settle(toError(error));
    }
    const hasSettled = batch.some(isSettled);
    for (const { workspaceId } of workspaces) {
      beingRead.delete(workspaceId);
      if (hasSettled) waiting.remove(workspaceId, isSettled);
    }
    for (const end of ends) end();
    onRoom();
  }

  return () => {
    for (;;) {
      const batch = waiting.pick(limits, (line, room, workspaceId) =>
        mayRead(workspaceId) ? unreadOf(line, room) : [],
      );
      if (batch.length === 0) return;
      void read(batch);
    }
  };
}

/** The next orders of a line to be read. */
function unreadOf(line: readonly QueuedOrder[], room: number): readonly QueuedOrder[] {
  if (line.at(-1)?.state !== 'unread') return [];
  const first = line.findIndex(({ state }) => state === 'unread');
  const sizeBefore = line.slice(0, first).reduce((sum, { size }) => sum + size, 0);
  return line.slice(first, first + Math.max(0, Math.min(room, readAheadMax - sizeBefore)));
}
