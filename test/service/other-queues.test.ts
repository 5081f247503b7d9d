import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { sendCommand } from '../support/orders.ts';
import { startRedis } from '../support/redis.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const elsewhere = await startRedis();
afterAll(() => elsewhere.stop());
const service = await serviceForTests();
const workspace = await createWorkspace(service);
const [sourceWalletId, targetWalletId] = [await workspace.wallet('100'), await workspace.wallet()];

describe('a process whose queues are not those of the others', () => {
  it('because a worker has an empty Redis of its own is told which setting differs, and changes nothing', async () => {
    await expect(service.startWorker({ REDIS_URL: elsewhere.url })).rejects.toThrow('REDIS_URL leads to another Redis');
    const own = new Redis(elsewhere.url);
    expect(await own.exists('transfers:queues')).toBe(0);
    own.disconnect();
    const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
    expect((await sendCommand(workspace, 'create', body)).envelope?.data.status).toBe('COMPLETED');
  });

  it('is refused on the command line too', async () => {
    const fund = ['wallet', 'fund', '--wallet', sourceWalletId, '--amount', '1'];
    await expect(service.adminWith({ QUEUE_PREFIX: 'other' }, ...fund)).rejects.toThrow('QUEUE_PREFIX is "other", but');
    await expect(service.adminWith({ REDIS_URL: elsewhere.url }, ...fund)).rejects.toThrow('REDIS_URL leads to');
  });
});
