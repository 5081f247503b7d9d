import type { Db } from 'mongodb';
import { systemClock, type Clock } from '../clock.ts';
import { openApiKeys } from './keys/api-keys.ts';
import { openAuditEvents } from './audit.ts';
import { openCancels } from './orders/cancel.ts';
import { openDueOrders } from './orders/due.ts';
import { openBacklog } from './orders/backlog.ts';
import { openCurrencyRecord } from './currencies.ts';
import { openLeases } from './leases.ts';
import { openLookups } from './lookups.ts';
import { openKeyBudgets } from './keys/budgets.ts';
import { openKeyCheckValues } from './keys/key-check-values.ts';
import { openOrders } from './orders/orders.ts';
import { openPostingPause } from './posting-pause.ts';
import { openSignedRequests } from './signed-requests.ts';
import { openQueueRecord } from './processes/queue-record.ts';
import { openProcessReports } from './processes/reports.ts';
import { openStuckOrders } from './orders/stuck-orders.ts';
import { openWebhookBacklog } from './webhooks/backlog.ts';
import { openWebhookDeliveries } from './webhooks/deliveries.ts';
import { openWebhookEndpoints } from './webhooks/endpoints.ts';
import { openWebhookOutbox } from './webhooks/outbox.ts';
import { openWallets } from './wallets/wallets.ts';
import { openTestClocks } from './test-clocks.ts';
import { openWindows } from './flows/windows.ts';
import { openRemains } from './remains.ts';
import { openWorkspaces } from './workspaces.ts';

export type Collections = ReturnType<typeof openCollections>;

/** Every collection of the service's database; what people list and search is opened by src/reading. @param clock dates what is stored. */
export function openCollections(db: Db, clock: Clock = systemClock) {
  const testClocks = openTestClocks(db, clock);
  const { clockOf } = testClocks;
  return {
    apiKeys: openApiKeys(db, clock),
    auditEvents: openAuditEvents(db, clock),
    backlog: openBacklog(db, clock),
    cancelOrder: openCancels(db, testClocks.dateIn),
    currencyRecord: openCurrencyRecord(db),
    dueOrders: openDueOrders(db),
    leases: openLeases(db),
    lookups: openLookups(db),
    keyBudgets: openKeyBudgets(db),
    keyCheckValues: openKeyCheckValues(db),
    orders: openOrders(db),
    postingPause: openPostingPause(db),
    processReports: openProcessReports(db),
    queueRecord: openQueueRecord(db),
    remainsOf: openRemains(db),
    signedRequests: openSignedRequests(db, clock),
    stuckOrders: openStuckOrders(db, clock),
    testClocks,
    wallets: openWallets(db, clockOf),
    readBeforeWindows: openWindows(db),
    webhookBacklog: openWebhookBacklog(db),
    webhookDeliveries: openWebhookDeliveries(db, clockOf),
    webhookEndpoints: openWebhookEndpoints(db, clock, clockOf),
    webhookOutbox: openWebhookOutbox(db),
    workspaces: openWorkspaces(db, clock),
  };
}
