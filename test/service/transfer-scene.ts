import { MongoClient } from 'mongodb';
import { afterAll } from 'vitest';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

/** A service, and the body of a transfer in USD between two wallets of a workspace. @param funds of each. */
export async function openTransferScene(amount: string, funds: { source: string; target?: string }) {
  const service = await serviceForTests();
  const workspace = await createWorkspace(service);
  const mongodb = await MongoClient.connect(service.mongodbUri);
  afterAll(() => mongodb.close());
  const [sourceWalletId, targetWalletId] = [await workspace.wallet(funds.source), await workspace.wallet(funds.target)];
  return { service, workspace, mongodb, line: { sourceWalletId, targetWalletId, amount, currency: 'USD' } };
}
