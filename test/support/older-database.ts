import type { Db } from 'mongodb';
import { validators } from '../../src/storage/validators.ts';

const failed = { partialFilterExpression: { status: 'FAILED' } };
const signed = { partialFilterExpression: { 'request.timestamp': { $exists: true } } };

/** Indexes of schema version 1 that version 2 does without. */
export const olderIndexes = [
  ['orders', { sourceWalletId: 1, _id: -1 }, { name: 'orders_of_source' }],
  ['orders', { targetWalletId: 1, _id: -1 }, { name: 'orders_of_target' }],
  ['orders', { sourceWalletId: 1, status: 1, _id: -1 }, { name: 'failed_of_source', ...failed }],
  ['orders', { targetWalletId: 1, status: 1, _id: -1 }, { name: 'failed_of_target', ...failed }],
  [
    'orders',
    { 'request.keyId': 1, 'request.timestamp': 1, 'request.nonce': 1 },
    { name: 'signed_request_once', unique: true, ...signed },
  ],
  ['flows', { direction: 1, _id: -1 }, { name: 'flows_by_direction' }],
] as const;

/** Those of version 2 that version 1 had not. */
const newerIndexes = [
  ['orders', 'orders_of_source_in_workspace'],
  ['orders', 'orders_of_target_in_workspace'],
  ['orders', 'failed_of_source_in_workspace'],
  ['orders', 'failed_of_target_in_workspace'],
  ['orders', 'signed_request_once_in_workspace'],
  ['flows', 'flows_of_workspace_by_direction'],
] as const;

/** Wallets did not know their FAILED orders before schema version 3. */
async function forgetFailures(db: Db): Promise<void> {
  await db.collection('wallets').updateMany({}, { $unset: { failedOrders: true } });
}

/** Makes a database that this code laid out, whatever is in it, what schema version 2 left. */
export async function makeVersion2(db: Db): Promise<void> {
  await forgetFailures(db);
  const versions = db.collection<{ _id: string }>('schemaVersions');
  await versions.updateOne({ _id: 'schema' }, { $set: { version: 2 } });
  await versions.updateOne({ _id: 'validators' }, { $set: { version: 3 } });
}

/** Makes a database that this code laid out, whatever is in it, what schema version 1 left: flows had no workspace. */
export async function makeOlder(db: Db): Promise<void> {
  for (const [name, key, options] of olderIndexes) await db.collection(name).createIndexes([{ key, ...options }]);
  for (const [name, index] of newerIndexes) await db.collection(name).dropIndex(index);
  const { $jsonSchema } = validators['flows'] as { $jsonSchema: { properties: Record<string, unknown> } };
  const { workspaceId, ...properties } = $jsonSchema.properties;
  const older = { bsonType: 'object', required: Object.keys(properties), properties };
  await db.command({ collMod: 'flows', validator: { $jsonSchema: older } });
  await db.collection('flows').updateMany({}, { $unset: { workspaceId: true } });
  await forgetFailures(db);
  const versions = db.collection<{ _id: string }>('schemaVersions');
  await versions.updateOne({ _id: 'schema' }, { $set: { version: 1 } });
  await versions.updateOne({ _id: 'validators' }, { $set: { version: 2 } });
}
