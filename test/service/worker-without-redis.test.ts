import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { redisUrl } from '../../local/redis.ts';
import { partitionOf } from '../../src/domain/partition.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { hang } from '../faults/harness/traps.ts';
import { pendingOrder } from '../support/pending-order.ts';
import type { Member } from '../support/members.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const partitionCount = 4;
/** Stated in docs/posting.md. */
const takenOverWithinMs = 12_000;
const workspacesMax = 100;
const sweptWithin = { timeoutMs: 30_000 };

interface Account {
  readonly workspace: TestWorkspace;
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
}

let mongodb: MongoClient;
let service: RunningService;
let proxy: Proxy;
let cutWorker: Member;
let otherWorker: Member;
let accounts: Account[];

beforeAll(async () => {
  service = await startService({ workers: 0, env: { POSTING_PARTITIONS: String(partitionCount) } });
  mongodb = await MongoClient.connect(service.mongodbUri);
  const { port, pathname } = new URL(service.redisUrl);
  proxy = await startProxy({ host: '127.0.0.1', port: Number(port) });
  cutWorker = await service.startWorker({ REDIS_URL: redisUrl(proxy.port, Number(pathname.slice(1))) });
  // The first one has the leases of what only one worker does.
  await waitFor(
    async () => (await singletons()).length > 0 && (await singletons()).every((name) => isOf(cutWorker, name)),
  );
  otherWorker = await service.startWorker();
  accounts = await openAccounts();
  await waitFor(areShared);
});
afterAll(async () => {
  proxy.intercept(undefined);
  await service.admin('verify');
  await service.stop();
  await Promise.all([mongodb.close(), proxy.close()]);
});

/** One with money in a workspace of each partition. */
async function openAccounts(): Promise<Account[]> {
  const byPartition = new Map<number, Account>();
  for (let tries = 0; byPartition.size < partitionCount && tries < workspacesMax; tries += 1) {
    const workspace = await createWorkspace(service);
    const partition = partitionOf(workspace.workspaceId, partitionCount);
    if (byPartition.has(partition)) continue;
    const [sourceWalletId, targetWalletId] = [await workspace.wallet('100'), await workspace.wallet()];
    byPartition.set(partition, { workspace, sourceWalletId, targetWalletId });
  }
  return [...byPartition.values()];
}

interface Lease {
  readonly _id: string;
  readonly holder: string;
}

const leases = () => mongodb.db().collection<Lease>('leases');
const isOf = ({ ownId }: Member, holder: string): boolean => holder.includes(ownId);
const singletons = async (): Promise<string[]> => {
  const found = await leases()
    .find({ _id: { $not: /^partition-/ } })
    .toArray();
  return found.map(({ holder }) => holder);
};
async function partitionsHeldBy(worker: Member): Promise<number> {
  const found = await leases()
    .find({ _id: /^partition-/ })
    .toArray();
  return found.filter(({ holder }) => isOf(worker, holder)).length;
}
async function areShared(): Promise<boolean> {
  const held = [await partitionsHeldBy(cutWorker), await partitionsHeldBy(otherWorker)];
  return held.every((count) => count === partitionCount / 2);
}

async function create({ workspace, sourceWalletId, targetWalletId }: Account): Promise<string> {
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const path = '/api/v1/transfer/command/create';
  const { status, envelope } = await workspace.client.request<{ transferId: string }>('POST', path, { body });
  expect(status).toBe(200);
  return envelope?.data.transferId ?? '';
}

/** An order that is recorded, and whose job is lost. */
async function record({ workspace, ...sides }: Account): Promise<string> {
  const order = pendingOrder({ workspaceId: workspace.workspaceId, ...sides, amount: '1', currency: 'USD' });
  await openOrders(mongodb.db()).insertBatch([order]);
  return order.id;
}

const pending = (ids: string[]): Promise<number> =>
  mongodb
    .db()
    .collection<{ _id: string }>('orders')
    .countDocuments({ _id: { $in: ids }, status: 'PENDING' });

it('a worker that is cut off from Redis leaves all it has to the others, and has its share again afterwards', async () => {
  const hanging = hang([proxy]);
  const cutAt = performance.now();
  const lost = await Promise.all(accounts.map(record));
  const created = await Promise.all(accounts.map(create));
  await waitFor(async () => (await pending(created)) === 0, {
    timeoutMs: takenOverWithinMs - (performance.now() - cutAt),
    what: 'the posting of every order',
  });
  console.log(`every order was posted ${Math.round(performance.now() - cutAt)} ms after the cut`);
  await waitFor(async () => (await pending(lost)) === 0, sweptWithin);
  expect(await partitionsHeldBy(cutWorker)).toBe(0);
  expect((await singletons()).filter((holder) => isOf(cutWorker, holder))).toEqual([]);

  hanging.release();
  await waitFor(areShared, sweptWithin);
  const after = await Promise.all(accounts.map(create));
  await waitFor(async () => (await pending(after)) === 0);
});
