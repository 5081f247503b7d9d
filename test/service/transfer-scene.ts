import { MongoClient } from 'mongodb';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

export type TransferScene = Awaited<ReturnType<typeof openTransferScene>>;

/** A service, and the body of a transfer in USD between two wallets of a workspace. @param funds of each. */
export async function openTransferScene(amount: string, funds: { source: string; target?: string }) {
  const service = await startService();
  const workspace = await createWorkspace(service);
  const mongodb = await MongoClient.connect(service.mongodbUri);
  const [sourceWalletId, targetWalletId] = [await workspace.wallet(funds.source), await workspace.wallet(funds.target)];
  return {
    ...{ service, workspace, mongodb },
    line: { sourceWalletId, targetWalletId, amount, currency: 'USD' },
    close: async (): Promise<void> => {
      await mongodb.close();
      await service.stop();
    },
  };
}
