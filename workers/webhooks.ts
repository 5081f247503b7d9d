import type { MasterKeys } from '../src/auth/secrets.ts';
import type { WorkerSettings } from '../src/settings/config.ts';
import type { Start } from '../src/lifecycle.ts';
import { createPresenter } from '../src/orders/present.ts';
import { startWebhookConsumer } from '../src/queue/webhook-queue.ts';
import { createReplayPace } from '../src/redis/webhook-limits.ts';
import { openCollections } from '../src/storage/collections.ts';
import { startWebhookChecks } from '../src/webhooks/checks.ts';
import { deliver, type DeliveryContext } from '../src/webhooks/deliver.ts';
import { createWebhookSender } from '../src/webhooks/send.ts';
import type { Connected } from './connect.ts';

/** Sends webhooks, and wakes those that are due. */
export function startSendingWebhooks(
  { settings, log }: Start<WorkerSettings>,
  { storage, commandRedis, workerRedis, clock, currencies, observers, webhookQueue: queue, leaseCandidate }: Connected,
  masterKeys: MasterKeys,
) {
  const { QUEUE_PREFIX: prefix, WEBHOOK_ALLOW_LOCAL: allowsLocal } = settings;
  const collections = openCollections(storage.db, clock);
  const sender = createWebhookSender({ allowsLocal, clock });
  const context: DeliveryContext = {
    ...{ collections, sender, masterKeys, queue, log, clock },
    replayPace: createReplayPace(commandRedis, prefix),
    present: createPresenter(currencies.current),
    observe: observers.webhooks,
  };
  const jobs = { redis: workerRedis, prefix, mayWork: leaseCandidate.mayWork };
  const consumer = startWebhookConsumer(jobs, (endpoint, signal) => deliver(context, endpoint, signal), log);
  const checks = startWebhookChecks(collections.webhookEndpoints, queue, leaseCandidate, clock, log);
  return {
    async close(): Promise<void> {
      await Promise.all([consumer.close(), checks.close()]);
      sender.close();
    },
  };
}
