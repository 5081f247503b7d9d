import type { Db } from 'mongodb';
import { openApiKeys } from './apiKeys.ts';
import { openAuditEvents } from './audit.ts';
import { openFlows } from './flows.ts';
import { openLeases } from './leases.ts';
import { openOrders } from './orders.ts';
import { openWallets } from './wallets.ts';
import { openWorkspaces } from './workspaces.ts';

export type Collections = ReturnType<typeof openCollections>;

/** Every collection of the service's database. */
export function openCollections(db: Db) {
  return {
    apiKeys: openApiKeys(db),
    auditEvents: openAuditEvents(db),
    flows: openFlows(db),
    leases: openLeases(db),
    orders: openOrders(db),
    wallets: openWallets(db),
    workspaces: openWorkspaces(db),
  };
}
