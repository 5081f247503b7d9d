import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { startRefused } from '../support/refused.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const slowly = { timeoutMs: 60_000 };

const [redis, elsewhere] = await Promise.all([startRedis(), startRedis()]);
afterAll(() => Promise.all([redis.stop(), elsewhere.stop()]));
const service = await serviceForTests({ redisUrl: redis.url });
const mongodb = await MongoClient.connect(service.mongodbUri);
const workspace = await createWorkspace(service);
const wallets: [source: string, target: string] = [await workspace.wallet('100'), await workspace.wallet()];
afterAll(async () => {
  await service.admin('verify');
  await mongodb.close();
});

async function create(): Promise<string> {
  const [sourceWalletId, targetWalletId] = wallets;
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const path = '/api/v1/transfer/command/create';
  const { status, envelope } = await workspace.client.request<{ transferId: string }>('POST', path, { body });
  expect(status).toBe(200);
  return envelope?.data.transferId ?? '';
}

const untilPosted = (ids: string[]): Promise<true> =>
  waitFor(async () => {
    const orders = mongodb.db().collection<{ _id: string }>('orders');
    return (await orders.countDocuments({ _id: { $in: ids }, status: 'COMPLETED' })) === ids.length;
  }, slowly);

describe('a process whose queues are not those of the others', () => {
  it.each([
    ['web', 'another QUEUE_PREFIX', () => ({ QUEUE_PREFIX: 'other' }), 'QUEUE_PREFIX is "other", but'],
    ['worker', 'an empty Redis of its own', () => ({ REDIS_URL: elsewhere.url }), 'REDIS_URL leads to another Redis'],
  ] as const)('because a %s has %s ends, and says which setting differs', async (kind, _, env, what) => {
    const { said, ownId } = await startRefused(service, kind, env());
    expect(said).toContain(what);
    expect(await mongodb.db().collection('leases').countDocuments({ holder: ownId })).toBe(0);
    for (const url of [redis.url, elsewhere.url]) {
      const own = new Redis(url);
      expect(await own.exists('transfers:queues', 'other:queues')).toBe(url === redis.url ? 1 : 0);
      own.disconnect();
    }
    await untilPosted([await create()]);
  });

  it('is refused on the command line too', async () => {
    const fund = ['wallet', 'fund', '--wallet', wallets[0], '--amount', '1'];
    await expect(service.adminWith({ QUEUE_PREFIX: 'other' }, ...fund)).rejects.toThrow('QUEUE_PREFIX is "other", but');
    await expect(service.adminWith({ REDIS_URL: elsewhere.url }, ...fund)).rejects.toThrow('REDIS_URL leads to');
  });
});
