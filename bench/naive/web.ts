import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { Decimal128, MongoClient } from 'mongodb';
import { newId, timeOfId } from '../../src/domain/ids.ts';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import type { WalletDocument } from '../../src/storage/wallets/documents.ts';
import { startSignedServer } from '../limits/signed-server.ts';
import { endWithParent } from '../servers/end-with-parent.ts';
import type { TransferDocument } from './post-order.ts';
import { naiveQueueName, readNaiveSettings } from './settings.ts';

/** Process entry: a create is two look-ups, one insert and one job, each awaited. Says its port. */
const { mongodbUri, redisUrl, prefix } = readNaiveSettings();
const client = await new MongoClient(mongodbUri, { writeConcern: majorityJournaled }).connect();
const db = client.db();
const orders = db.collection<TransferDocument>('orders');
const wallets = db.collection<WalletDocument>('wallets');
const queue = new Queue(naiveQueueName, { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }), prefix });

const port = await startSignedServer(redisUrl, prefix, async (body) => {
  const order = await record(JSON.parse(body.toString()) as CreateBody);
  await queue.add('post', { orderId: order._id }, { removeOnComplete: { count: 1_000 }, attempts: 5 });
  return { ...order, transferId: order._id, amount: order.amount.toString() };
});
endWithParent();
process.once('SIGTERM', () => process.exit(0));
process.send?.({ port });

interface CreateBody {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: string;
  readonly currency: string;
}

async function record({ sourceWalletId, targetWalletId, amount, currency }: CreateBody): Promise<TransferDocument> {
  const source = await wallets.findOne({ _id: sourceWalletId });
  const target = await wallets.findOne({ _id: targetWalletId });
  if (source?.currency !== currency || target?.currency !== currency) throw new Error('no such wallets');
  const _id = newId('order');
  const createdAt = timeOfId('order', _id);
  const order: TransferDocument = {
    _id,
    bizId: _id,
    workspaceId: source.workspaceId,
    type: 'TRANSFER',
    sourceWalletId,
    targetWalletId,
    wallets: [sourceWalletId, targetWalletId],
    amount: Decimal128.fromString(amount),
    currency,
    status: 'PENDING',
    failure: null,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
  };
  await orders.insertOne(order);
  return order;
}
