import { randomUUID } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, inject } from 'vitest';

export interface TestDatabase {
  /** With the database's name in its path. */
  uri: string;
  name: string;
  client: MongoClient;
  db: Db;
}

/** An empty database that no other test file sees. Call it at a file's (or describe's) top; it is dropped afterwards. */
export function testDatabase(): TestDatabase {
  const { drop, ...database } = openTestDatabase();
  afterAll(drop);
  return database;
}

/** The same for one test among others that run at once; who opens it drops it. */
export function openTestDatabase(): TestDatabase & { drop: () => Promise<void> } {
  const name = uniqueDatabaseName();
  const uri = withDatabase(inject('mongodbUri'), name);
  const client = new MongoClient(uri);
  const db = client.db(name);
  return {
    ...{ uri, name, client, db },
    async drop() {
      await db.dropDatabase();
      await client.close();
    },
  };
}

/** A name that no other test of any run uses. */
export function uniqueDatabaseName(): string {
  return `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

/** A connection string with another database in its path; several hosts are left as they are. */
export function withDatabase(uri: string, name: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri);
  if (!parts) throw new Error('MONGODB_URI is not a MongoDB connection string.');
  return `${parts[1] ?? ''}/${name}${parts[2] ?? ''}`;
}
