import type { MongoClient } from 'mongodb';

/** What the server does to the commands named; see MongoDB's "failCommand" test fail point. */
export interface FailPoint {
  failCommands: string[];
  errorCode?: number;
  closeConnection?: boolean;
  blockConnection?: boolean;
  blockTimeMS?: number;
  writeConcernError?: { code: number; errmsg: string };
}

/** The name by which every process of the service introduces itself: the harness itself is never meant. */
const appName = 'signed-wallet-transfers';

/** The next `times` of these commands fail. */
export async function failCommands(client: MongoClient, times: number, data: FailPoint): Promise<void> {
  await client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times }, data: { ...data, appName } });
}

export async function clearFailPoint(client: MongoClient): Promise<void> {
  await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
}

/** A `mongod` has fail points only where it was started for tests. */
export async function hasFailPoints(client: MongoClient): Promise<boolean> {
  return clearFailPoint(client).then(
    () => true,
    () => false,
  );
}
