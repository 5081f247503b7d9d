import type { MasterKeys } from '../src/auth/secrets.ts';
import type { WorkerSettings } from '../src/settings/config.ts';
import type { Start } from '../src/lifecycle.ts';
import { createPresenter } from '../src/orders/present.ts';
import { startWebhookConsumer } from '../src/queue/webhook-queue.ts';
import { createReplayPace } from '../src/redis/webhook-limits.ts';
import { openCollections } from '../src/storage/collections.ts';
import { createAttempts } from '../src/webhooks/attempts.ts';
import { startWebhookChecks } from '../src/webhooks/checks.ts';
import { createDeliver } from '../src/webhooks/deliver.ts';
import { createRunRecorder } from '../src/webhooks/run-result.ts';
import { createRun } from '../src/webhooks/run.ts';
import { createWebhookSender } from '../src/webhooks/send.ts';
import { targetRules } from '../src/webhooks/target.ts';
import type { Connected } from './connect.ts';

/** Sends webhooks, and wakes those that are due. */
export function startSendingWebhooks(
  { settings, log }: Start<WorkerSettings>,
  { storage, commandRedis, workerRedis, clock, currencies, observers, webhookQueue: queue, turn }: Connected,
  masterKeys: MasterKeys,
) {
  const { QUEUE_PREFIX: prefix, WEBHOOK_ALLOW_LOCAL: allowsLocal } = settings;
  const collections = openCollections(storage.db, clock);
  const sender = createWebhookSender({ rules: targetRules(allowsLocal), clock });
  const deliver = createDeliver(
    collections,
    createAttempts(sender, masterKeys, clock, observers.webhooks),
    createRun(collections, createReplayPace(commandRedis, prefix), createPresenter(currencies.known), clock),
    createRunRecorder(collections, queue, log),
    clock,
  );
  const consumer = startWebhookConsumer({ redis: workerRedis, prefix, mayWork: turn.mayWork }, deliver, log);
  const checks = startWebhookChecks(collections.webhookEndpoints, queue, turn, clock, log);
  return {
    async close(): Promise<void> {
      await Promise.all([consumer.close(), checks.close()]);
      sender.close();
    },
  };
}
