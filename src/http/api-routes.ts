import type { Acceptor } from '../accepting/accept.ts';
import type { BatchAcceptor } from '../accepting/batch.ts';
import type { Previewer } from '../accepting/preview.ts';
import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import type { Clock } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import { transfer } from '../orders/transfer.ts';
import { createPresenter } from '../orders/present.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Collections, openLists } from '../storage/collections.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { cancelRoute, type Cancel } from './transfers/cancel.ts';
import { createCommandBody } from './command-body.ts';
import { keyRoutes } from './key/routes.ts';
import { createListQueries } from './lists/queries.ts';
import { createListTurns } from './lists/turns.ts';
import { createOrderWaits } from './transfers/waits.ts';
import type { Route } from './route.ts';
import { balanceRoute, statementRoute } from './wallets/statement.ts';
import { batchRoute } from './transfers/batch.ts';
import { transferCommandRoutes } from './transfers/create.ts';
import { previewRoute } from './transfers/preview.ts';
import { orderListRoutes, orderRoutes } from './transfers/read.ts';
import { createAuditedFor, createWalletChanges } from './wallets/audited-changes.ts';
import { createWalletRoute, walletChangeRoutes } from './wallets/change.ts';
import { createFindWallet, flowListRoute, walletListRoute, walletRoute } from './wallets/read.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** What the endpoints are made of. */
interface ApiParts {
  readonly collections: Pick<Collections, 'orders' | 'auditEvents' | 'wallets'>;
  readonly lists: ReturnType<typeof openLists>;
  readonly throughFailover: ThroughFailover;
  /** Present on a sharded cluster, so that a shard that does not answer holds up nobody else. */
  readonly bulkheads: { readonly reads: Bulkhead | undefined; readonly webhooks: Bulkhead | undefined };
  readonly accepting: {
    readonly acceptor: Acceptor;
    readonly batches: BatchAcceptor;
    readonly previewer: Previewer;
    readonly cancel: Cancel;
    /** Told of a wallet that was changed. */
    readonly onWalletChanged: (id: string) => Promise<void>;
  };
  readonly notices: PostedNotices;
  readonly endpoints: Endpoints;
  readonly currencies: Currencies;
  /** For a key without a rate of its own. */
  readonly usualRate: KeyRate;
  readonly clock: Clock;
}

/** Every endpoint of the API; what is not here is denied. The first route that matches wins. */
export function apiRoutes(parts: ApiParts): Route[] {
  const { lists, throughFailover, bulkheads, accepting, currencies, clock } = parts;
  const { auditEvents, orders, wallets } = parts.collections;
  const present = createPresenter(currencies);
  const queries = createListQueries(currencies);
  const inTurn = createListTurns(throughFailover);
  const findWallet = createFindWallet(createSingleReads(wallets.findVisible, throughFailover, bulkheads.reads));
  const findReferred = createSingleReads(wallets.findReferred, throughFailover, bulkheads.reads);
  const auditedFor = createAuditedFor(auditEvents, throughFailover, clock);
  const changes = createWalletChanges(wallets, auditedFor, throughFailover, clock, accepting.onWalletChanged);
  const findOrder = createSingleReads(orders.findMany, throughFailover, bulkheads.reads);
  const findShown = createSingleReads(orders.findShown, throughFailover, bulkheads.reads);
  // All endpoints together have one bound on who waits.
  const findForWait = createWorkspaceBatcher(bulkheads.reads, orders.findShown);
  const waits = createOrderWaits((references) => Promise.all(references.map(findForWait)), parts.notices);
  const createBody = createCommandBody(transfer.name, transfer.command, currencies);
  return [
    walletListRoute(lists.walletLists, queries, inTurn, present),
    walletRoute(findWallet, present),
    balanceRoute(findWallet, lists.statements, inTurn, present, clock),
    statementRoute(findWallet, lists.statements, inTurn, present, clock),
    createWalletRoute(findReferred, changes, currencies, present),
    ...walletChangeRoutes(findWallet, changes, currencies, present),
    flowListRoute(findWallet, lists.flowLists, queries, inTurn, present),
    // The orders of a wallet come before single orders: their path wins over that of `completed`.
    ...orderListRoutes(findWallet, lists.orderLists, queries, inTurn, present),
    ...orderRoutes(findShown, waits, present),
    ...transferCommandRoutes(accepting.acceptor, waits, currencies, present),
    batchRoute(accepting.batches, waits, createBody, present),
    previewRoute(accepting.previewer, throughFailover, createBody, present),
    cancelRoute(findOrder, accepting.cancel, throughFailover, present),
    ...keyRoutes(currencies, parts.usualRate, clock),
    ...webhookRoutes(parts.endpoints, bulkheads.webhooks, clock),
  ];
}

/**
 * Reads that arrive together share a query, whatever keys they come from; see {@link createWorkspaceBatcher}. They wait only
 * for other reads, never for creates. A read begins after its request arrived, so a client never sees less than an earlier
 * answer showed it. Each waits out an election for as long as its own request has time.
 * @param findMany answers each reference, in order; undefined if it finds nothing.
 * @param bulkhead present on a sharded cluster: each query is then for one workspace, and waits for a permit.
 */
export function createSingleReads<Reference extends { readonly workspaceId: string }, Found>(
  findMany: (references: readonly Reference[]) => Promise<readonly (Found | undefined)[]>,
  throughFailover: ThroughFailover,
  bulkhead?: Bulkhead,
): (reference: Reference, timeLeftMs: () => number) => Promise<Found | undefined> {
  const find = createWorkspaceBatcher<Reference, Found | undefined>(bulkhead, findMany);
  return (reference, timeLeftMs) => throughFailover(reference.workspaceId, () => find(reference), timeLeftMs);
}
