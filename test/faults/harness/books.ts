import type { Db } from 'mongodb';
import { newSecret, sealSecret } from '../../../src/auth/secrets.ts';
import { newId, timeOfId } from '../../../src/domain/ids.ts';
import { Money } from '../../../src/domain/money.ts';
import { newOrder } from '../../../src/orders/order.ts';
import { partitionOf, partitionsOf } from '../../../src/domain/partition.ts';
import { byWorkspace, type WorkspaceOrders } from '../../../src/domain/workspace-orders.ts';
import { webhookTypes } from '../../../src/domain/webhook.ts';
import { scopes } from '../../../src/domain/scopes.ts';
import { openCollections, type Collections } from '../../../src/storage/collections.ts';
import type { RecordedOrder } from '../../../src/storage/orders/documents.ts';
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
  enqueue: (batches: readonly WorkspaceOrders[]) => Promise<void>;
  /** Where it matters what a partition's API key is. */
  newKeyId?: (partition: number) => Promise<string>;
  /** What each workspace's events are sent to. */
  webhooks?: Pick<WebhookReceiver, 'urlOf' | 'secret'> | undefined;
}

/** Few, so that most transactions meet in one; some without money, so that some transfers fail. */
const walletsEach = 5;
const fundedEach = 2;
const funds = new Money(2000);
const currencies = ['USD', 'USDT'];
const owner = 'owner';

/** One workspace in each partition, so that each worker has some, whichever partitions are its own. */
export async function prepareBooks(tools: BooksTools): Promise<PreparedBooks[]> {
  const collections = openCollections(tools.db);
  const count = await collections.partitioning.agree(undefined);
  const partitions = partitionsOf(count);
  const books = await Promise.all(
    partitions.map((partition) => prepareWorkspace(partition, count, collections, tools)),
  );
  const funding = (await Promise.all(books.map((prepared) => fundingOf(prepared, collections)))).flat();
  await collections.orders.insertBatch(funding);
  await tools.enqueue(byWorkspace(funding));
  return books;
}

async function prepareWorkspace(
  partition: number,
  count: number,
  collections: Collections,
  { masterKeys, newKeyId, webhooks }: BooksTools,
): Promise<PreparedBooks> {
  let workspaceId = newId('workspace');
  while (partitionOf(workspaceId, count) !== partition) workspaceId = newId('workspace');
  await collections.workspaces.create(`faults ${partition}`, workspaceId);
  await collections.workspaces.addMember(workspaceId, owner);
  const apiKey = (await newKeyId?.(partition)) ?? newId('apiKey');
  const apiSecret = newSecret();
  const createdAt = timeOfId('apiKey', apiKey);
  await collections.apiKeys.insert({
    ...{ id: apiKey, workspaceId, ownerId: owner, scopes, status: 'ENABLED', ipWhitelist: [] },
    ...{ secrets: [sealSecret(apiSecret, apiKey, masterKeys)], createdAt, updatedAt: createdAt },
  });
  if (webhooks !== undefined) {
    const values = { workspaceId, url: webhooks.urlOf(workspaceId), description: '', events: webhookTypes };
    await collections.webhookEndpoints.create(values, (id) => sealSecret(webhooks.secret, id, masterKeys));
  }
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
async function fundingOf({ workspaceId, wallets }: PreparedBooks, collections: Collections): Promise<RecordedOrder[]> {
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
