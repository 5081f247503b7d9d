import type { Db } from 'mongodb';
import { openFlowLists } from './flows/lists.ts';
import { openOrderLists } from './orders/lists.ts';
import type { LookAtPending } from './orders/pending-orders.ts';
import { openWalletLists } from './wallets/lists.ts';

/**
 * What clients list and count.
 * @param db over connections for lists alone: a list may take seconds, and nothing else should wait for it.
 * @param lastLook what was known about the PENDING orders a moment ago.
 * @param isSharded on a sharded cluster lists of several workspaces share no command.
 */
export function openLists(db: Db, lastLook: () => LookAtPending | undefined, isSharded: boolean) {
  return {
    flowLists: openFlowLists(db),
    orderLists: openOrderLists(db, lastLook, isSharded),
    walletLists: openWalletLists(db),
  };
}
