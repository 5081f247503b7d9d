import type { Db } from 'mongodb';
import { openFlowLists } from './flows/lists.ts';
import { openOrderLists } from './orders/lists.ts';
import { openWalletLists } from './wallets/lists.ts';

/**
 * What clients list and count.
 * @param db over connections for lists alone: a list may take seconds, and nothing else should wait for it.
 * @param isSharded on a sharded cluster lists of several workspaces share no command.
 */
export function openLists(db: Db, isSharded: boolean) {
  return {
    flowLists: openFlowLists(db),
    orderLists: openOrderLists(db, isSharded),
    walletLists: openWalletLists(db),
  };
}
