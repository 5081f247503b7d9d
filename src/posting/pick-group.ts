import type { WaitingOrder } from './active-workspace.ts';

/** A group smaller than this waits if it would leave more orders behind than it takes, because a transaction has its cost. */
const groupSizeMin = 96;

/**
 * The orders of a workspace that one transaction may take while others are in flight: from the front of those that wait, those
 * none of whose keys is in a group in flight. An order that must wait holds back the later ones that share a key with it. So
 * the orders of a wallet are posted in the order in which they came, and an earlier credit may fund a later debit. Pure.
 * @param waiting in the order in which they came.
 * @param lockedKeys keys of the transactions in flight.
 * @param sizeMax more than the largest that waits, or this workspace's turn comes with the next group.
 * @returns none if they are not worth a transaction now.
 */
export function pickGroup<T extends Pick<WaitingOrder, 'lockKeys' | 'size'>>(
  waiting: readonly T[],
  lockedKeys: ReadonlySet<string>,
  sizeMax: number,
): readonly T[] {
  const heldBack = new Set<string>();
  const mustWait = (key: string): boolean => lockedKeys.has(key) || heldBack.has(key);
  const picked: T[] = [];
  let size = 0;
  for (const order of waiting) {
    if (size + order.size > sizeMax) break;
    if (!order.lockKeys.some(mustWait)) {
      picked.push(order);
      size += order.size;
    } else for (const key of order.lockKeys) heldBack.add(key);
  }
  return size >= groupSizeMin || 2 * picked.length >= waiting.length ? picked : [];
}
