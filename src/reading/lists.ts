import type { Db } from 'mongodb';
import { openFlowLists } from './flows.ts';
import { openOrderLists } from './orders.ts';
import { openStatements } from './statements.ts';
import { openWalletLists } from './wallets.ts';

export type Lists = ReturnType<typeof openLists>;

/**
 * What clients list and count.
 * @param db over connections for lists alone: a list may take seconds, and nothing else should wait for it.
 */
export function openLists(db: Db) {
  return {
    flowLists: openFlowLists(db),
    orderLists: openOrderLists(db),
    statements: openStatements(db),
    walletLists: openWalletLists(db),
  };
}
