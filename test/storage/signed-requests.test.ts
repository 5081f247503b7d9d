import { beforeAll, expect, it } from 'vitest';
import { openOrders, type RecordedOrder, type SignedRequest } from '../../src/storage/orders.ts';
import { ensureSchema } from '../../src/storage/schema.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const { db } = testDatabase();
const orders = openOrders(db);
const signed: SignedRequest = { keyId: 'ak_1', timestamp: 1_767_225_600, nonce: 'n-1' };

beforeAll(() => ensureSchema(db));

function orderOf(request: SignedRequest): RecordedOrder {
  const wallets = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2' };
  return { ...pendingOrder({ workspaceId: 'ws_1', ...wallets, currency: 'USD', amount: '1' }), request };
}

it('of orders of one signed request, one is recorded, in one group and in several', async () => {
  expect(await orders.insertBatch([orderOf(signed), orderOf(signed)])).toEqual([true, false]);
  expect(await orders.insertBatch([orderOf(signed)])).toEqual([false]);
});

it.each([
  ['another key', { keyId: 'ak_2' }],
  ['another nonce', { nonce: 'n-2' }],
  // For how long a nonce is spent, Redis says; it is not for ever.
  ['another time', { timestamp: signed.timestamp + 1_000 }],
])('a request of %s is another one', async (_, other) => {
  expect(await orders.insertBatch([orderOf({ ...signed, ...other })])).toEqual([true]);
});
