import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueNameOf } from '../../src/queue/queue.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

interface ShownQueue {
  displayName: string;
  counts: { waiting: number; active: number; failed: number };
  hasWorkers: boolean | null;
}

const stopTimeoutMs = 20_000;

let service: RunningService;
let workspace: TestWorkspace;
let wallets: { sourceWalletId: string; targetWalletId: string };

beforeAll(async () => {
  service = await startService({ workers: 1, env: { POSTING_PARTITIONS: '1' } });
  workspace = await createWorkspace(service);
  wallets = { sourceWalletId: await workspace.wallet('100'), targetWalletId: await workspace.wallet() };
});
afterAll(() => service.stop());

const api = async <T>(path: string) => (await (await fetch(`${service.opsUrl}/queues/api/queues${path}`)).json()) as T;
const shown = async (isThat: (queue: ShownQueue) => boolean): Promise<ShownQueue> =>
  waitFor(async () => (await api<{ queues: ShownQueue[] }>('')).queues.find(isThat));

async function transfer(): Promise<void> {
  const body = { ...wallets, amount: '1', currency: 'USD' };
  expect((await workspace.client.request('POST', '/api/v1/transfer/command/create', { body })).status).toBe(200);
}

describe('a partition on the queue board', () => {
  it('names the worker that consumes it, and says when none does', async () => {
    await shown(({ hasWorkers }) => hasWorkers === true);
    const { workers } = await api<{ workers: { name: string; age: number }[] }>('/%7Bposting-0%7D/workers');
    expect(workers).toHaveLength(1);
    expect(workers[0]?.name).toContain(service.workers[0]?.ownId);

    await service.workers[0]?.stop(stopTimeoutMs);
    await shown(({ hasWorkers }) => hasWorkers === false);
    await transfer();
    await shown(({ displayName, counts }) => counts.waiting === 1 && displayName === 'Partition 0');
  });

  it('shows a job that is none of this service’s, which whoever may write to Redis can add', async () => {
    const queue = new Queue(queueNameOf(0), { connection: { url: service.redisUrl }, prefix: 'transfers' });
    const { id } = await queue.add('post', { batches: 'x' });
    await queue.close();
    const path = `?activeQueue=${encodeURIComponent(queueNameOf(0))}&status=waiting&page=1`;
    const [board] = (await api<{ queues: { jobs: { id: string }[] }[] }>(path)).queues;
    expect(board?.jobs.map((job) => job.id)).toContain(id);
  });
});
