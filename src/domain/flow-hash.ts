import { hash } from 'node:crypto';
import type { Flow } from './wallet.ts';

/**
 * The hash that chains a wallet's flows: SHA-256, hex, over the previous flow's hash ('' for the first) and every field
 * of this one except its workspace and the sums of its debits, which follow from its wallet and the flows before. Money is hashed by its
 * value in plain notation, times as ISO 8601, and the leg unless it is the first: so flows of orders of one leg have one form.
 */
export function hashFlow(
  previousHash: string,
  flow: Omit<Flow, 'hash' | 'workspaceId' | 'debits' | 'debitOrders'>,
): string {
  const content = [
    previousHash,
    flow.id,
    flow.walletId,
    flow.sequence,
    flow.direction,
    flow.amount.toFixed(),
    flow.currency,
    flow.balanceBefore.toFixed(),
    flow.balanceAfter.toFixed(),
    flow.transferId,
    flow.counterpartyWalletId,
    flow.createdAt.toISOString(),
  ];
  if (flow.leg > 0) content.push(flow.leg);
  return hash('sha256', content.join('\n'), 'hex');
}
