import {
  Binary,
  Collection,
  Decimal128,
  ListCollectionsCursor,
  MongoClient,
  type CommandStartedEvent,
  type Document,
} from 'mongodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { claimValidators, schemaVersion } from '../../src/storage/schema/schema-version.ts';
import { validators, validatorsVersion } from '../../src/storage/schema/validators.ts';
import { testDatabase } from '../support/database.ts';

const { uri, db } = testDatabase();
const refused: unknown = expect.objectContaining({ code: 121 });
const decimal = (text: string) => Decimal128.fromString(text);
const at = new Date();

const order = {
  ...{ _id: 'tr_1', bizId: 'b', workspaceId: 'ws_1', type: 'TRANSFER', sourceWalletId: 'wa_1', targetWalletId: 'wa_2' },
  wallets: ['wa_1', 'wa_2'],
  ...{ amount: decimal('1.10'), currency: 'USD', status: 'PENDING', failure: null },
  ...{ createdAt: at, updatedAt: at, completedAt: null },
};
const { sourceWalletId: _, targetWalletId: __, amount: ___, ...ofNoOneLeg } = order;
const leg = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: decimal('1.10'), currency: 'USD' };
const secret = { masterKeyVersion: 1, sealed: new Binary(Buffer.alloc(60)), createdAt: at, expiresAt: null };

