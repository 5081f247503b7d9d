import type { Clock } from '../clock.ts';
import type { Backlogs } from '../storage/orders/backlog.ts';
import type { TrailOrder } from '../storage/orders/documents.ts';
import type { StuckOrder, StuckOrders } from '../storage/orders/stuck-orders.ts';
import type { Audited } from '../storage/audited.ts';

// What an operator may do on the page and by the command line.

interface ReleaseAll {
  /** Why the orders can be posted now: for the audit. */
  readonly reason: string;
  /** Only orders that were set aside for this reason; absent: all. */
  readonly fault?: string | undefined;
  /** The most orders to release. */
  readonly countMax: number;
}

/** Of a release, in the audit. */
export const releaseAction = 'transfer retry';
const batchMax = 500;

/**
 * Lets an order that was set aside be posted again, with an event in the audit.
 * @param reason why it can be posted now.
 * @returns whether it was set aside.
 */
export async function releaseOne(
  stuckOrders: StuckOrders,
  audited: Audited,
  { id, workspaceId }: Pick<StuckOrder, 'id' | 'workspaceId'>,
  reason: string,
): Promise<boolean> {
  const change = { action: releaseAction, workspaceId, subject: { transferId: id, reason } };
  return (await audited(change, () => stuckOrders.release(workspaceId, [id]), toReleased)) === 1;
}

/** The order that is set aside, if one is with this one: of an atomic batch it is the first. */
export async function findStuck({ find }: Pick<Backlogs, 'find'>, id: string): Promise<TrailOrder | undefined> {
  const order = await find(id);
  const first = order?.firstId === undefined ? order : await find(order.firstId);
  return first?.stuckSince instanceof Date ? first : undefined;
}

/**
 * Releases orders that are set aside when it begins, workspace by workspace: all, or those of one fault, up to `countMax`.
 * An event in the audit names up to {@link batchMax} orders of a workspace. It may be repeated, cut short, or run twice at
 * once: what is released stays released, and each order is released by one of them.
 * @returns how many were released.
 */
export async function releaseAll(
  stuckOrders: StuckOrders,
  audited: Audited,
  { reason, fault, countMax }: ReleaseAll,
  clock: Clock,
): Promise<number> {
  const until = clock();
  let released = 0;
  let after: StuckOrder | undefined;
  while (released < countMax) {
    const found = await stuckOrders.list(Math.min(batchMax, countMax - released), { reason: fault, until, after });
    for (const [workspaceId, orders] of Map.groupBy(found, (order) => order.workspaceId)) {
      const transferIds = orders.map(({ id }) => id);
      const change = { action: releaseAction, workspaceId, subject: { transferIds, reason } };
      released += await audited(change, () => stuckOrders.release(workspaceId, transferIds), toReleased);
    }
    after = found.at(-1);
    if (after === undefined) break;
  }
  return released;
}

function toReleased(released: number): { readonly released: number } {
  return { released };
}
