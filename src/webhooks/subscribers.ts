import { FreshCache } from '../cache.ts';
import type { Subscriber, Subscribers, WebhookEndpoints } from '../storage/webhooks/endpoints.ts';

/** After this time every worker knows that an endpoint was created, enabled or disabled. */
export const subscribersFreshMs = 1_000;
const workspacesKeptMax = 20_000;

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
    const subscribers = new Map(workspaceIds.map((id) => [id, cache.get(id)]));
    const uncached = workspaceIds.filter((id) => subscribers.get(id) === undefined);
    if (uncached.length > 0) {
      const keep = cache.begin();
      const read = Map.groupBy(await endpoints.subscribers(uncached), ({ workspaceId }) => workspaceId);
      for (const id of uncached) {
        const ofWorkspace = read.get(id) ?? [];
        keep(id, ofWorkspace);
        subscribers.set(id, ofWorkspace);
      }
    }
    return new Map([...subscribers].flatMap(([id, list = []]) => (list.length > 0 ? [[id, list]] : [])));
  };
}