/** A document as the service writes it, and what a wrong writer might make of it; undefined takes the field away. */
const kinds: [collection: string, sound: Document, wrong: [what: string, change: Document][]][] = [
  [
    'workspaces',
    { _id: 'ws_1', name: 'one', createdAt: at, deletedAt: null },
    [
      ['deleted at no time', { deletedAt: 'yesterday' }],
      ['without a name', { name: undefined }],
    ],
  ],
  [
    'members',
    { _id: 'ws_1:alice', workspaceId: 'ws_1', userId: 'alice', createdAt: at },
    [
      ['without a user', { userId: undefined }],
      ['of no workspace', { workspaceId: null }],
    ],
  ],
  [
    'apiKeys',
    {
      ...{ _id: 'ak_1', workspaceId: 'ws_1', ownerId: 'alice', scopes: ['wallet:read'], status: 'ENABLED' },
      ...{ ipWhitelist: ['::1'], secrets: [secret], createdAt: at, updatedAt: at, rate: { perSecond: 5, burst: 10 } },
    },
    [
      ['with a secret in clear', { secrets: [{ ...secret, sealed: 'secret' }] }],
      ['without secrets', { secrets: undefined }],
      ['with an unknown scope', { scopes: ['wallet:read', 'wallet:write'] }],
      ['neither enabled nor disabled', { status: 'enabled' }],
      ['with a rate by half', { rate: { perSecond: 5 } }],
    ],
  ],
  [
    'wallets',
    {
      ...{ _id: 'wa_1', workspaceId: 'ws_1', name: 'one', currency: 'USD', kind: 'STANDARD', status: 'ACTIVE' },
      ...{ balance: decimal('0'), sequence: 0, flowHash: '', lastFlowAt: at, version: 0, createdAt: at, updatedAt: at },
      ...{ debitFlows: 0, debits: '0', orders: { TRANSFER: { COMPLETED: 1 } } },
    },
    [
      ['without debits', { debits: undefined }],
      ['with debits of no number', { debits: '-1' }],
      ['with fewer debits than none', { debitFlows: -1 }],
      ['without the numbers of its orders', { orders: undefined }],
      ['with the numbers of its orders of no type', { orders: { COMPLETED: 1 } }],
      ['with fewer orders than none', { orders: { TRANSFER: { FAILED: -1 } } }],
      ['that holds more than it has', { balance: decimal('1'), held: decimal('1.01') }],
      ['that holds less than nothing', { held: decimal('-1') }],
      ['below its credit limit', { balance: decimal('-1.01'), creditLimit: decimal('1') }],
      ['whose credit limit is below zero', { creditLimit: decimal('-1') }],
      ['that holds more than its credit', { balance: decimal('-1'), held: decimal('1'), creditLimit: decimal('1.99') }],
      ['with a balance in floating point', { balance: 1.1 }],
      ['with a balance as text', { balance: '1.10' }],
      ['below zero', { balance: decimal('-0.01') }],
      ['whose balance is no number', { balance: decimal('NaN') }],
      ['without a version', { version: undefined }],
      ['of an unknown status', { status: 'OPEN' }],
      ['of an unknown kind', { kind: 'INTERNAL' }],
    ],
  ],
  [
    'wallets',
    {
      _id: 'wt_ws_1.wallets',
      workspaceId: 'ws_1',
      kind: 'TOTALS',
      wallets: { USD: { ACTIVE: -1 } },
      orders: { USD: { DEPOSIT: { FAILED: 1 } } },
    },
    [
      ['of totals of no workspace', { workspaceId: undefined }],
      ['of totals that are no numbers', { orders: 1 }],
      ['of totals of orders of no type', { orders: { USD: { COMPLETED: 1 } } }],
    ],
  ],
  [
    'orders',
    { ...order, request: { keyId: 'ak_1', timestamp: 1_767_225_600, nonce: 'n' } },
    [
      ['with an amount in floating point', { amount: 1.1 }],
      ['of nothing', { amount: decimal('0.00') }],
      ['of less than nothing', { amount: decimal('-1') }],
      ['of an unknown status', { status: 'DONE' }],
      ['of no type', { type: undefined }],
      ['COMPLETED at no time', { status: 'COMPLETED' }],
      ['COMPLETED with a failure', { status: 'COMPLETED', completedAt: at, failure: 'BALANCE_LIMIT' }],
      ['FAILED for no reason', { status: 'FAILED' }],
      ['PENDING and completed', { completedAt: at }],
      ['PENDING and set aside, as the release before marked it', { stuckSince: at }],
      ['set aside at no time', { status: 'SET_ASIDE' }],
      ['set aside and completed', { status: 'SET_ASIDE', stuckSince: at, completedAt: at }],
      ['without a target', { targetWalletId: undefined }],
      ['of a request without a nonce', { request: { keyId: 'ak_1' } }],
      ['of a request of no number as its time', { request: { keyId: 'ak_1', timestamp: '1', nonce: 'n' } }],
    ],
  ],
  [
    'orders',
    {
      ...{ ...ofNoOneLeg, _id: 'tr_2', bizId: 'c', type: 'JOURNAL' },
      ...{ legs: [leg, { ...leg, currency: 'EUR', parentLeg: 1 }], currency: ['USD', 'EUR'], failureLeg: 1 },
      ...{ status: 'FAILED', failure: 'BALANCE_LIMIT', progress: { reversedLegs: [decimal('0')], changes: 1 } },
    },
    [
      ['without its legs', { legs: undefined }],
      ['whose legs have an amount in floating point', { legs: [{ ...leg, amount: 1.1 }] }],
      ['whose legs are of nothing', { legs: [{ ...leg, amount: decimal('0') }] }],
      ['whose legs have no target', { legs: [{ ...leg, targetWalletId: null }] }],
      ['whose legs have several currencies each', { legs: [{ ...leg, currency: ['USD', 'EUR'] }] }],
      ['that moves back a leg before the first', { legs: [{ ...leg, parentLeg: -1 }] }],
      ['that failed for a leg before the first', { failureLeg: -1 }],
      ['of which less than nothing was reversed', { progress: { reversedLegs: [decimal('-1')], changes: 1 } }],
    ],
  ],
  [
    'flows',
    {
      ...{ _id: 'fl_wa_1.000000000001', workspaceId: 'ws_1', walletId: 'wa_1', sequence: 1 },
      ...{ direction: 'DEBIT', amount: decimal('1.10') },
      ...{ currency: 'USD', balanceBefore: decimal('1.10'), balanceAfter: decimal('0.00'), transferId: 'tr_1' },
      ...{ counterpartyWalletId: 'wa_2', createdAt: at, hash: 'f'.repeat(64), debits: '1.1' },
    },
    [
      ['of a leg before the first', { leg: -1 }],
      ['of an unknown direction', { direction: 'debit' }],
      ['with a balance in floating point', { balanceAfter: 0 }],
      ['of nothing', { amount: decimal('0') }],
      ['without an order', { transferId: undefined }],
      ['of no workspace', { workspaceId: undefined }],
      ['without a hash', { hash: null }],
      ['without debits', { debits: undefined }],
      ['with debits as a decimal', { debits: decimal('1.1') }],
    ],
  ],
];

const commandsDuring = async (work: (client: MongoClient) => Promise<unknown>): Promise<string[]> => {
  const client = new MongoClient(uri, { monitorCommands: true });
  const names: string[] = [];
  client.on('commandStarted', ({ commandName }: CommandStartedEvent) => names.push(commandName));
  try {
    await work(client);
  } finally {
    await client.close();
  }
  return names;
};
const optionsOf = async (name: string): Promise<Document> =>
  (await db.listCollections({ name }, { nameOnly: false }).toArray())[0]?.options ?? {};

beforeEach(async () => {
  await db.dropDatabase();
});

