import type { Db, MongoClient } from 'mongodb';
import pLimit from 'p-limit';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { verify, type VerifySummary } from '../../src/verify/verify.ts';
import type { Breach } from '../../src/verify/breach.ts';
import { newOrder, type CreateOrderInput } from '../../src/orders/order.ts';
import { typeOf } from '../../src/orders/types.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPostGroup, findWaiting } from '../support/test-poster.ts';

/** Small, so that a few rows are several pages. */
const rowsPerPage = 3;

export interface PostedBooks {
  alice: string;
  bob: string;
  external: string;
  workspaceId: string;
  /** Records an order and posts it. */
  transfer(source: string, target: string, amount: string): Promise<string>;
  /** Records an order that no worker posts. */
  record(source: string, target: string, amount: string): Promise<string>;
  post(ids: string[]): Promise<void>;
  /** Records an order of any type as clients ask for it. @param parentId of the order that it refers to. */
  recordAsked(asked: CreateOrderInput, parentId?: string): Promise<string>;
  /** The same, and posts it. */
  ask(asked: CreateOrderInput, parentId?: string): Promise<string>;
  verify(): Promise<{ breaches: Breach[]; summary: VerifySummary }>;
}

/** Sound books of one workspace, posted as a worker posts them: alice and bob, funded from EXTERNAL. */
export async function openPostedBooks(client: MongoClient, db: Db): Promise<PostedBooks> {
  await ensureSchema(db);
  const collections = openCollections(db);
  const sessions = openPostingSessions(client, 1);
  const postGroup = createTestPostGroup(collections, createPostedWrites(db, 'test'));
  const { id: workspaceId } = await collections.workspaces.create('test');
  const wallet = (name: string) => collections.wallets.create({ workspaceId, name, currency: 'EUR' });
  const [alice, bob] = [await wallet('alice'), await wallet('bob')];
  const external = await collections.wallets.ensureExternal(workspaceId, 'EUR');

  const record = async (sourceWalletId: string, targetWalletId: string, amount: string): Promise<string> => {
    const order = pendingOrder({ workspaceId, sourceWalletId, targetWalletId, amount, currency: 'EUR' });
    await collections.orders.insertBatch([order]);
    return order.id;
  };
  const oneAtATime = pLimit(1);
  const post = (orderIds: readonly string[]): Promise<void> =>
    oneAtATime(async () => {
      const orders = await findWaiting(collections, workspaceId, [...new Set(orderIds)]);
      await sessions.all[0]?.run((session) => postGroup(orders, { session, slot: 0 }));
    });
  const transfer: PostedBooks['transfer'] = async (...values) => {
    const id = await record(...values);
    await post([id]);
    return id;
  };
  const recordAsked: PostedBooks['recordAsked'] = async (asked, parentId) => {
    const parent = parentId === undefined ? undefined : await collections.orders.find(workspaceId, parentId);
    const order = newOrder(typeOf(asked).values(asked, { workspaceId, now: new Date(), parent }));
    await collections.orders.insertBatch([order]);
    return order.id;
  };
  const ask: PostedBooks['ask'] = async (...values) => {
    const id = await recordAsked(...values);
    await post([id]);
    return id;
  };
  return {
    alice: alice.id,
    bob: bob.id,
    external: external.id,
    workspaceId,
    transfer,
    record,
    post,
    recordAsked,
    ask,
    async verify() {
      const breaches: Breach[] = [];
      const books = openBooks(client, db, rowsPerPage);
      const summary = await verify(books, (breach) => breaches.push(breach));
      return { breaches, summary };
    },
  };
}
