import { MongoClient } from 'mongodb';
import { expect, it, onTestFinished } from 'vitest';
import type { Member } from '../support/members.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

const stopMaxMs = 20_000;
const sentWithinMs = 60_000;

it('a worker that posts sends no webhooks, and one that sends them posts nothing', async () => {
  const receiver = await startReceiver();
  const service = await startService({ workers: 0, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
  const mongo = await MongoClient.connect(service.mongodbUri);
  onTestFinished(async () => {
    await mongo.close();
    await service.stop();
    await receiver.close();
  });
  const start = (WORKER_ROLE: string, more = {}): Promise<Member> => service.startWorker({ WORKER_ROLE, ...more });
  const kinds = async () => (await mongo.db().collection<{ kind: string }>('posters').distinct('kind')).toSorted();

  const posting = await start('posting', { MASTER_KEYS: '' });
  const workspace = await createWorkspace(service);
  const { client } = workspace;
  const webhookId = await workspace.webhook(receiver.url);
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('5'), await workspace.wallet()];
  const transfer = async () => {
    const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
    const made = await client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', { body });
    const path = `/api/v1/transfer/query/orders/${made.envelope?.data.transferId ?? ''}`;
    return async () => (await client.request<{ status: string }>('GET', path)).envelope?.data.status;
  };
  const first = await transfer();
  await waitFor(async () => (await first()) === 'COMPLETED');
  // Whoever sends webhooks holds this lease, to look for those that are due.
  expect(
    await mongo
      .db()
      .collection('leases')
      .countDocuments({ _id: 'webhook-checks' as never }),
  ).toBe(0);
  expect(receiver.received).toEqual([]);
  expect(await kinds()).toEqual(['web', 'worker']);

  await posting.stop(stopMaxMs);
  await start('webhooks');
  await waitFor(() => receiver.received.some(({ body }) => body.includes('transfer.completed')), {
    timeoutMs: sentWithinMs,
  });
  const second = await transfer();
  await client.request('POST', `/api/v1/webhooks/${webhookId}/test`);
  await waitFor(() => receiver.received.some(({ body }) => body.includes('webhook.test')), { timeoutMs: sentWithinMs });
  expect(await second()).toBe('PENDING');
  expect(await kinds()).toContain('webhooks');

  await start('posting');
  await waitFor(async () => (await second()) === 'COMPLETED');
});
