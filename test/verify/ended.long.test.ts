import { MongoClient, type CommandStartedEvent, type Document } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { createRandom } from '../../bench/load/random.ts';
import { totalsId } from '../../src/domain/ids.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { countedAtOnce } from '../../src/storage/orders/ended-orders.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { verify } from '../../src/verify/verify.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const given = process.env['FAILED_ORDERS'];
const orderCount = given === undefined ? 30_000 : Number(given);
const walletCount = 2_000;
const batchSize = 2_000;
/** Of five orders four are for one wallet, which has more than are counted at once. */
const [ofFive, forOne] = [5, 4];
const seed = 1;
const timeoutMs = 1_800_000;

const { uri, db } = testDatabase();
const client = new MongoClient(uri, { monitorCommands: true });
afterAll(() => client.close());

it(
  'FAILED orders, however many, are compared by commands that each count few of them, outside of any transaction',
  { timeout: timeoutMs },
  async () => {
    await ensureSchema(db);
    const collections = openCollections(db);
    const { id: workspaceId } = await collections.workspaces.create('test');
    const names = Array.from({ length: walletCount }, (_, index) => `wallet ${index}`);
    const made = await Promise.all(
      names.map((name) => collections.wallets.create({ workspaceId, name, currency: 'USD' })),
    );
    const walletIds = made.map(({ id }) => id);
    const failedOf = new Map<string, number>();
    const count = (walletId: string) => failedOf.set(walletId, (failedOf.get(walletId) ?? 0) + 1);
    const random = createRandom(seed);
    for (let done = 0; done < orderCount; done += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, orderCount - done) }, (_, index) => {
        const source = 1 + Math.floor(random() * (walletCount - 1));
        const target = index % ofFive < forOne ? 0 : 1 + (source % (walletCount - 1));
        const [sourceWalletId, targetWalletId] = [walletIds[source]!, walletIds[target]!];
        for (const walletId of [sourceWalletId, targetWalletId]) count(walletId);
        const order = pendingOrder({ workspaceId, sourceWalletId, targetWalletId, amount: '1', currency: 'USD' });
        return { ...order, status: 'FAILED', failure: 'INSUFFICIENT_BALANCE' } as const;
      });
      expect((await collections.orders.insertBatch(batch)).every(Boolean)).toBe(true);
    }
    const wallets = db.collection<Document & { _id: string }>('wallets');
    await wallets.bulkWrite(
      [...failedOf].map(([_id, FAILED]) => ({
        updateOne: { filter: { _id }, update: { $set: { orders: { TRANSFER: { FAILED } } } } },
      })),
    );
    await wallets.insertOne({
      ...{ _id: totalsId(workspaceId, 'posting-0'), workspaceId, kind: 'TOTALS' },
      orders: { USD: { TRANSFER: { FAILED: orderCount } } },
    });

    const counting: Document[] = [];
    client.on('commandStarted', ({ command, commandName }: CommandStartedEvent) => {
      if ((commandName === 'find' || commandName === 'aggregate') && command['hint'] === 'failed_of_wallet')
        counting.push(command);
    });
    const breaches: unknown[] = [];
    const books = openBooks(client, client.db());
    const summary = await verify(books, (breach) => breaches.push(breach));
    expect(breaches).toEqual([]);
    expect(summary).toMatchObject({ orders: orderCount, byStatus: { FAILED: orderCount } });

    const [one] = walletIds;
    const failedOfOne = failedOf.get(one!)!;
    expect(failedOfOne).toBeGreaterThan(countedAtOnce);
    const pages = counting.filter(({ find }) => find !== undefined);
    expect(pages.map(({ limit }) => limit as number)).toEqual(pages.map(() => countedAtOnce));
    expect(pages).toHaveLength(Math.ceil(failedOfOne / countedAtOnce) + 1);
    const groups = counting.filter(({ aggregate }) => aggregate !== undefined);
    for (const { pipeline } of groups) {
      const [{ $match }] = pipeline as [{ $match: { wallets: { $in: string[] } } }];
      const failed = $match.wallets.$in.map((walletId) => failedOf.get(walletId) ?? 0);
      expect(failed.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(countedAtOnce);
    }
    expect(groups.length).toBeGreaterThan(0);
    expect(counting.filter(({ txnNumber }) => txnNumber !== undefined)).toEqual([]);
  },
);
