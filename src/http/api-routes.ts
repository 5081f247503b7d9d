import type { Route } from './routes.ts';
import { transferCommandRoutes } from './transfer-commands.ts';
import type { TransferCommandTools } from './transfer-commands.ts';
import { transferQueryRoutes } from './transfer-queries.ts';
import type { TransferQueryTools } from './transfer-queries.ts';
import { walletRoutes } from './wallets.ts';
import type { WalletTools } from './wallets.ts';

/** Every endpoint of the API; what is not here is denied. */
export function apiRoutes(tools: WalletTools & TransferQueryTools & TransferCommandTools): Route[] {
  return [...walletRoutes(tools), ...transferQueryRoutes(tools), ...transferCommandRoutes(tools)];
}
