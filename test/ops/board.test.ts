import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postingQueueName } from '../../src/queue/posting-queue.ts';
import { startService, type RunningService } from '../support/service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService({ workers: 0 });
});
afterAll(() => service.stop());

const api = async <T>(path: string) => (await (await fetch(`${service.opsUrl}/queues/api/queues${path}`)).json()) as T;
describe('the queue board', () => {
  it('shows a job that is none of this service’s, which whoever may write to Redis can add', async () => {
    const queue = new Queue(postingQueueName, { connection: { url: service.redisUrl }, prefix: 'transfers' });
    const { id } = await queue.add('post', { bucket: 'x' });
    await queue.close();
    const path = `?activeQueue=${encodeURIComponent(postingQueueName)}&status=waiting&page=1`;
    const [board] = (await api<{ queues: { jobs: { id: string }[] }[] }>(path)).queues;
    expect(board?.jobs.map((job) => job.id)).toContain(id);
  });
});
