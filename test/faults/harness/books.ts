import type { Db } from 'mongodb';
import { createKey } from '../../../bench/servers/workspace.ts';
import { sealSecret } from '../../../src/auth/secrets.ts';
import { newId } from '../../../src/domain/ids.ts';
import { newOrder, type Order } from '../../../src/orders/order.ts';
import { bucketOf } from '../../../src/domain/bucket.ts';
import { webhookTypes } from '../../../src/domain/webhook.ts';
import { openCollections, type Collections } from '../../../src/storage/collections.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** A workspace with a key, and wallets to move money between. */
export interface PreparedBooks {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  /** Ids by currency; the first wallet of each is in most transfers. */
  wallets: ReadonlyMap<string, readonly string[]>;
}

interface BooksTools {
  db: Db;
  masterKeys: ReadonlyMap<number, Buffer>;
  wake: (workspaceIds: readonly string[]) => Promise<void>;
  /** How many workspaces. */
  count: number;
  /** What each workspace's events are sent to. */
  webhooks: Pick<WebhookReceiver, 'urlOf' | 'secret'>;
}

/** Few, so that most transactions meet in one; some without money, so that some transfers fail. */
const walletsEach = 5;
const fundedEach = 2;
const funds = '2000';
const currencies = ['USD', 'USDT'];

/** Workspaces each in a bucket of its own, so that all workers have some. */
export async function prepareBooks(tools: BooksTools): Promise<PreparedBooks[]> {
  const collections = openCollections(tools.db);
  const ids = new Map<number, string>();
  while (ids.size < tools.count) {
    const id = newId('workspace');
    ids.set(bucketOf(id), id);
  }
  const books = await Promise.all(
    [...ids.values()].map((id, index) => prepareWorkspace(id, index, collections, tools)),
  );
  const funding = (await Promise.all(books.map((prepared) => fundingOf(prepared, collections)))).flat();
  await collections.orders.insertBatch(funding);
  await tools.wake(funding.map(({ workspaceId }) => workspaceId));
  return books;
}

async function prepareWorkspace(
  workspaceId: string,
  index: number,
  collections: Collections,
  { masterKeys, webhooks }: BooksTools,
): Promise<PreparedBooks> {
  await collections.workspaces.create(`faults ${index}`, workspaceId);
  const { apiKey, apiSecret } = await createKey(collections, workspaceId, masterKeys);
  const values = { workspaceId, url: webhooks.urlOf(workspaceId), description: '', events: webhookTypes };
  await collections.webhookEndpoints.create(values, (id) => sealSecret(webhooks.secret, id, masterKeys));
  const wallets = new Map<string, readonly string[]>();
  for (const currency of currencies) {
    const names = Array.from({ length: walletsEach }, (_, index) => `${currency} ${index}`);
    const made = names.map((name) => collections.wallets.create({ workspaceId, name, currency }));
    wallets.set(
      currency,
      (await Promise.all(made)).map(({ id }) => id),
    );
  }
  return { workspaceId, apiKey, apiSecret, wallets };
}

/** Orders as the administrator funds wallets by. */
async function fundingOf({ workspaceId, wallets }: PreparedBooks, collections: Collections): Promise<Order[]> {
  const orders = [...wallets].map(async ([currency, ids]) => {
    const external = await collections.wallets.ensureExternal(workspaceId, currency);
    return ids.slice(0, fundedEach).map((targetWalletId) =>
      newOrder({
        type: 'DEPOSIT',
        workspaceId,
        sourceWalletId: external.id,
        targetWalletId,
        amount: funds,
        currency,
      }),
    );
  });
  return (await Promise.all(orders)).flat();
}
