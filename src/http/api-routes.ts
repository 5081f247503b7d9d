import type { Bulkhead } from '../waiting/bulkhead.ts';
import { keyRoute } from './key/key.ts';
import { createParts, type ApiSources } from './parts.ts';
import type { Route } from './route.ts';
import { testClockRoutes } from './test-clock/test-clock.ts';
import { batchRoute } from './transfers/batch.ts';
import { cancelRoute } from './transfers/cancel.ts';
import { commandRoutes } from './transfers/create.ts';
import { previewRoute } from './transfers/preview.ts';
import { orderListRoutes, orderRoutes } from './transfers/read.ts';
import { alertRoutes } from './wallets/alerts.ts';
import { balanceRoute } from './wallets/balance.ts';
import { walletChangeRoutes } from './wallets/change.ts';
import { createWalletRoute } from './wallets/create.ts';
import { flowListRoute } from './wallets/flows.ts';
import { limitRoutes } from './wallets/limits.ts';
import { walletListRoute, walletRoute } from './wallets/read.ts';
import { statementRoute } from './wallets/statement.ts';
import { webhookChangeRoutes } from './webhooks/change.ts';
import { createWebhookRoute } from './webhooks/create.ts';
import { deliveryListRoute } from './webhooks/deliveries.ts';
import { webhookListRoute, webhookRoute } from './webhooks/read.ts';
import { webhookReplayRoute } from './webhooks/replay.ts';
import { webhookTestRoute } from './webhooks/send-test.ts';

/** Every endpoint of the API; what is not here is denied. The first route that matches wins. */
export function apiRoutes(sources: ApiSources): Route[] {
  const parts = createParts(sources);
  const { webhooks: bulkhead } = sources.bulkheads;
  const webhookRoutes = [
    createWebhookRoute(parts),
    webhookListRoute(parts),
    webhookRoute(parts),
    ...webhookChangeRoutes(parts),
    webhookTestRoute(parts),
    webhookReplayRoute(parts),
    deliveryListRoute(parts),
  ];
  return [
    walletListRoute(parts),
    walletRoute(parts),
    balanceRoute(parts),
    statementRoute(parts),
    createWalletRoute(parts),
    ...walletChangeRoutes(parts),
    ...limitRoutes(parts),
    ...alertRoutes(parts),
    flowListRoute(parts),
    // The orders of a wallet come before single orders: their path wins over that of `completed`.
    ...orderListRoutes(parts),
    ...orderRoutes(parts),
    ...commandRoutes(parts),
    batchRoute(parts),
    previewRoute(parts),
    cancelRoute(parts),
    keyRoute(parts),
    ...testClockRoutes(parts),
    ...(bulkhead === undefined ? webhookRoutes : webhookRoutes.map((route) => withPermit(bulkhead, route))),
  ];
}

/** Has a route's work done with a permit of its workspace, so that a shard that does not answer holds up nobody else. */
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
