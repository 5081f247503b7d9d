import { systemClock } from '../../src/clock.ts';
import { newSecret, sealSecret } from '../../src/auth/secrets.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { newId, timeOfId } from '../../src/domain/ids.ts';
import { bucketOf } from '../../src/domain/bucket.ts';
import { newOrder } from '../../src/orders/order.ts';
import { createLogger } from '../../src/log.ts';
import { scopes } from '../../src/domain/scopes.ts';
import type { Collections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { createEndIfHung, createGroupTransaction, createRemembered } from '../../src/posting/group-transaction.ts';
import type { PostObserver } from '../../src/posting/observer.ts';
import { createPostGroup } from '../../src/posting/post-group.ts';
import { Poster } from '../../src/posting/poster.ts';
import { openSlots } from '../../src/posting/slots.ts';
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import type { WalletCounts } from '../load/patterns.ts';
import type { Credentials } from '../load/requests.ts';

/** A workspace with keys and wallets, the funded ones filled by orders as an administrator fills them. */
export interface Workspace {
  readonly workspaceId: string;
  readonly keys: readonly Credentials[];
  /** Funded wallets first, then those without money. */
  readonly walletIds: readonly string[];
  /** Orders that funded the wallets; all COMPLETED. */
  readonly fundingOrders: number;
  /**
   * Commands that posting one group takes whose wallets its worker remembers, as the driver counted them; NaN where others
   * posted at the same time.
   */
  readonly commandsPerGroup: number;
}

export interface Books {
  readonly client: MongoClient;
  readonly collections: Collections;
  readonly masterKey: Buffer;
}

export const currency = 'USD';
const funds = '1000000000';
/** Less than a page, so that one reading finds that there is no more. */
const fundingGroupSize = 250;
const unobserved: PostObserver = {
  groupPosted: () => undefined,
  groupFailed: () => undefined,
  busyFor: () => undefined,
};
const walletsAtOnce = 64;
const owner = 'bench';
const { log } = createLogger('bench', 'silent');

/** Makes a workspace with as many keys. @param id one that no workspace has yet. */
export async function createWorkspace(
  { client, collections, masterKey }: Books,
  counts: WalletCounts,
  keyCount: number,
  id = newId('workspace'),
): Promise<Workspace> {
  const { id: workspaceId } = await collections.workspaces.create('benchmark', id);
  const keys = await Promise.all(
    Array.from({ length: keyCount }, () => createKey(collections, workspaceId, new Map([[1, masterKey]]))),
  );
  const walletIds = await createWallets(collections, workspaceId, counts.funded + counts.unfunded);
  const commandsPerGroup = await fund(client, collections, workspaceId, walletIds.slice(0, counts.funded));
  return { workspaceId, keys, walletIds, fundingOrders: counts.funded, commandsPerGroup };
}

/** An id for a workspace in one of the buckets that are wanted. */
export function workspaceIdIn(isWanted: (bucket: number) => boolean): string {
  for (;;) {
    const id = newId('workspace');
    if (isWanted(bucketOf(id))) return id;
  }
}

/** Makes a key of all scopes, of an owner who is a member. */
export async function createKey(
  { apiKeys, workspaces }: Collections,
  workspaceId: string,
  masterKeys: ReadonlyMap<number, Buffer>,
): Promise<Credentials> {
  await workspaces.addMember(workspaceId, owner);
  const id = newId('apiKey');
  const secret = newSecret();
  const createdAt = timeOfId('apiKey', id);
  await apiKeys.insert({
    id,
    workspaceId,
    ownerId: owner,
    scopes,
    status: 'ENABLED',
    ipWhitelist: [],
    secrets: [sealSecret(secret, id, masterKeys)],
    createdAt,
    updatedAt: createdAt,
  });
  return { apiKey: id, apiSecret: secret };
}

async function createWallets({ wallets }: Collections, workspaceId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const size = Math.min(walletsAtOnce, count - ids.length);
    const made = await Promise.all(
      Array.from({ length: size }, (_, index) =>
        wallets.create({ workspaceId, currency, name: `wallet ${ids.length + index}` }),
      ),
    );
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** @returns how many commands posting a group took, but for the read of its wallets, which are new to it. */
async function fund(
  client: MongoClient,
  collections: Collections,
  workspaceId: string,
  walletIds: readonly string[],
): Promise<number> {
  const external = await collections.wallets.ensureExternal(workspaceId, currency);
  const sessions = openPostingSessions(client, 1);
  const { orders: ordersCollection, stuckOrders } = collections;
  const endIfHung = createEndIfHung((what) => {
    throw new Error(what);
  });
  const postInTransaction = createGroupTransaction({
    collections,
    writePosted: createPostedWrites(client.db(), 'bench'),
    currencies: { current: createCurrencies(new Map()), readAgain: () => Promise.resolve() },
    clock: systemClock,
    dateIn: collections.testClocks.dateIn,
    subscribersOf: () => Promise.resolve(new Map()),
    remembered: createRemembered(collections),
    endTransactions: () => Promise.resolve(),
    endIfHung,
  });
  const postGroup = createPostGroup({ postInTransaction, stuckOrders, observe: unobserved, log, endIfHung });
  const posts = openSlots(sessions.all, postGroup, unobserved);
  const poster = new Poster({ orders: ordersCollection, posts, isSharded: false, onUnknownType: () => undefined });
  let commands = 0;
  let groups = 0;
  const count = ({ command }: CommandStartedEvent): void => {
    if (command['find'] !== 'wallets') commands += 1;
  };
  for (let at = 0; at < walletIds.length; at += fundingGroupSize) {
    const orders = walletIds.slice(at, at + fundingGroupSize).map((targetWalletId) =>
      newOrder({
        type: 'DEPOSIT',
        workspaceId,
        sourceWalletId: external.id,
        targetWalletId,
        amount: funds,
        currency,
      }),
    );
    await collections.orders.insertBatch(orders);
    client.on('commandStarted', count);
    await poster.post(workspaceId, '', () => undefined);
    client.off('commandStarted', count);
    groups += 1;
  }
  await sessions.end();
  return commands / groups;
}
