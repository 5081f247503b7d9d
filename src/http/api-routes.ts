import type { Acceptor } from '../accepting/accept.ts';
import type { BatchAcceptor } from '../accepting/batch.ts';
import type { PrepareCancel } from '../accepting/cancel.ts';
import type { Previewer } from '../accepting/preview.ts';
import type { Clock } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import { createPresenter } from '../orders/present.ts';
import { transfer } from '../orders/transfer.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Lists } from '../reading/lists.ts';
import type { Collections } from '../storage/collections.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { keyRoute } from './key/read.ts';
import { createListLimiter } from './lists/limiter.ts';
import type { RouteParts } from './parts.ts';
import type { Route } from './route.ts';
import { createSingleReads } from './single-reads.ts';
import { createCommandBody } from './transfers/command-body.ts';
import { transferRoutes } from './transfers/routes.ts';
import { createOrderWaits } from './transfers/waits.ts';
import { WalletChanges } from './wallets/audited-changes.ts';
import { createFindWallet } from './wallets/find.ts';
import { walletRoutes } from './wallets/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** What the parts of routes are made of. */
export interface ApiSources {
  readonly collections: Pick<Collections, 'orders' | 'auditEvents' | 'wallets'>;
  readonly lists: Lists;
  readonly throughFailover: ThroughFailover;
  /** Present on a sharded cluster, so that a shard that does not answer holds up nobody else. */
  readonly bulkheads: { readonly reads: Bulkhead | undefined; readonly webhooks: Bulkhead | undefined };
  readonly accepting: {
    readonly acceptor: Acceptor;
    readonly batches: BatchAcceptor;
    readonly previewer: Previewer;
    readonly prepareCancel: PrepareCancel;
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

/** Every endpoint of the API, a line a resource; what is not here is denied. The first route that matches wins. */
export function apiRoutes(sources: ApiSources): Route[] {
  const parts = partsOf(sources);
  return [
    ...walletRoutes(parts),
    ...transferRoutes(parts),
    keyRoute(parts),
    ...webhookRoutes(parts, sources.bulkheads.webhooks),
  ];
}

function partsOf(sources: ApiSources): RouteParts {
  const { lists, accepting, currencies, clock, throughFailover, usualRate, endpoints, notices } = sources;
  const { orders, wallets, auditEvents } = sources.collections;
  const { reads } = sources.bulkheads;
  const findForWait = createWorkspaceBatcher(reads, orders.findShown);
  const { onWalletChanged: onChanged } = accepting;
  return {
    ...{ ...lists, ...accepting, currencies, clock, throughFailover, usualRate, endpoints },
    present: createPresenter(currencies),
    limiter: createListLimiter(throughFailover),
    findWallet: createFindWallet(createSingleReads(wallets.findVisible, throughFailover, reads)),
    findReferred: createSingleReads(wallets.findReferred, throughFailover, reads),
    changes: new WalletChanges({ wallets, auditEvents, throughFailover, clock, onChanged }),
    findOrder: createSingleReads(orders.findShown, throughFailover, reads),
    waits: createOrderWaits((references) => Promise.all(references.map(findForWait)), notices),
    createBody: createCommandBody(transfer.name, transfer.command, currencies),
  };
}
