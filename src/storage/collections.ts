import type { Db } from 'mongodb';
import { systemClock, type Clock } from '../clock.ts';
import { openApiKeys } from './api-keys.ts';
import { openAuditEvents } from './audit.ts';
import { openBacklog } from './backlog.ts';
import { openCurrencyRecord } from './currency-record.ts';
import { openLeases } from './leases.ts';
import { openLookups } from './lookups.ts';
import { openMasterKeyCanaries } from './master-key-canaries.ts';
import { openOrders } from './orders.ts';
import { openPendingOrders } from './pending-orders.ts';
import { openPartitioning } from './partitioning.ts';
import { openSignedRequests } from './signed-requests.ts';
import { openQueueRecord } from './queue-record.ts';
import { openQueueSights } from './queue-sights.ts';
import { openWorkers } from './workers.ts';
import { openStuckOrders } from './stuck-orders.ts';
import { openWebhookBacklog } from './webhook-backlog.ts';
import { openWebhookDeliveries } from './webhook-deliveries.ts';
import { openWebhookEndpoints } from './webhook-endpoints.ts';
import { openWebhookOutbox } from './webhook-outbox.ts';
import { openWallets } from './wallets.ts';
import { openWorkspaces } from './workspaces.ts';

export type Collections = ReturnType<typeof openCollections>;

/** Every collection of the service's database; what clients list is opened apart (lists.ts). @param clock dates what is stored. */
export function openCollections(db: Db, clock: Clock = systemClock) {
  return {
    apiKeys: openApiKeys(db, clock),
    auditEvents: openAuditEvents(db, clock),
    backlog: openBacklog(db),
    currencyRecord: openCurrencyRecord(db),
    leases: openLeases(db),
    lookups: openLookups(db),
    masterKeyCanaries: openMasterKeyCanaries(db),
    orders: openOrders(db),
    partitioning: openPartitioning(db),
    pendingOrders: openPendingOrders(db, clock),
    queueRecord: openQueueRecord(db),
    queueSights: openQueueSights(db),
    signedRequests: openSignedRequests(db, clock),
    workers: openWorkers(db),
    stuckOrders: openStuckOrders(db, clock),
    wallets: openWallets(db, clock),
    webhookBacklog: openWebhookBacklog(db),
    webhookDeliveries: openWebhookDeliveries(db, clock),
    webhookEndpoints: openWebhookEndpoints(db, clock),
    webhookOutbox: openWebhookOutbox(db),
    workspaces: openWorkspaces(db, clock),
  };
}
