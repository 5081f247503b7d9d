import type { Acceptor } from '../accepting/accept.ts';
import type { BatchAcceptor } from '../accepting/batch.ts';
import type { PrepareCancel } from '../accepting/cancel.ts';
import type { Previewer } from '../accepting/preview.ts';
import type { Clock } from '../clock.ts';
import type { KeyBudgets } from '../domain/budgets.ts';
import type { Currencies } from '../domain/currency.ts';
import { createPresenter } from '../orders/present.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Lists } from '../reading/lists.ts';
import type { IsFirstTime } from '../redis/first-times.ts';
import type { TestTime } from '../scheduling/advance.ts';
import type { Collections } from '../storage/collections.ts';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';
import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { createListLimiter } from './lists/limiter.ts';
import { createSingleReads } from './single-reads.ts';
import { createCommandBodies } from './transfers/command-body.ts';
import { createSimulations } from './transfers/simulations.ts';
import { createOrderWaits } from './transfers/waits.ts';
import { createWalletChanges } from './wallets/audited-changes.ts';
import { createFindWallet } from './wallets/find.ts';

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

/** What routes are made of. Each takes the parts that it needs, by name. */
export type RouteParts = ReturnType<typeof createParts>;

export function createParts(sources: ApiSources) {
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
    // The clock tells the real time. By what `clockOf` finds a workspace's orders and wallets go.
    ...{ ...lists, ...accepting, currencies, clock, clockOf, testTime, throughFailover, usualRate, endpoints },
    present: createPresenter(currencies),
    /** One for the lists of all resources. */
    limiter: createListLimiter(throughFailover),
    findWallet: createFindWallet(createSingleReads(wallets.findVisible, throughFailover, reads)),
    /** By the client's own reference. */
    findReferred: createSingleReads(wallets.findReferred, throughFailover, reads),
    changes: createWalletChanges({ wallets, auditEvents, throughFailover, currencies, clock, clockOf, onChanged }),
    /** What the use of limits follows from. */
    readBeforeWindows,
    findBudgets: createSingleReads(findBudgets, throughFailover, reads),
    findOrder: createSingleReads(orders.findShown, throughFailover, reads),
    /** One for all routes, so that they have one bound on who waits. */
    waits: createOrderWaits((references) => Promise.all(references.map(findForWait)), notices),
    simulations: createSimulations(sources.isFirstTime),
    commandBodies: createCommandBodies(currencies),
  };
}
