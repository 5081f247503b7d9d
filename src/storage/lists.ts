import type { Db } from 'mongodb';
import { openFlowLists } from './flowLists.ts';
import { openOrderLists } from './orderLists.ts';
import { openWalletLists } from './walletLists.ts';

/** What clients list and count. @param db over connections of their own: a list may take seconds, and nobody else waits. */
export function openLists(db: Db) {
  return {
    flowLists: openFlowLists(db),
    orderLists: openOrderLists(db),
    walletLists: openWalletLists(db),
  };
}
