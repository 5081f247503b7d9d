import type { Collection, Db, Document } from 'mongodb';
import { isDeepStrictEqual } from 'node:util';
import { isServerError } from '../shared/error-codes.ts';

/**
 * The collections that grow with every transfer, or that a posting writes, by the key that divides them among shards: a workspace's documents stay
 * together, so that its group commits on one shard. All others stay whole on the database's primary shard, because they do
 * not grow with the load, and because every request looks its API key up by the id alone.
 */
export const shardKeys: Readonly<Record<string, Document>> = {
  wallets: { workspaceId: 1 },
  keyBudgets: { workspaceId: 1 },
  orders: { workspaceId: 1 },
  flows: { workspaceId: 1 },
  webhookOutbox: { workspaceId: 1 },
  webhookDeliveries: { workspaceId: 1 },
};

/** A collection cannot be divided. Those that the message names are unchanged. */
export class ShardingError extends Error {
  override readonly name = 'ShardingError';
}

/** Whether the connection is to a router (`mongos`) of a sharded cluster. Source: MongoDB manual 4.4, "isMaster", `msg`. */
export async function isSharded(db: Db): Promise<boolean> {
  const { msg } = await db.command({ isMaster: 1 });
  return msg === 'isdbgrid';
}

/** @throws ShardingError the connection is not to a router. */
export async function refuseUnsharded(db: Db): Promise<void> {
  if (await isSharded(db)) return;
  throw new ShardingError('this MongoDB is no sharded cluster: MONGODB_URI has to name its routers (mongos)');
}

/**
 * Divides the collections of {@link shardKeys} among a cluster's shards. A collection that is divided already stays as it is,
 * so this is safe to repeat, also after it was cut short. The schema must be laid out: a collection with documents needs an
 * index that begins with the shard key, and its unique indexes must begin with it too.
 * Source: MongoDB manual 4.4, "enableSharding", "shardCollection".
 * @returns the collections that were divided now.
 * @throws ShardingError the connection is not to a router, or a collection is divided by another key.
 */
export async function shardCollections(db: Db): Promise<string[]> {
  await refuseUnsharded(db);
  const admin = db.client.db('admin');
  await admin.command({ enableSharding: db.databaseName }).catch((error: unknown) => {
    // Some versions answer this if it is enabled already.
    if (!isServerError(error, 'AlreadyInitialized')) throw error;
  });
  const divided: string[] = [];
  for (const [name, key] of Object.entries(shardKeys)) {
    const ns = `${db.databaseName}.${name}`;
    const storedKey = await keyOf(db, ns);
    if (storedKey === undefined) {
      await admin.command({ shardCollection: ns, key });
      divided.push(name);
    } else if (!isDeepStrictEqual(storedKey, key)) {
      const keys = `${JSON.stringify(storedKey)}, and this code needs ${JSON.stringify(key)}`;
      throw new ShardingError(
        `the collection ${name} is sharded by ${keys}; a key cannot be changed before MongoDB 5.0`,
      );
    }
  }
  return divided;
}

/** The key of a collection that is divided. Servers before 5.0 also keep documents of dropped collections. */
async function keyOf(db: Db, ns: string): Promise<Document | undefined> {
  const collections: Collection<{ _id: string; key: Document; dropped?: boolean }> = db.client
    .db('config')
    .collection('collections');
  return (await collections.findOne({ _id: ns, dropped: { $ne: true } }))?.key;
}
