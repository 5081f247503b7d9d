import type { Acceptor } from '../accepting/accept.ts';
import { createWorkspaceBatcher } from '../batcher.ts';
import type { Clock } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import type { Presenter } from '../orders/present.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Collections, openLists } from '../storage/collections.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import type { ThroughFailover } from '../storage/shared/failover.ts';
import type { Turns } from '../turns.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { keyRoutes } from './key.ts';
import type { ListQueries } from './list-queries.ts';
import type { ListTurns } from './list-turns.ts';
import { createOrderWaits } from './order-waits.ts';
import type { Route } from './routes.ts';
import { createSingleReads } from './single-reads.ts';
import { transferCommandRoutes } from './transfer-commands.ts';
import { orderListRoutes, orderRoutes } from './transfer-queries.ts';
import { createFindWallet, flowListRoute, walletListRoute, walletRoutes } from './wallets.ts';
import { webhookRoutes } from './webhooks.ts';

/** What the endpoints are made of. */
interface ApiParts {
  readonly collections: Pick<Collections, 'orders' | 'wallets'>;
  readonly lists: ReturnType<typeof openLists>;
  readonly queries: ListQueries;
  readonly inTurn: ListTurns;
  readonly throughFailover: ThroughFailover;
  /** Present on a sharded cluster: each query of single reads is then for one workspace, and waits for its turn. */
  readonly readTurns: Turns | undefined;
  /** The same for webhooks, so that a shard that does not answer holds up nobody else. */
  readonly webhookTurns: Turns | undefined;
  readonly acceptor: Acceptor;
  readonly notices: PostedNotices;
  readonly endpoints: Endpoints;
  readonly currencies: Currencies;
  readonly present: Presenter;
  /** For a key without a rate of its own. */
  readonly usualRate: KeyRate;
  readonly clock: Clock;
}

/** Every endpoint of the API; what is not here is denied. The first route that matches wins. */
export function apiRoutes(parts: ApiParts): Route[] {
  const { lists, queries, inTurn, throughFailover, readTurns, acceptor, currencies, present, clock } = parts;
  const { orders, wallets } = parts.collections;
  const findWallet = createFindWallet(createSingleReads(wallets.findVisible, throughFailover, readTurns));
  const findOrder = createSingleReads(orders.findMany, throughFailover, readTurns);
  // All endpoints together have one bound on who waits.
  const findForWait = createWorkspaceBatcher(readTurns, { flush: orders.findMany });
  const find = (workspaceId: string, idOrBizId: string) => findForWait({ workspaceId, idOrBizId });
  const waits = createOrderWaits({ find }, parts.notices);
  return [
    walletListRoute(lists.walletLists, queries, inTurn, present),
    ...walletRoutes(findWallet, present, clock),
    flowListRoute(findWallet, lists.flowLists, queries, inTurn, present),
    // The orders of a wallet come before single orders: their path wins over that of `completed`.
    ...orderListRoutes(findWallet, lists.orderLists, queries, inTurn, present),
    ...orderRoutes(findOrder, waits, present),
    ...transferCommandRoutes(acceptor, waits, currencies, present),
    ...keyRoutes(currencies, parts.usualRate, clock),
    ...webhookRoutes(parts.endpoints, parts.webhookTurns),
  ];
}