describe.each(kinds)('a document of %s', (name, sound, wrong) => {
  it('is stored as the service writes it, with any further field, and refused where a writer is wrong', async () => {
    await ensureSchema(db);
    const collection = db.collection<{ _id: string }>(name);
    await collection.insertOne({ ...sound, ofALaterRelease: true } as never);
    for (const [what, change] of wrong) {
      const changed = { ...sound, ...change };
      const document = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
      await collection.deleteOne({ _id: 'wrong' });
      await expect(collection.insertOne({ ...document, _id: 'wrong' }), what).rejects.toThrow(refused);
      await expect(collection.replaceOne({ _id: String(sound['_id']) }, document), what).rejects.toThrow(refused);
    }
    await expect(collection.insertOne({ ...sound, _id: 7 } as never)).rejects.toThrow(refused);
  });
});

describe('validators', () => {
  const newer = { validator: { name: { $exists: true } }, validationLevel: 'moderate' };
  const versions = db.collection<{ _id: string; version: number }>('schemaVersions');

  /** What a process of a newer release does when it starts. */
  async function setNewer(): Promise<void> {
    await versions.updateOne({ _id: 'validators' }, { $set: { version: validatorsVersion + 1 } });
    await db.command({ collMod: 'workspaces', ...newer });
  }

  it('are set once, though several processes start at once, and again where they were changed', async () => {
    const first = await commandsDuring((client) =>
      Promise.all([1, 2, 3].map(() => ensureSchema(client.db(db.databaseName)))),
    );
    expect(first).not.toContain('collMod');
    const second = await commandsDuring((client) => ensureSchema(client.db(db.databaseName)));
    expect(second.filter((name) => ['collMod', 'create', 'update', 'findAndModify'].includes(name))).toEqual([]);

    await db.command({ collMod: 'wallets', validationLevel: 'off' });
    const third = await commandsDuring((client) => ensureSchema(client.db(db.databaseName)));
    expect(third.filter((name) => name === 'collMod')).toHaveLength(1);
    expect(await optionsOf('wallets')).toMatchObject({ validationLevel: 'strict', validationAction: 'error' });
  });

  it('are added to the collections of a database that has none', async () => {
    await versions.insertOne({ _id: 'schema', version: schemaVersion });
    for (const [name, sound] of kinds) await db.collection(name).insertOne({ ...sound });
    await ensureSchema(db);
    for (const [name, sound] of kinds) {
      expect((await optionsOf(name))['validator']).toEqual(validators[name]);
      const collection = db.collection<{ _id: string }>(name);
      expect(await collection.findOne({ _id: String(sound['_id']) })).toMatchObject(sound);
      await expect(collection.insertOne({ _id: 'wrong' })).rejects.toThrow(refused);
    }
  });

  it('of a newer release stay as they are', async () => {
    await ensureSchema(db);
    await setNewer();
    await ensureSchema(db);
    expect(await optionsOf('workspaces')).toMatchObject(newer);
    expect(await versions.findOne({ _id: 'validators' })).toMatchObject({ version: validatorsVersion + 1 });
  });

  it('of a newer release stay as they are where it starts meanwhile', async () => {
    await ensureSchema(db);
    const listing = vi.spyOn(ListCollectionsCursor.prototype, 'toArray').mockImplementationOnce(async () => {
      listing.mockRestore();
      await setNewer();
      return db.listCollections({}, { nameOnly: false }).toArray();
    });
    await ensureSchema(db);
    expect(await optionsOf('workspaces')).toMatchObject(newer);
  });

  it('are not claimed where a newer release claims them at the same moment', async () => {
    await versions.updateOne({ _id: 'validators' }, { $set: { version: validatorsVersion + 1 } }, { upsert: true });
    const reading = vi.spyOn(Collection.prototype, 'findOne').mockResolvedValueOnce(null);
    expect(await claimValidators(db)).toBe(false);
    expect(reading).toHaveBeenCalledOnce();
    reading.mockRestore();
  });

  it('let it be noted on an order at fault that it cannot be posted, whatever it looks like', async () => {
    await ensureSchema(db);
    const { stuckOrders } = openCollections(db);
    const wrong = { ...order, amount: 1.1 };
    const orders = db.collection<{ _id: string }>('orders');
    await orders.insertOne(wrong, { bypassDocumentValidation: true });
    const faults = [{ workspaceId: 'ws_1', orderId: 'tr_1', reason: 'Document failed validation' }];
    expect(await stuckOrders.recordFaults(faults, 2)).toEqual(new Set());
    expect(await stuckOrders.recordFaults(faults, 2)).toEqual(new Set(['tr_1']));
    expect(await stuckOrders.list(10)).toMatchObject([{ id: 'tr_1', workspaceId: 'ws_1', attempts: 2 }]);
    await expect(stuckOrders.release('ws_1', ['tr_1'])).rejects.toThrow(refused);
    const completed = { status: 'COMPLETED', completedAt: at };
    await expect(orders.updateOne({ _id: 'tr_1' }, { $set: completed })).rejects.toThrow(refused);
  });
});
