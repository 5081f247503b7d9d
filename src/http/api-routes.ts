import type { Acceptor } from '../accepting/accept.ts';
import type { BatchAcceptor } from '../accepting/batch.ts';
import type { PrepareCancel } from '../accepting/cancel.ts';
import type { Previewer } from '../accepting/preview.ts';
import type { Clock } from '../clock.ts';
import type { KeyBudgets } from '../domain/budgets.ts';
import type { Currencies } from '../domain/currency.ts';
import { createPresenter } from '../orders/present.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { IsFirstTime } from '../redis/first-times.ts';
import type { TestTime } from '../scheduling/advance.ts';
import type { Lists } from '../reading/lists.ts';
import type { Collections } from '../storage/collections.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { keyRoute } from './key/key.ts';
import { createListLimiter } from './lists/limiter.ts';
import type { RouteParts } from './parts.ts';
import type { Route } from './route.ts';
import { createSingleReads } from './single-reads.ts';
import { testClockRoutes } from './test-clock/test-clock.ts';
import { batchRoute } from './transfers/batch.ts';
import { cancelRoute } from './transfers/cancel.ts';
import { CommandBodies } from './transfers/command-body.ts';
import { commandRoutes } from './transfers/create.ts';
import { previewRoute } from './transfers/preview.ts';
import { orderListRoutes, orderRoutes } from './transfers/read.ts';
import { createSimulations } from './transfers/simulations.ts';
import { createOrderWaits } from './transfers/waits.ts';
import { WalletChanges } from './wallets/audited-changes.ts';
import { alertRoutes } from './wallets/alerts.ts';
import { balanceRoute } from './wallets/balance.ts';
import { walletChangeRoutes } from './wallets/change.ts';
import { createWalletRoute } from './wallets/create.ts';
import { createFindWallet } from './wallets/find.ts';
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

/** What the parts of routes are made of. */
export interface ApiSources {
  readonly collections: Pick<
    Collections,
    'orders' | 'auditEvents' | 'testClocks' | 'wallets' | 'keyBudgets' | 'readBeforeWindows'
  >;
  readonly lists: Lists;
  readonly throughFailover: ThroughFailover;
  /** Present on a sharded cluster, so that a shard that does not answer holds up nobody else. */
  readonly bulkheads: { readonly reads: Bulkhead | undefined; readonly webhooks: Bulkhead | undefined };
  readonly accepting: {
    readonly acceptor: Acceptor;
    readonly batches: BatchAcceptor;
    readonly previewer: Previewer;
    readonly prepareCancel: PrepareCancel;
    /** Told of a wallet that was changed, and what that left for webhooks. */
    readonly onWalletChanged: (id: string, entry: OutboxEntry | undefined) => Promise<void>;
  };
  readonly notices: PostedNotices;
  readonly endpoints: Endpoints;
  readonly currencies: Currencies;
  /** For a key without a rate of its own. */
  readonly usualRate: KeyRate;
  readonly clock: Clock;
  readonly testTime: TestTime;
  readonly isFirstTime: IsFirstTime;
}

/** Every endpoint of the API; what is not here is denied. The first route that matches wins. */
export function apiRoutes(sources: ApiSources): Route[] {
  const parts = partsOf(sources);
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

function partsOf(sources: ApiSources): RouteParts {
  const { lists, accepting, currencies, clock, throughFailover, usualRate, endpoints, notices, testTime } = sources;
  const { orders, wallets, auditEvents, testClocks, keyBudgets, readBeforeWindows } = sources.collections;
  const { clockOf } = testClocks;
  const { reads } = sources.bulkheads;
  const findForWait = createWorkspaceBatcher(reads, orders.findShown);
  const { onWalletChanged: onChanged } = accepting;
  const findBudgets = async (keys: readonly Pick<KeyBudgets, 'apiKey' | 'workspaceId'>[]) => {
    const names = keys.map(({ apiKey }) => apiKey);
    const found = await keyBudgets.find(names, [...new Set(keys.map(({ workspaceId }) => workspaceId))]);
    return names.map((name) => found.get(name));
  };
  return {
    ...{ ...lists, ...accepting, currencies, clock, clockOf, testTime, throughFailover, usualRate, endpoints },
    present: createPresenter(currencies),
    limiter: createListLimiter(throughFailover),
    findWallet: createFindWallet(createSingleReads(wallets.findVisible, throughFailover, reads)),
    findReferred: createSingleReads(wallets.findReferred, throughFailover, reads),
    changes: new WalletChanges({ wallets, auditEvents, throughFailover, clock, clockOf, onChanged }),
    readBeforeWindows,
    findBudgets: createSingleReads(findBudgets, throughFailover, reads),
    findOrder: createSingleReads(orders.findShown, throughFailover, reads),
    waits: createOrderWaits((references) => Promise.all(references.map(findForWait)), notices),
    simulations: createSimulations(sources.isFirstTime),
    commandBodies: new CommandBodies(currencies),
  };
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
