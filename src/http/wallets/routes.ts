import type { Clock } from '../../clock.ts';
import type { Currencies } from '../../domain/currency.ts';
import type { Presenter } from '../../orders/present.ts';
import type { Lists } from '../../reading/lists.ts';
import type { Collections } from '../../storage/collections.ts';
import type { ThroughFailover } from '../../waiting/failover.ts';
import type { Bulkhead } from '../../waiting/bulkhead.ts';
import type { ListLimiter } from '../lists/limiter.ts';
import type { Route } from '../route.ts';
import { createSingleReads } from '../single-reads.ts';
import { createAuditedFor, createWalletChanges } from './audited-changes.ts';
import { createWalletRoute, walletChangeRoutes } from './change.ts';
import type { FindWallet } from './find.ts';
import { flowListRoute } from './flows.ts';
import { walletListRoute, walletRoute } from './read.ts';
import { balanceRoute, statementRoute } from './statement.ts';

interface WalletParts {
  readonly collections: Pick<Collections, 'auditEvents' | 'wallets'>;
  readonly lists: Pick<Lists, 'walletLists' | 'flowLists' | 'statements'>;
  readonly throughFailover: ThroughFailover;
  readonly bulkheads: { readonly reads: Bulkhead | undefined };
  readonly accepting: { readonly onWalletChanged: (id: string) => Promise<void> };
  readonly currencies: Currencies;
  readonly clock: Clock;
}

/** What the lists of all resources share. */
export interface SharedByLists {
  readonly findWallet: FindWallet;
  readonly limiter: ListLimiter;
  readonly present: Presenter;
}

/** Wallets, their flows, balances and statements. */
export function walletRoutes(parts: WalletParts, { findWallet, limiter, present }: SharedByLists): Route[] {
  const { lists, throughFailover, bulkheads, accepting, currencies, clock } = parts;
  const { auditEvents, wallets } = parts.collections;
  const findReferred = createSingleReads(wallets.findReferred, throughFailover, bulkheads.reads);
  const auditedFor = createAuditedFor(auditEvents, throughFailover, clock);
  const changes = createWalletChanges(wallets, auditedFor, throughFailover, clock, accepting.onWalletChanged);
  return [
    walletListRoute(lists.walletLists, currencies, limiter, present),
    walletRoute(findWallet, present),
    balanceRoute(findWallet, lists.statements, limiter, present, clock),
    statementRoute(findWallet, lists.statements, limiter, present, clock),
    createWalletRoute(findReferred, changes, currencies, present),
    ...walletChangeRoutes(findWallet, changes, currencies, present),
    flowListRoute(findWallet, lists.flowLists, limiter, present),
  ];
}
