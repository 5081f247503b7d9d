import type { Clock } from '../clock.ts';
import { freeText } from '../domain/free-text.ts';
import type { Audited } from '../storage/audited.ts';
import type { Collections } from '../storage/collections.ts';
import type { StuckOrder, StuckOrders } from '../storage/orders/stuck-orders.ts';

// What an operator may do about orders that are set aside, on the page and by the command line, each with an event in the audit.

export const reasonLengthMax = 200;
const reasonForm = freeText({ max: reasonLengthMax });

/** Whether a text may stand in the audit as the reason of a change. */
export function isReason(text: string): boolean {
  return text.trim() !== '' && reasonForm.safeParse(text).success;
}

/** Of a release, in the audit. */
export const releaseAction = 'transfer retry';
const batchMax = 500;
const toReleased = (released: number) => ({ released });

/**
 * Lets an order that is set aside be posted again, with all of its atomic batch: the audit names the first, by which the way of
 * each of them is found.
 * @param reason why it can be posted now.
 * @returns whether it was set aside.
 */
export async function releaseOne(
  { backlog, stuckOrders }: Pick<Collections, 'backlog' | 'stuckOrders'>,
  audited: Audited,
  id: string,
  reason: string,
): Promise<boolean> {
  const order = await backlog.find(id);
  if (!(order?.stuckSince instanceof Date)) return false;
  const { workspaceId, firstId: transferId = id } = order;
  const change = { action: releaseAction, workspaceId, subject: { transferId, reason } };
  return (await audited(change, () => stuckOrders.release(workspaceId, [transferId]), toReleased)) > 0;
}

/**
 * Releases the orders that are set aside when it begins, workspace by workspace. An event in the audit names up to
 * {@link batchMax} orders of a workspace. It may be repeated, cut short, or run twice at once: what is released stays
 * released, and each order is released by one of them.
 * @param fault only orders that were set aside for this; undefined: all.
 * @returns how many were released.
 */
export async function releaseAll(
  stuckOrders: StuckOrders,
  audited: Audited,
  { reason, fault }: { readonly reason: string; readonly fault?: string | undefined },
  clock: Clock,
): Promise<number> {
  const until = clock();
  let released = 0;
  let after: StuckOrder | undefined;
  do {
    const page = await stuckOrders.list(batchMax, { reason: fault, until, after });
    for (const [workspaceId, orders] of Map.groupBy(page, (order) => order.workspaceId)) {
      const transferIds = orders.map(({ id }) => id);
      const change = { action: releaseAction, workspaceId, subject: { transferIds, reason } };
      released += await audited(change, () => stuckOrders.release(workspaceId, transferIds), toReleased);
    }
    after = page.at(-1);
  } while (after !== undefined);
  return released;
}
