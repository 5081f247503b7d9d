import type { Db, Document } from 'mongodb';
import { isTotalsId } from '../../src/domain/ids.ts';
import { validators } from '../../src/storage/schema/validators.ts';

const failed = { partialFilterExpression: { status: 'FAILED' } };
const [bySource, byTarget] = [
  { workspaceId: 1, sourceWalletId: 1 },
  { workspaceId: 1, targetWalletId: 1 },
] as const;

/** Indexes of orders that version 3 had, and this one does without. */
const olderIndexes = [
  { key: { ...bySource, _id: -1 }, name: 'orders_of_source_in_workspace' },
  { key: { ...byTarget, _id: -1 }, name: 'orders_of_target_in_workspace' },
  { key: { ...bySource, status: 1, _id: -1 }, name: 'failed_of_source_in_workspace', ...failed },
  { key: { ...byTarget, status: 1, _id: -1 }, name: 'failed_of_target_in_workspace', ...failed },
  { key: { status: 1, _id: 1 }, name: 'pending_orders', partialFilterExpression: { status: 'PENDING' } },
  {
    key: { status: 1, stuckSince: 1, _id: 1 },
    name: 'set_aside_orders',
    partialFilterExpression: { status: 'PENDING', stuckSince: { $gte: new Date(0) } },
  },
];
const newerIndexes: readonly string[] = ['orders_of_wallet', 'failed_of_wallet', 'unsettled_orders'];

/**
 * Makes a database that this code laid out, whatever is in it, what schema version 3 left: no debits, no totals, wallets that
 * counted their FAILED orders alone, orders found by source and by target, and those set aside PENDING like those that wait.
 */
export async function makeOlder(db: Db): Promise<void> {
  await setOlderValidators(db);
  const orders = db.collection('orders');
  await orders.createIndexes(olderIndexes);
  for (const { name = '' } of await orders.indexes()) if (newerIndexes.includes(name)) await orders.dropIndex(name);
  await orders.updateMany({ status: 'SET_ASIDE' }, { $set: { status: 'PENDING' } });
  await orders.updateMany({}, { $unset: { type: true, wallets: true } });
  await db.collection('flows').updateMany({}, { $unset: { debits: true } });
  const wallets = db.collection<{ _id: string }>('wallets');
  const ids = (await wallets.find().toArray()).map(({ _id }) => _id);
  await wallets.deleteMany({ _id: { $in: ids.filter(isTotalsId) } });
  await wallets.updateMany({}, [
    { $set: { failedOrders: { $sum: ['TRANSFER', 'DEPOSIT', 'WITHDRAWAL'].map((type) => `$orders.${type}.FAILED`) } } },
    { $unset: ['debits', 'debitFlows', 'orders'] },
  ]);
  const versions = db.collection<{ _id: string }>('schemaVersions');
  await versions.updateOne({ _id: 'schema' }, { $set: { version: 3 } });
  await versions.updateOne({ _id: 'validators' }, { $set: { version: 5 } });
}

/** As those of version 3: what is new since is not required, and `failedOrders` is allowed. */
async function setOlderValidators(db: Db): Promise<void> {
  const { anyOf } = (validators['wallets'] as { $jsonSchema: { anyOf: [Document] } }).$jsonSchema;
  const { not, ...wallet } = anyOf[0];
  const flow = (validators['flows'] as { $jsonSchema: Document }).$jsonSchema;
  const [order] = (validators['orders'] as { $jsonSchema: { anyOf: [Document] } }).$jsonSchema.anyOf;
  const [waiting, , ...settled] = order['anyOf'] as [Document, ...Document[]];
  const { not: _, ...pending } = waiting;
  const required = (order['required'] as string[]).filter((field) => !['type', 'wallets'].includes(field));
  const older = [
    { ...order, required, anyOf: [pending, ...settled] },
    { bsonType: 'object', required: ['status', 'fault'], properties: { status: { enum: ['PENDING'] } } },
  ];
  await db.command({ collMod: 'orders', validator: { $jsonSchema: { anyOf: older } } });
  for (const [name, form] of [
    ['wallets', wallet],
    ['flows', flow],
  ] as const) {
    const required = (form['required'] as string[]).filter(
      (field) => !['debits', 'debitFlows', 'orders'].includes(field),
    );
    await db.command({ collMod: name, validator: { $jsonSchema: { ...form, required } } });
  }
}
