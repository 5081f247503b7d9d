import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { redisUrl } from '../../local/redis.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { hang } from '../faults/harness/traps.ts';
import { pendingOrder } from '../support/pending-order.ts';
import type { Member } from '../support/members.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const accountsCount = 4;
/** Stated in docs/posting.md. */
const takenOverWithinMs = 12_000;
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
let accounts: Account[];

beforeAll(async () => {
  service = await startService({ workers: 0 });
  mongodb = await MongoClient.connect(service.mongodbUri);
  const { port, pathname } = new URL(service.redisUrl);
  proxy = await startProxy({ host: '127.0.0.1', port: Number(port) });
  cutWorker = await service.startWorker({ REDIS_URL: redisUrl(proxy.port, Number(pathname.slice(1))) });
  // The first one has the leases of what only one worker does.
  await waitFor(
    async () => (await singletons()).length > 0 && (await singletons()).every((name) => isOf(cutWorker, name)),
  );
  await service.startWorker();
  accounts = await Promise.all(Array.from({ length: accountsCount }, openAccount));
});
afterAll(async () => {
  proxy.intercept(undefined);
  await service.admin('verify');
  await service.stop();
  await Promise.all([mongodb.close(), proxy.close()]);
});

/** With money, in a workspace of its own. */
async function openAccount(): Promise<Account> {
  const workspace = await createWorkspace(service);
  return { workspace, sourceWalletId: await workspace.wallet('100'), targetWalletId: await workspace.wallet() };
}

interface Lease {
  readonly _id: string;
  readonly holder: string;
}

const leases = () => mongodb.db().collection<Lease>('leases');
const isOf = ({ ownId }: Member, holder: string): boolean => holder.includes(ownId);
const singletons = async (): Promise<string[]> => (await leases().find().toArray()).map(({ holder }) => holder);

async function create({ workspace, sourceWalletId, targetWalletId }: Account): Promise<string> {
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const path = '/api/v1/transfer/command/create';
  const { status, envelope } = await workspace.client.request<{ transferId: string }>('POST', path, { body });
  expect(status).toBe(200);
  return envelope?.data.transferId ?? '';
}

/** An order that nobody is woken for. */
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

it('a worker that is cut off from Redis leaves all it has to the others, and takes part again afterwards', async () => {
  const hanging = hang([proxy]);
  const cutAt = performance.now();
  const created = await Promise.all(accounts.map(create));
  await waitFor(async () => (await pending(created)) === 0, {
    timeoutMs: takenOverWithinMs - (performance.now() - cutAt),
    what: 'the posting of every order',
  });
  console.log(`every order was posted ${Math.round(performance.now() - cutAt)} ms after the cut`);
  // The sweep, too, is left to the other.
  const lost = await Promise.all(accounts.map(record));
  await waitFor(async () => (await pending(lost)) === 0, sweptWithin);
  await waitFor(async () => (await singletons()).every((holder) => !isOf(cutWorker, holder)), sweptWithin);

  hanging.release();
  await waitFor(async () => {
    const after = await Promise.all(accounts.map(create));
    await waitFor(async () => (await pending(after)) === 0);
    const posted = await mongodb
      .db()
      .collection<{ _id: string; postedBy: { worker: string } }>('orders')
      .find({ _id: { $in: after } })
      .toArray();
    return posted.some(({ postedBy: { worker } }) => isOf(cutWorker, worker));
  }, sweptWithin);
});
