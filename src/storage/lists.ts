import type { Db } from 'mongodb';
import { openFlowLists } from './flow-lists.ts';
import { openOrderLists } from './order-lists.ts';
import type { LookAtPending } from './pending-orders.ts';
import { openWalletLists } from './wallet-lists.ts';

/**
 * What clients list and count.
 * @param db over connections of their own: a list may take seconds, and nobody else waits.
 * @param lastLook what is known of the orders that are PENDING, of a moment ago.
 */
export function openLists(db: Db, lastLook: () => LookAtPending | undefined) {
  return {
    flowLists: openFlowLists(db),
    orderLists: openOrderLists(db, lastLook),
    walletLists: openWalletLists(db),
  };
}
