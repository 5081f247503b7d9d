import type { Route } from './routes.ts';
import { transferCommandRoutes } from './transferCommands.ts';
import type { TransferCommandTools } from './transferCommands.ts';
import { transferQueryRoutes } from './transferQueries.ts';
import type { TransferQueryTools } from './transferQueries.ts';
import { walletRoutes } from './wallets.ts';
import type { WalletTools } from './wallets.ts';

/** Every endpoint of the API; what is not here is denied. */
export function apiRoutes(tools: WalletTools & TransferQueryTools & TransferCommandTools): Route[] {
  return [...walletRoutes(tools), ...transferQueryRoutes(tools), ...transferCommandRoutes(tools)];
}
