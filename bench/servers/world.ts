import { randomBytes } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import { openCollections } from '../../src/storage/collections.ts';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { WalletCounts } from '../load/patterns.ts';
import { createWorkspace, type Books, type Workspace } from './workspace.ts';

/** A database with a workspace in it; further ones may be made. */
export interface World extends Workspace, Books {
  readonly db: Db;
  readonly masterKeys: string;
  close(): Promise<void>;
}

/** Several keys, as a service has several clients. */
export const keyCount = 16;

export async function createWorld(uri: string, counts: WalletCounts): Promise<World> {
  const client = new MongoClient(uri, {
    writeConcern: majorityJournaled,
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
    monitorCommands: true,
  });
  const db = client.db();
  await ensureSchema(db);
  const books = { client, collections: openCollections(db), masterKey: randomBytes(32) };
  return {
    ...books,
    ...(await createWorkspace(books, counts, keyCount)),
    db,
    masterKeys: `1:${books.masterKey.toString('base64')}`,
    close: () => client.close(),
  };
}
