import type { Bulkhead } from '../../waiting/bulkhead.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { webhookChangeRoutes } from './change.ts';
import { createWebhookRoute } from './create.ts';
import { deliveryListRoute } from './deliveries.ts';
import { webhookListRoute, webhookRoute } from './read.ts';
import { webhookReplayRoute } from './replay.ts';
import { webhookTestRoute } from './send-test.ts';

/** The `webhook:manage` endpoints. @param bulkhead present on a sharded cluster: each call's work then waits for a permit. */
export function webhookRoutes(parts: RouteParts, bulkhead: Bulkhead | undefined): Route[] {
  const routes = [
    createWebhookRoute(parts),
    webhookListRoute(parts),
    webhookRoute(parts),
    ...webhookChangeRoutes(parts),
    webhookTestRoute(parts),
    webhookReplayRoute(parts),
    deliveryListRoute(parts),
  ];
  return bulkhead === undefined ? routes : routes.map((route) => withPermit(bulkhead, route));
}

/** Has a route's work done with a permit of its workspace. */
function withPermit(bulkhead: Bulkhead, route: Route): Route {
  if ('handle' in route) {
    return { ...route, handle: (request) => bulkhead.run(request.workspaceId, async () => route.handle(request)) };
  }
  return {
    ...route,
    prepare: async (request) => {
      const change = await bulkhead.run(request.workspaceId, async () => route.prepare(request));
      return () => bulkhead.run(request.workspaceId, change);
    },
  };
}
