import { MongoClient, type ClientSession, type Document } from 'mongodb';
import { TimeoutError } from 'p-timeout';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, totalsId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/orders/order.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { waitFor } from '../support/wait-for.ts';

interface Row extends Document {
  _id: string;
}

const { uri, db, client: other } = testDatabase();
const client = new MongoClient(uri, { monitorCommands: true });
const { cancelOrder, orders, wallets } = openCollections(client.db());
const workspaceId = newId('workspace');
const currency = 'USD';
let conflicts = 0;
client.on('commandStarted', ({ commandName }) => {
  if (commandName === 'abortTransaction') conflicts += 1;
});
beforeAll(() => ensureSchema(db));
afterAll(() => client.close());

const newWallet = async () => (await wallets.make({ workspaceId, currency, name: 'n' })).wallet.id;
const stored = (collection: string, _id: string) => db.collection<Row>(collection).findOne({ _id });
const touch = (collection: string, _id: string) => (session: ClientSession) =>
  db
    .collection<Row>(collection)
    .updateOne({ _id }, { $set: { touched: true } }, { session, bypassDocumentValidation: true });
const limitOf = (amount: number) => ({ creditLimit: new Money(amount), decimals: 2 });

/** What keeps a change from being made, the change, and whether it is. */
interface Change {
  readonly hold: (session: ClientSession) => Promise<unknown>;
  readonly make: (timeLeftMs: () => number) => Promise<unknown>;
  readonly isMade: () => Promise<boolean>;
}
const changes: [string, () => Promise<Change>][] = [
  [
    'a change of a wallet',
    async () => {
      const id = await newWallet();
      return {
        hold: touch('wallets', id),
        make: (timeLeftMs) => wallets.change({ workspaceId, id, change: limitOf(1_000), timeLeftMs }),
        isMade: async () => (await stored('wallets', id))?.['creditLimit'] !== undefined,
      };
    },
  ],
  [
    'a wallet that is made',
    async () => {
      await newWallet();
      const values = { workspaceId, currency, name: 'n', reference: newId('audit') };
      return {
        hold: touch('wallets', totalsId(workspaceId, 'wallets')),
        make: (timeLeftMs) => wallets.make(values, timeLeftMs),
        isMade: async () => (await wallets.findReferred([values]))[0] !== undefined,
      };
    },
  ],
  [
    'a cancel',
    async () => {
      const sides = { sourceWalletId: await newWallet(), targetWalletId: await newWallet() };
      const executeAt = new Date(Date.now() + 3_600_000);
      const order = newOrder({ workspaceId, type: 'TRANSFER', ...sides, amount: '1', currency, executeAt });
      await orders.insertBatch([order]);
      return {
        hold: touch('orders', order.id),
        make: (timeLeftMs) => cancelOrder({ workspaceId, id: order.id, timeLeftMs }),
        isMade: async () => (await stored('orders', order.id))?.['status'] === 'CANCELLED',
      };
    },
  ],
  [
    'an atomic batch',
    () => {
      const order = pendingOrder({
        workspaceId,
        sourceWalletId: 'wa_a',
        targetWalletId: 'wa_b',
        currency,
        amount: '1',
      });
      const asIt = { _id: order.id } as Row;
      const hold = (session: ClientSession) =>
        db.collection<Row>('orders').insertOne(asIt, { session, bypassDocumentValidation: true });
      const make = (timeLeftMs: () => number) => orders.insertTogether([order], () => timeLeftMs() <= 0);
      return Promise.resolve({ hold, make, isMade: async () => (await stored('orders', order.id)) !== null });
    },
  ],
];

it.each(changes)('%s that was given up is not made later', async (_, prepare) => {
  const { hold, make, isMade } = await prepare();
  let leftMs = 1_000;
  const session = other.startSession();
  session.startTransaction();
  await hold(session);
  conflicts = 0;
  const making = expect(make(() => leftMs)).rejects.toThrow(TimeoutError);
  await waitFor(() => conflicts > 1);
  leftMs = 0;
  await session.abortTransaction();
  await session.endSession();
  await making;
  expect(await isMade()).toBe(false);
});
