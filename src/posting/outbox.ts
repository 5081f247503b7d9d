import type { Posting } from '../orders/fold.ts';
import type { Subscribers } from '../storage/webhooks/endpoints.ts';
import { newEntry, type OutboxEntry } from '../storage/webhooks/outbox.ts';

/** What a posting leaves for webhooks: one entry for each workspace with an endpoint that asked for what happened. */
export function outboxOf({ completed, failed, settled, postedAt }: Posting, subscribers: Subscribers): OutboxEntry[] {
  if (subscribers.size === 0) return [];
  const workspaceOf = (id: string): string => settled.get(id)?.workspaceId ?? '';
  const completedOf = Map.groupBy(completed, workspaceOf);
  const failedOf = Map.groupBy([...failed.values()].flat(), workspaceOf);
  return [...subscribers].flatMap(([workspaceId, endpoints]) => {
    const ended = { completed: completedOf.get(workspaceId) ?? [], failed: failedOf.get(workspaceId) ?? [] };
    return newEntry(workspaceId, ended, endpoints, postedAt) ?? [];
  });
}
