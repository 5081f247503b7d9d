import { MongoClient } from 'mongodb';
import { afterAll, it } from 'vitest';
import { redisUrl } from '../../local/redis.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { startProxy } from '../faults/harness/proxy.ts';
import { hang } from '../faults/harness/traps.ts';
import { sendCommand } from '../support/orders.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const accountsCount = 4;
/** Stated in docs/posting.md. */
const takenOverWithinMs = 12_000;
const sweptWithin = { timeoutMs: 30_000 };

const service = await startService({ workers: 0 });
const mongodb = await MongoClient.connect(service.mongodbUri);
const { port, pathname } = new URL(service.redisUrl);
const proxy = await startProxy({ host: '127.0.0.1', port: Number(port) });
afterAll(async () => {
  proxy.intercept(undefined);
  await service.admin('verify');
  await service.stop();
  await Promise.all([mongodb.close(), proxy.close()]);
});
const { ownId } = await service.startWorker({ REDIS_URL: redisUrl(proxy.port, Number(pathname.slice(1))) });

interface Order {
  readonly _id: string;
  readonly status: string;
  readonly postedBy: { readonly worker: string };
}
const orders = mongodb.db().collection<Order>('orders');
const holders = async () =>
  (await mongodb.db().collection<{ holder: string }>('leases').find().toArray()).map((lease) => lease.holder);
const untilPosted = (ids: string[], within = {}) =>
  waitFor(async () => (await orders.countDocuments({ _id: { $in: ids }, status: 'PENDING' })) === 0, within);

// The first one has the leases of what only one worker does.
await waitFor(async () => (await holders()).length > 0 && (await holders()).every((holder) => holder.includes(ownId)));
await service.startWorker();
/** With money, each in a workspace of its own. */
const accounts = await Promise.all(
  Array.from({ length: accountsCount }, async () => {
    const workspace = await createWorkspace(service);
    return {
      workspace,
      sides: { sourceWalletId: await workspace.wallet('100'), targetWalletId: await workspace.wallet() },
    };
  }),
);
const values = { amount: '1', currency: 'USD' };
const create = () =>
  Promise.all(
    accounts.map(async ({ workspace, sides }) => {
      const { envelope } = await sendCommand(workspace, 'create', { ...sides, ...values }, {});
      return envelope!.data.transferId;
    }),
  );

it('a worker that is cut off from Redis leaves all it has to the others, and takes part again afterwards', async () => {
  const hanging = hang([proxy]);
  const cutAt = performance.now();
  const created = await create();
  await untilPosted(created, { timeoutMs: takenOverWithinMs - (performance.now() - cutAt) });
  // The sweep, too, is left to the other: nobody is woken for these.
  const lost = accounts.map(({ workspace, sides }) =>
    pendingOrder({ workspaceId: workspace.workspaceId, ...sides, ...values }),
  );
  await openOrders(mongodb.db()).insertBatch(lost);
  await untilPosted(
    lost.map(({ id }) => id),
    sweptWithin,
  );
  await waitFor(async () => (await holders()).every((holder) => !holder.includes(ownId)), sweptWithin);

  hanging.release();
  await waitFor(async () => {
    const after = await create();
    await untilPosted(after);
    const posted = await orders.find({ _id: { $in: after } }).toArray();
    return posted.some(({ postedBy: { worker } }) => worker.includes(ownId));
  }, sweptWithin);
});
