import { toError } from '../errors.ts';
import { unitOf, type OrderToPost } from '../orders/order.ts';
import { isKnownType } from '../orders/types.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { Bulkhead } from '../waiting/bulkhead.ts';
import { addOrder, progressLine, sizeOf, stopLine, type Line, type Lines } from './line.ts';

interface ReadsOptions {
  readonly orders: Pick<Orders, 'findWaiting'>;
  /** Whether each query is for one workspace, and those of several workspaces run at once. */
  readonly isSharded: boolean;
  /** Called when a query has ended, or another one may begin for another reason. */
  readonly onRoom: () => void;
  /** Called for each order whose type this release does not know. It stays PENDING, for a worker that knows it. */
  readonly onUnknownType: (order: OrderToPost) => void;
}

/** How many orders of a workspace may wait here: enough to find others behind those of a hot wallet. */
const readAheadMax = 1_024;
const pageSize = batchLimits.sizeMax;
/** On a sharded cluster: how many workspaces are read at once, besides those whose shard is slow. */
const readPermits = { permits: 8, slowPermits: 8 };

/**
 * Reads what waits in workspaces, oldest first in each, before their groups can begin. Those of which nothing is known yet share
 * a query.
 * @returns a function that begins all queries that can begin now.
 */
export function createReads(lines: Lines, { orders, isSharded, onRoom, onUnknownType }: ReadsOptions): () => void {
  const bulkhead = new Bulkhead(readPermits, onRoom);
  let isReading = false;

  /** @param due one, or several of which more may wait anywhere. */
  async function read(due: readonly Line[]): Promise<void> {
    const behind = due[0]?.from ?? '';
    for (const line of due) {
      line.isReading = true;
      line.from = undefined;
    }
    try {
      const workspaceIds = due.map(({ workspaceId }) => workspaceId);
      // What is known is not behind the last that was read.
      const except = behind === '' ? due.flatMap(({ known }) => [...known]) : [];
      const { found, more } = await orders.findWaiting({ workspaceIds, behind, except }, pageSize);
      const byWorkspace = Map.groupBy(found, ({ workspaceId }) => workspaceId);
      for (const line of due) {
        const own = byWorkspace.get(line.workspaceId) ?? [];
        // If it was woken meanwhile, more may wait anywhere.
        if (more !== undefined && line.workspaceId >= more.workspaceId)
          line.from ??= line.workspaceId === more.workspaceId ? more.id : '';
        for (const order of own) add(line, order);
      }
    } catch (error) {
      for (const line of due) stopLine(line, toError(error));
    }
    for (const line of due) {
      line.isReading = false;
      progressLine(lines, line);
    }
  }

  function add(line: Line, order: OrderToPost): void {
    if (line.isLeaving || line.known.has(order.id)) return;
    for (const { id } of unitOf(order)) line.known.add(id);
    if (isKnownType(order.type)) addOrder(line, order);
    else onUnknownType(order);
  }

  return () => {
    const due = [...lines.values()].filter(
      (line) =>
        line.from !== undefined && !line.isReading && !line.isLeaving && sizeOf(line) <= readAheadMax - pageSize,
    );
    if (isSharded) {
      for (const line of due) {
        if (!bulkhead.isOpenTo(line.workspaceId)) continue;
        const end = bulkhead.enter(line.workspaceId);
        void read([line]).finally(end);
      }
      return;
    }
    const [first] = due;
    if (first === undefined || isReading) return;
    isReading = true;
    const together = first.from === '' ? due.filter(({ from }) => from === '').slice(0, pageSize) : [first];
    void read(together).finally(() => {
      isReading = false;
      onRoom();
    });
  };
}
