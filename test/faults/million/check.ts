import type { Db } from 'mongodb';
import { readWorkspaceBooks } from '../checker/books.ts';
import { checkBooks } from '../checker/check-books.ts';
import { within } from '../harness/until.ts';

export interface Checked {
  breaches: string[];
  byStatus: Record<string, number>;
  orders: number;
  flows: number;
  seconds: number;
}

const workspaceMaxMs = 120_000;
const breachesShownMax = 20;

/**
 * The fault suite's checker on every workspace, one after the other: each is closed in itself, so its wallets, orders
 * and flows can be replayed alone, and no more than one is in memory.
 */
export async function checkWorkspaces(
  db: Db,
  workspaceIds: readonly string[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Checked> {
  const startedAt = performance.now();
  const checked: Checked = { breaches: [], byStatus: {}, orders: 0, flows: 0, seconds: 0 };
  for (const [index, workspaceId] of workspaceIds.entries()) {
    signal.throwIfAborted();
    const books = await within(readWorkspaceBooks(db, workspaceId), workspaceMaxMs, `reading ${workspaceId}`);
    const breaches = checkBooks(books, { setAside: new Set() });
    checked.breaches.push(...breaches.slice(0, breachesShownMax - checked.breaches.length));
    checked.orders += books.orders.length;
    checked.flows += books.flows.length;
    for (const order of books.orders) {
      const status = String(order['status']);
      checked.byStatus[status] = (checked.byStatus[status] ?? 0) + 1;
    }
    onProgress(index + 1);
  }
  return { ...checked, seconds: (performance.now() - startedAt) / 1000 };
}
