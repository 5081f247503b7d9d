import { MongoClient } from 'mongodb';
import { startEngine } from 'mongodb-embedded';
import { systemClock } from '../../src/clock.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createClient } from '../../src/storage/shared/connection.ts';
import { majorityJournaled } from '../../src/storage/shared/commands.ts';
import type { Subscribers } from '../../src/storage/webhooks/endpoints.ts';
import type { OutboxEntry } from '../../src/storage/webhooks/outbox.ts';
import { toPost, type Order, type OrderToPost } from '../../src/orders/order.ts';
import { createPostedWrites, type WritePosted } from '../../src/storage/group-writes.ts';
import { endTransactions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { PostingSlot } from '../../src/posting/group-transaction.ts';
import type { PostGroupIn } from '../../src/posting/post-group.ts';
import { createSubscribers } from '../../src/webhooks/subscribers.ts';
import { verify } from '../../src/verify/verify.ts';
import type { Breach } from '../../src/verify/breach.ts';
import { withDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPostGroup } from '../support/test-poster.ts';
import { watchWorkspaces } from '../support/workspace-watch.ts';

export const walletNames = ['world', 'alice', 'bob', 'carol'] as const;
type WalletName = (typeof walletNames)[number];
export type Transfer = readonly [source: WalletName, target: WalletName, amount: string, currency?: string];

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

const rowsPerPage = 50;
const hungAfterMs = 10_000;

/** How old what is known of webhooks may be. */
const subscribersFreshMs = 50;

/** Done in each transaction. */
interface Meddling {
  /** Between its reads and its writes, after what it posts was dated. */
  readonly beforeWrites?: () => Promise<unknown>;
  readonly beforeCommit?: () => Promise<unknown>;
}

/**
 * A workspace on a server of its own, and what posts its orders, with an outbox for webhooks where that is asked for.
 * @param options.clock dates what is posted.
 */
export async function openLedger({ withWebhooks = false, clock = systemClock } = {}) {
  const engine = await startEngine();
  const client = new MongoClient(engine.uri, {
    ...{ monitorCommands: true, ignoreUndefined: true },
    ...{ writeConcern: majorityJournaled, readConcern: { level: 'majority' } },
  });
  const db = client.db('ways');
  await ensureSchema(db);
  const sent: string[] = [];
  const service = createClient(engine.uri, hungAfterMs);
  const complaints: string[] = [];
  watchWorkspaces(service, (command) => complaints.push(command));
  service.on('commandStarted', ({ commandName }) => sent.push(commandName));
  const collections = openCollections(service.db(db.databaseName));
  const { id: workspaceId } = await collections.workspaces.create('test');
  const ids = {} as Record<WalletName, string>;
  for (const name of walletNames) {
    const wallet =
      name === 'world'
        ? await collections.wallets.ensureExternal(workspaceId, 'EUR')
        : await collections.wallets.create({ workspaceId, name, currency: 'EUR' });
    ids[name] = wallet.id;
  }
  const session = service.startSession();
  const announced: OutboxEntry[] = [];
  const subscribersOf = withWebhooks
    ? createSubscribers(collections.webhookEndpoints, subscribersFreshMs)
    : (): Promise<Subscribers> => Promise.resolve(new Map());
  sent.length = 0;
  let attempts = 0;
  let beforeWrite: (() => Promise<unknown>) | undefined;
  const observe = { groupPosted: ({ outbox }: { outbox: readonly OutboxEntry[] }) => void announced.push(...outbox) };
  const endOpen = (ids: readonly string[]) => endTransactions(service.db(db.databaseName), ids);
  const postGroupAs = (worker: string, { beforeWrites, beforeCommit }: Meddling = {}): PostGroupIn => {
    const write = createPostedWrites(service.db(db.databaseName), worker);
    const writePosted: WritePosted = async (posting, options) => {
      ({ attempts } = options);
      await beforeWrites?.();
      await write(posting, options);
      await beforeCommit?.();
    };
    return createTestPostGroup(collections, writePosted, { clock, subscribersOf, observe, endTransactions: endOpen });
  };
  const postGroup = postGroupAs('test', {
    async beforeWrites() {
      const before = beforeWrite;
      beforeWrite = undefined;
      await before?.();
    },
  });

  return {
    uri: withDatabase(engine.uri, db.databaseName),
    ids,
    workspaceId,
    collections,
    /** What was said to be in the outbox. */
    announced,
    subscribersOf,
    client,
    /** The service's own. */
    service,
    db,
    /** In which the groups run. */
    session,
    /** What was sent by the service's own client that names no workspace. */
    complaints,
    /** Names of all commands of the service's own client since the ledger was opened. */
    sent,
    /** How many transactions were begun and ended so far. */
    transactions: () => sent.filter((name) => name === 'commitTransaction' || name === 'abortTransaction').length,
    /** How many runs of its transaction the last group took. */
    attempts: () => attempts,
    /** Done once, in the next transaction, between its reads and its writes. */
    meddle: (work: () => Promise<unknown>) => void (beforeWrite = work),
    async record(transfers: readonly Transfer[]): Promise<Order[]> {
      const orders = transfers.map(([source, target, amount, currency = 'EUR']) =>
        pendingOrder({
          ...{ workspaceId, sourceWalletId: ids[source], targetWalletId: ids[target] },
          ...{ amount, currency },
        }),
      );
      await collections.orders.insertBatch(orders);
      return orders;
    },
    /** Posts orders as they were recorded, whatever has become of them, and tells each one's outcome. */
    post: (orders: readonly AnyOrder[]) => postWith(postGroup, { session, slot: 0 }, orders),
    /** Another that believes that it has the same workspace. */
    secondOwner(slot = 0, meddling: Meddling = {}) {
      const other = service.startSession();
      const postAsSecond = postGroupAs('second', meddling);
      return {
        post: (orders: readonly AnyOrder[]) => postWith(postAsSecond, { session: other, slot }, orders),
        close: () => other.endSession(),
      };
    },
    /** All that is the same whoever posts it: no ids, no times. */
    async books() {
      const orders = await db.collection('orders').find().sort({ _id: 1 }).toArray();
      const wallets = await db.collection('wallets').find().toArray();
      return {
        orders: orders.map(({ status, failure }) => [status, failure] as unknown[]),
        wallets: walletNames.map((name) => {
          const wallet = wallets.find(({ _id }) => String(_id) === ids[name]);
          return [name, String(wallet?.['balance']), wallet?.['sequence']] as unknown[];
        }),
      };
    },
    /** What the service's own verification finds wrong. */
    async breaches(): Promise<Breach[]> {
      const breaches: Breach[] = [];
      await verify(openBooks(client, db, rowsPerPage), (breach) => breaches.push(breach));
      return breaches;
    },
    async failNext(command: string, data: object, times = 1): Promise<void> {
      const fault = {
        configureFailPoint: 'failCommand',
        mode: { times },
        data: { failCommands: [command], ...data },
      };
      await client.db('admin').command(fault);
    },
    async close(): Promise<void> {
      await session.endSession();
      await service.close();
      await client.close();
      await engine.close();
    },
  };
}

/** As it was recorded, or as it was read to be posted. */
type AnyOrder = Order | OrderToPost;

async function postWith(postGroup: PostGroupIn, slot: PostingSlot, orders: readonly AnyOrder[]) {
  const read = orders.map((order) => ('namesLegs' in order ? order : toPost(order)));
  const outcomes = await postGroup(read, slot);
  return orders.map(({ id }) => outcomes.get(id));
}
