import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EndpointToWake } from '../../src/queue/job-data.ts';
import { createWebhookQueue, startWebhookConsumer, webhookQueueName } from '../../src/queue/webhook-queue.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const endpoint: EndpointToWake = { workspaceId: 'ws_1', endpointId: 'wh_1' };
const limits = { runMaxMs: 200, waitMaxMs: 200 };
let redis: Redis;

beforeEach(() => {
  redis = new Redis(url, { maxRetriesPerRequest: null });
});
afterEach(async () => {
  await redis.quit();
});

/** @param hanging so many turns never end. */
function startTurns(hanging: number) {
  const prefix = `webhooks-${Math.random()}`;
  const signals: AbortSignal[] = [];
  const queue = createWebhookQueue(redis, prefix);
  const deliver = (_: unknown, signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    return signals.length <= hanging ? new Promise(() => undefined) : Promise.resolve();
  };
  const log = pino({ enabled: false });
  const consumer = startWebhookConsumer({ redis, prefix, mayWork: () => true }, deliver, log, limits);
  return {
    signals,
    wake: () => {
      queue.wake([endpoint]);
    },
    /** A job that may be none of this service's, as whoever may write to Redis can add. */
    add: (data: unknown) => new Queue(webhookQueueName, { connection: redis, prefix }).add('deliver', data),
    waitingCount: () => redis.llen(`${prefix}:${webhookQueueName}:wait`),
    async close(): Promise<void> {
      await Promise.all([consumer.close(), queue.close()]);
    },
  };
}

it('an endpoint whose turn hangs gets another one, and the one that hung is told that it is over', async () => {
  const turns = startTurns(1);
  turns.wake();
  await waitFor(() => turns.signals.length === 1);
  turns.wake();
  await waitFor(() => turns.signals.length === 2);
  expect(turns.signals[0]?.aborted).toBe(true);
  await turns.close();
});

it('an endpoint that is woken while its turn is under way has one more afterwards, however often it was woken', async () => {
  const turns = startTurns(0);
  for (let times = 0; times < 5; times += 1) turns.wake();
  await waitFor(() => turns.signals.length > 0);
  turns.wake();
  await waitFor(() => turns.signals.length === 2);
  await turns.close();
});

it.each([
  ['seven workspaces with ten receivers each', 7, 10],
  ['eighty workspaces with one receiver each', 80, 1],
])('%s that hang delay no other’s', async (_, workspaces, endpoints) => {
  const prefix = `webhooks-${Math.random()}`;
  const queue = createWebhookQueue(redis, prefix);
  const served: string[] = [];
  const hanging = Promise.withResolvers<undefined>();
  const deliver = async ({ workspaceId, endpointId }: EndpointToWake): Promise<void> => {
    served.push(endpointId);
    if (workspaceId !== 'ws_quick') await hanging.promise;
  };
  const consumer = startWebhookConsumer({ redis, prefix, mayWork: () => true }, deliver, pino({ enabled: false }));
  const wake = (workspaceId: string, endpoints: number): void => {
    queue.wake(
      Array.from({ length: endpoints }, (_, index) => ({ workspaceId, endpointId: `${workspaceId}_${index}` })),
    );
  };
  for (let workspace = 0; workspace < workspaces; workspace += 1) wake(`ws_slow_${workspace}`, endpoints);
  await waitFor(() => served.length > 35);
  wake('ws_quick', 3);
  await waitFor(() => served.filter((id) => id.startsWith('ws_quick')).length === 3);
  hanging.resolve(undefined);
  await waitFor(() => served.length === workspaces * endpoints + 3);
  await Promise.all([consumer.close(), queue.close()]);
});

it.each([null, 'x', { workspaceId: { $ne: null }, endpointId: 'wh_1' }])('serves no job such as %j', async (data) => {
  const turns = startTurns(0);
  await turns.add(data);
  await waitFor(async () => (await turns.waitingCount()) === 0);
  turns.wake();
  await waitFor(() => turns.signals.length > 0);
  await turns.close();
  expect(turns.signals).toHaveLength(1);
});
