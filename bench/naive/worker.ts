import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import { endWithParent } from '../servers/end-with-parent.ts';
import { postOrder } from './post-order.ts';
import { naiveQueueName, readNaiveSettings } from './settings.ts';

/** Process entry: one job and one transaction an order. Says `ready`, and names each posted order as the product does. */
const { mongodbUri, redisUrl, prefix, concurrency } = readNaiveSettings();
const client = await new MongoClient(mongodbUri, { writeConcern: majorityJournaled }).connect();
const db = client.db();
const publisher = new Redis(redisUrl);

const worker = new Worker<{ orderId: string }>(
  naiveQueueName,
  async ({ data: { orderId } }) => {
    await postOrder(client, db, orderId);
    await publisher.publish(`${prefix}:posted`, JSON.stringify([orderId]));
  },
  { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }), prefix, concurrency },
);
worker.on('error', () => undefined);
await worker.waitUntilReady();

endWithParent();
process.once('SIGTERM', () => {
  void worker
    .close()
    .then(() => client.close())
    .then(() => process.exit(0));
});
process.send?.('ready');
