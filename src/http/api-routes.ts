import { createWorkspaceBatcher } from '../batcher.ts';
import type { PostedNotices } from '../queue/notices.ts';
import { keyRoutes, type KeyTools } from './key.ts';
import { createOrderWaits } from './order-waits.ts';
import type { Route } from './routes.ts';
import { transferCommandRoutes, type TransferCommandTools } from './transfer-commands.ts';
import { transferQueryRoutes, type TransferQueryTools } from './transfer-queries.ts';
import { webhookRoutes, type WebhookTools } from './webhooks.ts';
import { walletRoutes, type WalletTools } from './wallets.ts';

type RouteTools = KeyTools & WalletTools & WebhookTools & Omit<TransferQueryTools & TransferCommandTools, 'waits'>;

/** Every endpoint of the API; what is not here is denied. */
export function apiRoutes(tools: RouteTools & { readonly notices: PostedNotices }): Route[] {
  // All endpoints together have one bound on who waits.
  const { orders, notices, turns } = tools;
  const findOne = createWorkspaceBatcher(turns, { flush: orders.findMany });
  const find = (workspaceId: string, idOrBizId: string) => findOne({ workspaceId, idOrBizId });
  const waits = createOrderWaits({ find }, notices);
  return [
    ...walletRoutes(tools),
    ...transferQueryRoutes({ ...tools, waits }),
    ...transferCommandRoutes({ ...tools, waits }),
    ...keyRoutes(tools),
    ...webhookRoutes(tools),
  ];
}
