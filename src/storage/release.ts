import type { Audited } from './audit.ts';
import type { StuckOrder, StuckOrders } from './stuck-orders.ts';

interface ReleaseAll {
  /** Why the orders can be posted now: for the audit. */
  readonly reason: string;
  /** Only those that were set aside for this; absent, all. */
  readonly fault?: string | undefined;
  /** So many at the most. */
  readonly countMax: number;
}

const batchMax = 500;

/**
 * Lets an order that was set aside be posted again, with an event in the audit.
 * @param reason why it can be posted now; absent where nobody asks.
 * @returns whether it was set aside.
 */
export async function releaseOne(
  stuckOrders: StuckOrders,
  audited: Audited,
  { id, workspaceId }: Pick<StuckOrder, 'id' | 'workspaceId'>,
  reason?: string,
): Promise<boolean> {
  const subject = { transferId: id, ...(reason === undefined ? {} : { reason }) };
  const change = { action: 'transfer retry', workspaceId, subject };
  return (await audited(change, () => stuckOrders.release(workspaceId, [id]), toReleased)) === 1;
}

/**
 * The same with all, oldest first, of those that were set aside when it began: an event names up to {@link batchMax} orders
 * of a workspace. It may be repeated, and cut short: what is released stays so.
 * @returns how many were released.
 */
export async function releaseAll(
  stuckOrders: StuckOrders,
  audited: Audited,
  { reason, fault, countMax }: ReleaseAll,
): Promise<number> {
  const until = new Date();
  let released = 0;
  while (released < countMax) {
    const found = await stuckOrders.list(Math.min(batchMax, countMax - released), { reason: fault, until });
    let ofBatch = 0;
    for (const [workspaceId, orders] of Map.groupBy(found, (order) => order.workspaceId)) {
      const transferIds = orders.map(({ id }) => id);
      const change = { action: 'transfer retry', workspaceId, subject: { transferIds, reason } };
      ofBatch += await audited(change, () => stuckOrders.release(workspaceId, transferIds), toReleased);
    }
    released += ofBatch;
    // None is left, or somebody else releases the same ones.
    if (ofBatch === 0) break;
  }
  return released;
}

function toReleased(released: number): { readonly released: number } {
  return { released };
}
