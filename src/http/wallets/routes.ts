import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { balanceRoute } from './balance.ts';
import { walletChangeRoutes } from './change.ts';
import { createWalletRoute } from './create.ts';
import { flowListRoute } from './flows.ts';
import { walletListRoute, walletRoute } from './read.ts';
import { statementRoute } from './statement.ts';

/** Wallets, their flows, balances and statements. */
export function walletRoutes(parts: RouteParts): Route[] {
  return [
    walletListRoute(parts),
    walletRoute(parts),
    balanceRoute(parts),
    statementRoute(parts),
    createWalletRoute(parts),
    ...walletChangeRoutes(parts),
    flowListRoute(parts),
  ];
}
