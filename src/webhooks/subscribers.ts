import { createFreshCache } from '../cache.ts';
import type { Subscriber, Subscribers } from '../storage/webhooks/outbox.ts';
import type { WebhookEndpoints } from '../storage/webhooks/endpoints.ts';

/** After this time every worker knows that an endpoint was created, enabled or disabled. */
export const subscribersFreshMs = 1_000;
const workspacesKeptMax = 20_000;

/**
 * Which endpoints of some workspaces are to be told, as of at most `freshMs` ago. A posting asks this outside its
 * transaction. So a workspace without endpoints costs one small query a second.
 */
export function createSubscribers(
  endpoints: Pick<WebhookEndpoints, 'subscribers'>,
  freshMs = subscribersFreshMs,
): (workspaceIds: readonly string[]) => Promise<Subscribers> {
  const cache = createFreshCache<readonly Subscriber[]>({ max: workspacesKeptMax, ttlMs: freshMs });
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
