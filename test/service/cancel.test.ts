import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { undescribedMessage } from '../support/described-answers.ts';
import { findOrder, sendCommand, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

const receiver = await startReceiver();
afterAll(() => receiver.close());
const service = await serviceForTests({ workers: 1, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
const workspace = await createWorkspace(service);
const sides = { sourceWalletId: await workspace.wallet('1000'), targetWalletId: await workspace.wallet() };
const subscribed = await workspace.client.request<{ id: string; secret: string }>('POST', '/api/v1/webhooks', {
  body: { url: receiver.url, events: ['transfer.cancelled'] },
});
const webhook = subscribed.envelope!.data;

async function create(
  more: object = { executeAt: new Date(Date.now() + 3_600_000).toISOString() },
): Promise<OrderData> {
  const body = { ...sides, amount: '1', currency: 'USD', ...more };
  return (await sendCommand(workspace, 'create', body)).envelope!.data;
}
const cancel = (body: object, by = workspace) => sendCommand(by, 'cancel', body, {});
/** Why a cancel is refused. */
async function refusal(body: object, by = workspace) {
  const { status, envelope, headers } = await cancel(body, by);
  return [status, envelope!.code, headers['x-error-field'], headers['x-error-value']];
}
const find = (id: string) => findOrder(workspace, id);
/** What was told of an order. */
const toldOf = ({ transferId }: OrderData) => events().filter(({ data }) => data.transferId === transferId);
const events = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: OrderData });

it('a SCHEDULED order is cancelled, by its id or its bizId, and cancelling it again says how it stands', async () => {
  const executeAt = new Date(Date.now() + 3_600_000).toISOString();
  for (const named of [{}, { bizId: 'rent-1' }]) {
    const { transferId } = await create({ executeAt, ...named });
    const name = { transferId: 'bizId' in named ? named.bizId : transferId };
    const first = await cancel(name);
    expect(first.status).toBe(200);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(first.envelope!.data).toMatchObject({ transferId, status: 'CANCELLED', executeAt, completedAt: null });
    const again = await cancel(name);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.envelope!.data).toEqual(first.envelope!.data);
    expect(await find(transferId)).toEqual(first.envelope!.data);
  }
});

it('of several cancels at once one does it, and all are told that it is done', async () => {
  const { transferId } = await create();
  const answers = await Promise.all(Array.from({ length: 6 }, () => cancel({ transferId })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
});

it('what cannot be cancelled is refused, with its status', async () => {
  const completed = await create({});
  expect(completed.status).toBe('COMPLETED');
  const { transferId } = completed;
  const failed = await create({ amount: '5000' });
  expect(failed.status).toBe('FAILED');
  expect(await refusal({ transferId })).toEqual([409, 'TR4092', 'transferId', 'COMPLETED']);
  expect(await refusal({ transferId: failed.transferId })).toEqual([409, 'TR4092', 'transferId', 'FAILED']);
  expect(await refusal({ transferId: 'unknown' })).toEqual([404, 'TR4041', 'transferId', undefined]);
  const other = await createWorkspace(service);
  const scheduled = await create();
  expect((await refusal({ transferId: scheduled.transferId }, other)).slice(0, 2)).toEqual([404, 'TR4041']);
  expect((await refusal({})).slice(0, 3)).toEqual([400, 'RQ4001', 'transferId']);
  expect((await refusal({ transferId, bizId: 'mine' })).slice(0, 3)).toEqual([400, 'RQ4001', 'bizId']);
  expect(await find(scheduled.transferId)).toMatchObject({ status: 'SCHEDULED' });
});

it('a cancel is told to those who asked for it, within seconds, whoever made it', async () => {
  const [byClient, bySupport] = [await create(), await create()];
  await cancel({ transferId: byClient.transferId });
  await waitFor(() => toldOf(byClient).length === 1, { timeoutMs: 20_000 });
  const support = await service.admin<OrderData>('transfer', 'cancel', '--id', bySupport.transferId);
  expect(support).toMatchObject({ transferId: bySupport.transferId, status: 'CANCELLED' });
  await waitFor(() => toldOf(bySupport).length === 1, { timeoutMs: 20_000 });
  for (const order of [byClient, bySupport])
    expect(toldOf(order)).toMatchObject([{ type: 'transfer.cancelled', data: await find(order.transferId) }]);
  for (const { body, headers } of receiver.received) {
    new Webhook(webhook.secret).verify(body, headers);
    expect(undescribedMessage(body, headers)).toBeUndefined();
  }
});

it('support is told what cannot be cancelled, and the books are sound', async () => {
  const cancelBySupport = (id: string) => service.admin<OrderData>('transfer', 'cancel', '--id', id);
  await expect(cancelBySupport('tr_none')).rejects.toThrow('there is no order tr_none');
  await expect(cancelBySupport((await create({})).transferId)).rejects.toThrow(
    'is COMPLETED: only one that is SCHEDULED',
  );
  const { transferId } = await create();
  const [first, again] = [await cancelBySupport(transferId), await cancelBySupport(transferId)];
  expect(again).toEqual(first);
  expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
});
