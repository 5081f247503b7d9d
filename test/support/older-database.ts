import type { Db, Document } from 'mongodb';
import { isTotalsId } from '../../src/domain/ids.ts';
import { validators } from '../../src/storage/validators.ts';

/**
 * Makes a database that this code laid out, whatever is in it, what schema version 3 left: no debits, no totals, and wallets
 * that counted their FAILED orders alone.
 */
export async function makeOlder(db: Db): Promise<void> {
  await setOlderValidators(db);
  await db.collection('flows').updateMany({}, { $unset: { debits: true } });
  const wallets = db.collection<{ _id: string }>('wallets');
  const ids = (await wallets.find().toArray()).map(({ _id }) => _id);
  await wallets.deleteMany({ _id: { $in: ids.filter(isTotalsId) } });
  await wallets.updateMany({}, [
    { $set: { failedOrders: '$orders.FAILED' } },
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
