import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

let service: RunningService;
let workspace: TestWorkspace;
let sides: { sourceWalletId: string; targetWalletId: string };
beforeAll(async () => {
  service = await startService({ workers: 1 });
  workspace = await createWorkspace(service);
  sides = { sourceWalletId: await workspace.wallet('100'), targetWalletId: await workspace.wallet() };
});
afterAll(() => service.stop());

async function transfer(): Promise<string> {
  const body = { ...sides, amount: '1', currency: 'USD' };
  const { envelope } = await workspace.client.request('POST', '/api/v1/transfer/command/create', { body });
  return (envelope?.data as { transferId: string }).transferId;
}

async function statusOf(transferId: string): Promise<string> {
  const { envelope } = await workspace.client.request('GET', `/api/v1/transfer/query/orders/${transferId}`);
  return (envelope?.data as { status: string }).status;
}

it.each(['posting', 'partitions'])(
  '"%s pause" holds when Redis is emptied and workers start anew, until it is resumed',
  async (noun) => {
    const change = (verb: string) => service.admin(noun, verb, '--reason', 'a migration');
    expect(await change('pause')).toEqual({ isPaused: true });
    expect(await service.admin('posting', 'show')).toEqual({ isPaused: true });
    await service.workers.at(-1)?.stop(10_000);
    const redis = new Redis(service.redisUrl);
    await redis.flushdb();
    redis.disconnect();
    const waiting = await transfer();
    await service.startWorker();
    const opsPort = (await service.webs[0]?.ready)?.opsPort ?? 0;
    await waitFor(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      return /^transfers_posting_paused 1$/m.test(metrics) && /^transfers_workers_alive 1$/m.test(metrics);
    });
    expect(await statusOf(waiting)).toBe('PENDING');

    await change('resume');
    await waitFor(async () => (await statusOf(waiting)) === 'COMPLETED');
  },
);
