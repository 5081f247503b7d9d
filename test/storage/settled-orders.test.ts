import type { Db } from 'mongodb';
import { expect, it } from 'vitest';
import { createSettledOrders } from '../../src/storage/settled-orders.ts';

it('the sum over one workspace’s wallets keeps no other workspace waiting, and fails it alone', async () => {
  const slow = Promise.withResolvers<never>();
  const aggregate = ([{ $match }]: [{ $match: { workspaceId: string } }]) => ({
    toArray: () =>
      $match.workspaceId === 'ws_large' ? slow.promise : Promise.resolve([{ _id: 'USD', sequences: 6, failures: 2 }]),
  });
  const settledOrders = createSettledOrders({ collection: () => ({ aggregate }) } as unknown as Db);
  const asked = { walletId: undefined, status: undefined, currency: undefined, from: undefined, to: undefined };
  const large = settledOrders({ ...asked, workspaceId: 'ws_large' });
  const together = settledOrders({ ...asked, workspaceId: 'ws_small' });
  expect(await together).toEqual({ completed: 3, failed: 1 });
  expect(await settledOrders({ ...asked, workspaceId: 'ws_small' })).toEqual({ completed: 3, failed: 1 });
  slow.reject(new Error('took too long'));
  await expect(large).rejects.toThrow('took too long');
});
