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
import { WalletChanges } from './audited-changes.ts';
import { balanceRoute } from './balance.ts';
import { walletChangeRoutes } from './change.ts';
import { createWalletRoute } from './create.ts';
import type { FindWallet } from './find.ts';
import { flowListRoute } from './flows.ts';
import { walletListRoute, walletRoute } from './read.ts';
import { statementRoute } from './statement.ts';

interface WalletParts {
  readonly collections: Pick<Collections, 'auditEvents' | 'wallets'>;
  readonly lists: Pick<Lists, 'walletLists' | 'flowLists' | 'statements'>;
  readonly throughFailover: ThroughFailover;
  readonly bulkheads: { readonly reads: Bulkhead | undefined };
  readonly accepting: { readonly onWalletChanged: (id: string) => Promise<void> };
  readonly currencies: Currencies;
  readonly clock: Clock;
}

/** What the routes of all resources read by. */
export interface ReadParts {
  readonly findWallet: FindWallet;
  readonly limiter: ListLimiter;
  readonly present: Presenter;
}

/** Wallets, their flows, balances and statements. */
export function walletRoutes(parts: WalletParts, reading: ReadParts): Route[] {
  const { lists, throughFailover, bulkheads, accepting, currencies, clock } = parts;
  const { statements } = lists;
  const { auditEvents, wallets } = parts.collections;
  const findReferred = createSingleReads(wallets.findReferred, throughFailover, bulkheads.reads);
  const { onWalletChanged: onChanged } = accepting;
  const changes = new WalletChanges({ wallets, auditEvents, throughFailover, clock, onChanged });
  return [
    walletListRoute({ ...reading, ...lists, currencies }),
    walletRoute(reading),
    balanceRoute({ ...reading, statements, clock }),
    statementRoute({ ...reading, statements, clock }),
    createWalletRoute({ ...reading, findReferred, changes, currencies }),
    ...walletChangeRoutes({ ...reading, changes, currencies }),
    flowListRoute({ ...reading, ...lists }),
  ];
}
