import { hasIdForm, idPrefixes, isExternalWalletId, timeOfId } from '../domain/ids.ts';
import type { Flow } from '../domain/wallet.ts';
import type { BookedOrder, BookedWallet } from '../storage/booked.ts';
import { settledAfterMs } from '../storage/shared/transaction.ts';
import type { Report } from './breach.ts';

/**
 * Follows the times of one wallet's flows. A flow is dated at its posting, but never before the flow before it, nor the first one
 * before the wallet was made; and its order was completed at that posting, unless it was dated further ahead itself.
 * @param wallet undefined where none was found.
 */
export function createFlowTimes(
  wallet: Pick<BookedWallet, 'id' | 'workspaceId' | 'createdAt'> | undefined,
  report: Report,
) {
  let last = wallet && madeAt(wallet);
  let sequence = 0;
  return {
    /** @param order that of the flow, which is the wallet's next one. */
    add(flow: Flow, order: BookedOrder | undefined): void {
      // Of one that lacks its predecessor, or its place, that is said already.
      if (flow.sequence === sequence + 1 && isTime(flow.createdAt)) {
        const wrong = unfitTime(flow, last, order);
        if (wrong !== undefined) report('flow-time', flow.id, wrong);
      }
      sequence = flow.sequence;
      last = flow.createdAt;
    },
    /** Reports how the wallet's times are not those of its making and its flows. */
    compare(stored: BookedWallet, differs: Report): void {
      const { id, createdAt, updatedAt, lastFlowAt } = stored;
      const wrong = (message: string): void => {
        differs('wallet-times', id, message);
      };
      if (!isTime(createdAt) || createdAt.getTime() !== madeAt(stored).getTime() || isBeforeWorkspace(stored))
        wrong(`was made at ${shown(createdAt)}, its id says ${shown(madeAt(stored))}`);
      if (stored.sequence === sequence && shown(lastFlowAt) !== shown(last))
        wrong(`says that its last flow is of ${shown(lastFlowAt)}, it is of ${shown(last)}`);
      if (!isTime(updatedAt) || updatedAt < createdAt || updatedAt < lastFlowAt)
        wrong(`was changed at ${shown(updatedAt)}, before its last flow or its making`);
    },
  };
}

/** How a flow is dated wrongly; undefined if it is not. @param last when the flow before it was, or the wallet was made. */
function unfitTime({ createdAt }: Flow, last: Date | undefined, order: BookedOrder | undefined): string | undefined {
  if (last !== undefined && createdAt < last) return `is of ${shown(createdAt)}, and follows one of ${shown(last)}`;
  if (order?.status !== 'COMPLETED' || !isTime(order.completedAt)) return undefined;
  const { completedAt, createdAt: orderedAt, executeAt = orderedAt } = order;
  const latest = last !== undefined && last > completedAt ? last : completedAt;
  const isOfPosting = completedAt > orderedAt && completedAt > executeAt;
  if (isOfPosting ? createdAt.getTime() === latest.getTime() : createdAt <= latest) return undefined;
  return `is of ${shown(createdAt)}; its order is COMPLETED since ${shown(completedAt)}, the flow before is of ${shown(last)}`;
}

/** When a wallet was made: its id says so, but for an EXTERNAL one, whose id is its workspace's. */
function madeAt({ id, createdAt }: Pick<BookedWallet, 'id' | 'createdAt'>): Date {
  return timeIn('wallet', id) ?? createdAt;
}

function isBeforeWorkspace({ id, workspaceId, createdAt }: BookedWallet): boolean {
  const workspaceMadeAt = timeIn('workspace', workspaceId);
  return isExternalWalletId(id) && workspaceMadeAt !== undefined && isLongBefore(createdAt, workspaceMadeAt);
}

/** The time in an id; undefined if it is no such id. */
export function timeIn(kind: keyof typeof idPrefixes, id: string): Date | undefined {
  // No time has a greater first digit.
  return hasIdForm(kind, id) && id.slice(idPrefixes[kind].length) < '8' ? timeOfId(kind, id) : undefined;
}

/**
 * Whether a time, if there is one, lies further before another than clocks of two processes may differ, and a request may wait:
 * as long as ids are given until they are stored.
 */
export function isLongBefore(time: Date | undefined, other: Date): boolean {
  return time !== undefined && !(time.getTime() >= other.getTime() - settledAfterMs);
}

export function isTime(time: unknown): time is Date {
  return time instanceof Date && !Number.isNaN(time.getTime());
}

export function shown(time: unknown): string {
  return isTime(time) ? time.toISOString() : String(time);
}
