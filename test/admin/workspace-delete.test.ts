import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { toDocument, type OrderDocument } from '../../src/storage/orders/documents.ts';
import type { Workspace } from '../../src/storage/workspaces.ts';
import type { Stored } from '../../src/storage/shared/decimal.ts';
import { runAdmin } from '../support/admin.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

let service: RunningService;
let mongo: MongoClient;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService();
  mongo = new MongoClient(service.mongodbUri);
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});
beforeEach(async () => {
  workspace = await createWorkspace(service);
});

interface Order {
  transferId: string;
  status: string;
}

const remove = (...more: string[]) => ['workspace', 'delete', '--workspace', workspace.workspaceId, '--yes', ...more];
const codeNow = async () => (await workspace.client.request('GET', '/api/v1/wallets')).envelope?.code;
async function done(name: string, body: object): Promise<string> {
  const path = `/api/v1/transfer/command/${name}`;
  const answer = await workspace.client.request<Order>('POST', path, { body, headers: { Prefer: 'wait=10' } });
  expect(answer.envelope?.code).toBe('2000');
  return answer.envelope!.data.transferId;
}
const deletedAt = async () => {
  const workspaces = mongo.db().collection<Stored<Workspace>>('workspaces');
  return (await workspaces.findOne({ _id: workspace.workspaceId }))!.deletedAt;
};

it('a workspace is not deleted with what is left in it, unless that is said; and the operator then ends it', async () => {
  const [alice, bob, empty] = [await workspace.wallet('100'), await workspace.wallet(), await workspace.wallet()];
  const usd = { sourceWalletId: alice, targetWalletId: bob, currency: 'USD' };
  const hold = await done('hold', { ...usd, amount: '30' });
  const executeAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = await done('create', { ...usd, amount: '60', executeAt });

  const refused = await runAdmin(remove(), service.env);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  for (const left of [`${alice} (100.00 USD, 30.00 of it held)`, hold, later]) expect(refused.stderr).toContain(left);
  for (const other of [bob, empty]) expect(refused.stderr).not.toContain(other);
  expect(await codeNow()).toBe('2000');

  const forced = await runAdmin(remove('--force', '--json'), service.env);
  expect(forced.stderr).toContain(later);
  expect(JSON.parse(forced.stdout)).toMatchObject({ deletedAt: expect.any(String) as string });
  await waitFor(async () => (await codeNow()) === 'GA2032');
  const list = await service.admin<{ id: string; balance: string }[]>(
    ...['wallet', 'list', '--workspace', workspace.workspaceId],
  );
  expect(list.find(({ id }) => id === alice)?.balance).toBe('100.00');
  expect(await service.admin('transfer', 'cancel', '--id', later)).toMatchObject({ status: 'CANCELLED' });
  const release = (id: string) => service.admin('transfer', 'release', '--id', id);
  expect(await release(hold)).toMatchObject({ type: 'RELEASE', amount: '30.00', status: 'COMPLETED' });
  await expect(release(hold)).rejects.toThrow('TR4225 HOLD_CLOSED');
  await expect(release('tr_none')).rejects.toThrow('there is no order tr_none');
  const out = ['wallet', 'withdraw', '--wallet', alice, '--amount', '100'];
  expect(await service.admin(...out)).toMatchObject({ status: 'COMPLETED' });
});

it('a workspace whose wallets were emptied is deleted as it is', async () => {
  const alice = await workspace.wallet('5');
  await done('withdraw', { sourceWalletId: alice, amount: '5', currency: 'USD' });
  const { code, stderr } = await runAdmin(remove(), service.env);
  expect([code, stderr]).toEqual([0, expect.stringContaining('waiting 0 s for requests')]);
  await waitFor(async () => (await codeNow()) === 'GA2032');
});

it('a deletion is taken back where an order was accepted behind its first look', async () => {
  const order = pendingOrder({
    workspaceId: workspace.workspaceId,
    sourceWalletId: await workspace.wallet(),
    targetWalletId: await workspace.wallet(),
    currency: 'USD',
    amount: '1',
  });
  const scheduled = { ...order, status: 'SCHEDULED' as const, executeAt: new Date(Date.now() + 3_600_000) };
  const deleting = runAdmin(remove(), service.env, undefined, 2_000);
  await waitFor(async () => (await deletedAt()) !== null);
  await mongo.db().collection<OrderDocument>('orders').insertOne(toDocument(scheduled));
  const { code, stderr } = await deleting;
  expect([code, stderr]).toEqual([1, expect.stringContaining(order.id)]);
  expect(await deletedAt()).toBe(null);
  await waitFor(async () => (await codeNow()) === '2000');
});
