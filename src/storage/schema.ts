import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';
import { MongoServerError } from 'mongodb';

interface IndexDeclaration {
  readonly key: IndexSpecification;
  readonly options: CreateIndexesOptions & { readonly name: string };
}

/** Name of the index that keeps a signed create from being recorded twice, even after Redis lost its nonces. */
export const nonceIndexName = 'nonce_once';

/**
 * Every collection with its indexes, each with the query it serves. Orders and flows are listed by id: ids are ordered
 * by time, so a range of creation times is a range of ids, and one index serves filter and sort.
 */
export const schema: Readonly<Record<string, readonly IndexDeclaration[]>> = {
  workspaces: [],
  members: [{ key: { workspaceId: 1, userId: 1 }, options: { name: 'member_once', unique: true } }],
  apiKeys: [{ key: { workspaceId: 1, _id: 1 }, options: { name: 'keys_of_workspace' } }],
  wallets: [{ key: { workspaceId: 1, _id: -1 }, options: { name: 'wallets_of_workspace' } }],
  orders: [
    { key: { workspaceId: 1, bizId: 1 }, options: { name: 'biz_id_once', unique: true } },
    { key: { workspaceId: 1, _id: -1 }, options: { name: 'orders_of_workspace' } },
    { key: { walletIds: 1, _id: -1 }, options: { name: 'orders_of_wallet' } },
    { key: { status: 1, _id: 1 }, options: { name: 'pending_orders', partialFilterExpression: { status: 'PENDING' } } },
    {
      key: { 'request.keyId': 1, 'request.nonce': 1 },
      options: { name: nonceIndexName, unique: true, partialFilterExpression: { 'request.nonce': { $exists: true } } },
    },
  ],
  // A flow's id is its wallet and its sequence: the primary key alone lists a wallet's flows in order, without a gap.
  flows: [{ key: { walletId: 1, createdAt: -1, _id: -1 }, options: { name: 'flows_by_time' } }],
  leases: [],
  // Read by time, which is the order of the ids.
  auditEvents: [],
};

/**
 * Creates what is missing of the schema; safe to repeat and to run from several processes at once. Collections must
 * exist beforehand because a transaction cannot create them before MongoDB 4.4.
 */
export async function ensureSchema(db: Db): Promise<void> {
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [collection, indexes] of Object.entries(schema)) {
    if (!existing.has(collection)) await createCollection(db, collection);
    for (const { key, options } of indexes) await db.collection(collection).createIndex(key, options, {});
  }
}

const namespaceExists = 48;

async function createCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === namespaceExists) return;
    throw error;
  }
}
