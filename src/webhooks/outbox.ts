import { FreshCache } from '../cache.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { Subscriber, Subscribers, WebhookEndpoints } from '../storage/webhooks/endpoints.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';

/** After this time every worker knows that an endpoint was created, enabled or disabled. */
export const subscribersFreshMs = 1_000;
const workspacesKeptMax = 20_000;

/** For posting: which endpoints want events, and waking the workers that send them once a transaction has written them. */
export function openOutbox(endpoints: Pick<WebhookEndpoints, 'subscribers'>, queue: Pick<WebhookQueue, 'wake'>) {
  return {
    subscribersOf: createSubscribers(endpoints),
    onWritten: wakingBy(queue),
  };
}

/** Wakes the workers that send entries, once a transaction has written them. */
export function wakingBy(queue: Pick<WebhookQueue, 'wake'>): (entries: readonly OutboxEntry[]) => void {
  return (entries) => {
    const waiting = entries.flatMap(({ workspaceId, pending }) =>
      pending.map((endpointId) => ({ workspaceId, endpointId })),
    );
    if (waiting.length > 0) queue.wake(waiting);
  };
}

/**
 * The endpoints of some workspaces, as of at most `freshMs` ago. A posting asks this outside its transaction. So a workspace
 * without endpoints costs one small query a second.
 */
export function createSubscribers(
  endpoints: Pick<WebhookEndpoints, 'subscribers'>,
  freshMs = subscribersFreshMs,
): (workspaceIds: readonly string[]) => Promise<Subscribers> {
  const cache = new FreshCache<readonly Subscriber[]>({ max: workspacesKeptMax, ttlMs: freshMs });
  return async (workspaceIds) => {
    const known = new Map(workspaceIds.map((id) => [id, cache.get(id)]));
    const unknown = workspaceIds.filter((id) => known.get(id) === undefined);
    if (unknown.length > 0) {
      const keep = cache.begin();
      const found = Map.groupBy(await endpoints.subscribers(unknown), ({ workspaceId }) => workspaceId);
      for (const id of unknown) {
        const ofWorkspace = found.get(id) ?? [];
        keep(id, ofWorkspace);
        known.set(id, ofWorkspace);
      }
    }
    return new Map([...known].flatMap(([id, ofWorkspace = []]) => (ofWorkspace.length > 0 ? [[id, ofWorkspace]] : [])));
  };
}
