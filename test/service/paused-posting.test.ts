import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { findOrder, sendCommand } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const service = await serviceForTests({ workers: 1 });
const workspace = await createWorkspace(service);
const sides = { sourceWalletId: await workspace.wallet('100'), targetWalletId: await workspace.wallet() };

it('"posting pause" holds when Redis is emptied and workers start anew, until it is resumed', async () => {
  const change = (noun: string, verb: string) => service.admin(noun, verb, '--reason', 'a migration');
  expect(await change('posting', 'pause')).toEqual({ isPaused: true });
  expect(await service.admin('posting', 'show')).toEqual({ isPaused: true });
  await service.workers.at(-1)?.stop(10_000);
  const redis = new Redis(service.redisUrl);
  await redis.flushdb();
  redis.disconnect();
  const waiting = await sendCommand(workspace, 'create', { ...sides, amount: '1', currency: 'USD' }, {});
  const status = async () => (await findOrder(workspace, waiting.envelope!.data.transferId)).status;
  await service.startWorker();
  await waitFor(async () => {
    const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
    return /^transfers_posting_paused 1$/m.test(metrics) && /^transfers_workers_alive 1$/m.test(metrics);
  });
  expect(await status()).toBe('PENDING');

  // By its former name.
  await change('partitions', 'resume');
  await waitFor(async () => (await status()) === 'COMPLETED');
});
