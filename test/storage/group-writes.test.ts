import { toPost } from '../../src/orders/order.ts';
import { MongoClient } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { foldOrders } from '../../src/orders/fold.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { inTransaction, StaleReadError } from '../../src/storage/shared/transaction.ts';
import { newEntry, type OutboxEntry } from '../../src/storage/webhooks/outbox.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const { uri, client, db } = testDatabase();
const collections = openCollections(db);
const writePosted = createPostedWrites(db, 'test');

beforeAll(() => ensureSchema(db));

/** A group of one order, folded from wallets that an earlier transaction read. */
async function folded() {
  const { id: workspaceId } = await collections.workspaces.create('test');
  const source = await collections.wallets.ensureExternal(workspaceId, 'EUR');
  const target = await collections.wallets.create({ workspaceId, name: '', currency: 'EUR' });
  const sides = { sourceWalletId: source.id, targetWalletId: target.id };
  const order = pendingOrder({ workspaceId, ...sides, amount: '5', currency: 'EUR' });
  await collections.orders.insertBatch([order]);
  const wallets = await inTransaction(client, (session) =>
    collections.wallets.findByIds([source.id, target.id], [workspaceId], session),
  );
  return {
    order,
    target,
    posting: foldOrders([toPost(order)], { wallets, parents: new Map() }, createCurrencies(new Map()), new Date()),
  };
}

// MongoDB itself sees only what was written since the transaction began.
it.each([
  ['a wallet', 'wallets', { $inc: { version: 1 } }, 'a wallet changed since it was read'],
  [
    'an order',
    'orders',
    { $set: { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE' } },
    'an order is not as it was read, or one that it refers to was used since',
  ],
] as const)('nothing is written where %s was written after it was read', async (_, name, change, message) => {
  const { order, target, posting } = await folded();
  const _id = name === 'wallets' ? target.id : order.id;
  await db.collection<{ _id: string }>(name).updateOne({ _id }, change);
  const writing = inTransaction(client, (session) =>
    writePosted(posting, { session, attempts: 1, totals: 'posting-0', settling: 'together' }),
  );
  await expect(writing).rejects.toThrow(new StaleReadError(message));
  expect(await db.collection('flows').countDocuments({ transferId: order.id })).toBe(0);
  const { balance } = (await db.collection<{ _id: string }>('wallets').findOne({ _id: target.id })) as {
    balance?: unknown;
  };
  expect(String(balance)).toBe('0');
});

it('what webhooks are told may be known once the orders are written, and keeps no wallet locked until then', async () => {
  const { order, posting } = await folded();
  const endpoint = { endpointId: 'we_1', events: ['transfer.completed'], isEnabled: true } as const;
  const entry = newEntry(order.workspaceId, { completed: [order.id], failed: [] }, [endpoint], new Date());
  const { promise: outbox, resolve } = Promise.withResolvers<OutboxEntry[]>();
  const watched = new MongoClient(uri, { monitorCommands: true });
  const updated: unknown[] = [];
  let updatedBefore: unknown[] | undefined;
  watched.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'update') updated.push(command['update']);
  });
  watched.on('commandSucceeded', ({ commandName }) => {
    if (commandName !== 'update' || updatedBefore !== undefined) return;
    setImmediate(() => {
      updatedBefore ??= [...updated];
      resolve(entry === undefined ? [] : [entry]);
    });
  });
  await inTransaction(watched, (session) =>
    createPostedWrites(watched.db(), 'test')(posting, {
      session,
      attempts: 1,
      totals: 'posting-0',
      settling: 'together',
      outbox,
    }),
  );
  await watched.close();
  expect([updatedBefore, updated]).toEqual([['orders'], ['orders', 'wallets']]);
  expect(await db.collection('flows').countDocuments({ transferId: order.id })).toBe(2);
  expect(await db.collection('webhookOutbox').countDocuments({ completed: order.id })).toBe(1);
});
