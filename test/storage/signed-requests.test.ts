import { beforeAll, describe, expect, it } from 'vitest';
import type { Order, SignedRequest } from '../../src/orders/order.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { openSignedRequests } from '../../src/storage/signed-requests.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const { db } = testDatabase();
const orders = openOrders(db);
const signedRequests = openSignedRequests(db);
const signed: SignedRequest = { keyId: 'ak_1', timestamp: 1_767_225_600, nonce: 'n-1' };

beforeAll(() => ensureSchema(db));

function orderOf(request: SignedRequest): Order {
  const wallets = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2' };
  return { ...pendingOrder({ workspaceId: 'ws_1', ...wallets, currency: 'USD', amount: '1' }), request };
}

it('of orders of one signed request, one is recorded, in one group and in several', async () => {
  expect(await orders.insertBatch([orderOf(signed), orderOf(signed)])).toEqual([true, false]);
  expect(await orders.insertBatch([orderOf(signed)])).toEqual([false]);
});

it('an order is found by the signed request that made it, in its workspace alone', async () => {
  const request = { ...signed, nonce: 'n-found' };
  const order = orderOf(request);
  await orders.insertBatch([order]);
  expect(await orders.findByRequest('ws_1', request)).toMatchObject({ id: order.id, request });
  expect(await orders.findByRequest('ws_2', request)).toBeUndefined();
  expect(await orders.findByRequest('ws_1', { ...request, nonce: 'n-none' })).toBeUndefined();
});

it.each([
  ['another key', { keyId: 'ak_2' }],
  ['another nonce', { nonce: 'n-2' }],
  // For how long a nonce is spent, Redis says; it is not for ever.
  ['another time', { timestamp: signed.timestamp + 1_000 }],
])('a request of %s is another one', async (_, other) => {
  expect(await orders.insertBatch([orderOf({ ...signed, ...other })])).toEqual([true]);
});

describe('a signed request that makes no order', () => {
  it('is used by one of any number at once', async () => {
    const uses = Array.from({ length: 10 }, (_, owner) => signedRequests.use(signed, `owner ${owner}`));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  it('is used again by its owner, whose answer may have been lost, and by nobody else', async () => {
    const request = { ...signed, nonce: 'lost' };
    expect(await signedRequests.isUsed(request)).toBe(false);
    expect(await signedRequests.use(request, 'owner')).toBe(true);
    expect(await signedRequests.use(request, 'owner')).toBe(true);
    expect(await signedRequests.use(request, 'another')).toBe(false);
    expect(await signedRequests.isUsed(request)).toBe(true);
  });

  it('has a key of one length, whatever its nonce', async () => {
    await signedRequests.use({ ...signed, nonce: 'x'.repeat(128) }, 'owner');
    const documents = await db.collection<{ _id: string }>('signedRequests').find().toArray();
    expect(new Set(documents.map(({ _id }) => _id.length))).toEqual(new Set([43]));
  });

  it('is kept longer than a clock that is a day behind would accept it', async () => {
    const indexes = await db.collection('signedRequests').listIndexes().toArray();
    const kept = indexes.find(({ key }) => 'usedAt' in (key as object)) as { expireAfterSeconds: number };
    expect(kept.expireAfterSeconds).toBeGreaterThan(24 * 3_600 + 120);
  });
});
