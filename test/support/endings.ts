import type { Posting } from '../../src/orders/fold.ts';

/** Ids of the orders that a posting completes, in the order in which it does. */
export function completedIn({ ended }: Posting): string[] {
  return ended.flatMap(({ order, status }) => (status === 'COMPLETED' ? [order.id] : []));
}

/** Ids of the orders that it fails, by reason. */
export function failedIn({ ended }: Posting): Map<string, string[]> {
  const failed = ended.filter(({ failure }) => failure !== null);
  const byReason = Map.groupBy(failed, ({ failure }) => failure ?? '');
  return new Map([...byReason].map(([reason, endings]) => [reason, endings.map(({ order }) => order.id)]));
}
