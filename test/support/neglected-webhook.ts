import { Queue } from 'bullmq';
import type { Db } from 'mongodb';
import { webhookQueueName } from '../../src/queue/webhook-queue.ts';
import type { EndpointDocument } from '../../src/storage/webhooks/endpoints.ts';
import { waitFor } from './wait-for.ts';

const neglectedMs = 20 * 60_000;

/** Has no worker come to a webhook, as though none had for 20 minutes. @returns what lets them come again. */
export async function neglectWebhook(db: Db, redisUrl: string, id: string): Promise<() => Promise<void>> {
  const queue = new Queue(webhookQueueName, { prefix: 'transfers', connection: { url: redisUrl } });
  await queue.pause();
  // A look that had begun would be noted after this one.
  await waitFor(async () => (await queue.getActiveCount()) === 0, { timeoutMs: 60_000 });
  const lookedAt = new Date(Date.now() - neglectedMs);
  await db.collection<EndpointDocument>('webhookEndpoints').updateOne({ _id: id }, { $set: { lookedAt } });
  return async () => {
    await queue.resume();
    await queue.close();
  };
}
