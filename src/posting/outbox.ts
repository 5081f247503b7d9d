import { newId } from '../domain/ids.ts';
import type { Posting } from '../orders/fold.ts';
import type { Subscriber, Subscribers } from '../storage/webhooks/endpoints.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';

/**
 * What a posting leaves for webhooks: one entry for each workspace with an endpoint that asked for what happened. A disabled
 * endpoint is not named in the entry, but the entry is made for it too, so that it can be replayed. Entries are written in
 * the posting's own transaction, so that they are there if and only if the orders are settled.
 */
export function outboxOf({ completed, failed, settled, postedAt }: Posting, subscribers: Subscribers): OutboxEntry[] {
  if (subscribers.size === 0) return [];
  const workspaceOf = (id: string): string => settled.get(id)?.workspaceId ?? '';
  const completedOf = Map.groupBy(completed, workspaceOf);
  const failedOf = Map.groupBy([...failed.values()].flat(), workspaceOf);
  return [...subscribers].flatMap(([workspaceId, endpoints]) => {
    const ids = { completed: completedOf.get(workspaceId) ?? [], failed: failedOf.get(workspaceId) ?? [] };
    const asksForIt = ({ events }: Subscriber): boolean =>
      (ids.completed.length > 0 && events.includes('transfer.completed')) ||
      (ids.failed.length > 0 && events.includes('transfer.failed'));
    const asking = endpoints.filter(asksForIt);
    if (asking.length === 0) return [];
    const idsOfThose = (isEnabled: boolean): string[] =>
      asking.filter((each) => each.isEnabled === isEnabled).map(({ endpointId }) => endpointId);
    const [pending, missedBy] = [idsOfThose(true), idsOfThose(false)];
    const missed = missedBy.length === 0 ? {} : { missedBy };
    return [{ _id: newId('webhookBatch', postedAt), workspaceId, ...ids, pending, ...missed, createdAt: postedAt }];
  });
}
