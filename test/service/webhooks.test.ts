import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { undescribedMessage } from '../support/described-answers.ts';
import { findOrder, sendCommand, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

const path = '/api/v1/webhooks';
const events = ['transfer.completed', 'transfer.failed', 'transfer.cancelled'];

interface Made {
  id: string;
  secret: string;
}

const receiver = await startReceiver();
const service = await serviceForTests({ workers: 2, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
const workspace = await createWorkspace(service);
const [alice, bob] = [await workspace.wallet('1000000'), await workspace.wallet()];
const webhook = await post<Made>('', { url: receiver.url, events });
afterAll(() => receiver.close());

async function post<Data>(rest: string, body?: object): Promise<Data> {
  const { status, envelope, text } = await workspace.client.request<Data>('POST', path + rest, body ? { body } : {});
  if (status !== 200 || envelope === undefined) throw new Error(text);
  return envelope.data;
}

const transfer = async (more: object = {}): Promise<string> => {
  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD', ...more };
  return (await sendCommand(workspace, 'create', body, {})).envelope!.data.transferId;
};
const toldOf = (): Map<string, number> => {
  const told = new Map<string, number>();
  for (const { body } of receiver.received) {
    const { data } = JSON.parse(body) as { data: { transferId?: string } };
    if (data.transferId !== undefined) told.set(data.transferId, (told.get(data.transferId) ?? 0) + 1);
  }
  return told;
};

it('tells of what was completed, what failed and what was cancelled by whomever, as the API shows it', async () => {
  const later = { executeAt: new Date(Date.now() + 3_600_000).toISOString() };
  const [byClient, bySupport] = [await transfer(later), await transfer(later)];
  await sendCommand(workspace, 'cancel', { transferId: byClient });
  await service.admin('transfer', 'cancel', '--id', bySupport);
  const ended = new Map([
    [await transfer(), 'transfer.completed'],
    [await transfer({ amount: '99999999' }), 'transfer.failed'],
    [byClient, 'transfer.cancelled'],
    [bySupport, 'transfer.cancelled'],
  ]);
  await waitFor(() => [...ended.keys()].every((id) => toldOf().has(id)), { timeoutMs: 20_000 });
  for (const { body, headers } of receiver.received) {
    const { type, data } = new Webhook(webhook.secret).verify(body, headers) as { type: string; data: OrderData };
    expect([type, data]).toEqual([ended.get(data.transferId), await findOrder(workspace, data.transferId)]);
    expect(undescribedMessage(body, headers)).toBeUndefined();
  }
  const listed = async () => {
    const url = `/api/v1/webhooks/${webhook.id}/deliveries`;
    const { envelope } = await workspace.client.request<{ items: { transferId: string }[] }>('GET', url);
    return envelope?.data.items.map(({ transferId }) => transferId) ?? [];
  };
  await waitFor(async () => (await listed()).length >= ended.size);
  expect(await listed()).toEqual(expect.arrayContaining([...ended.keys()]));
});

it('sends one event again, with the same id, and all since a time', async () => {
  receiver.received.length = 0;
  const transferId = await transfer();
  await waitFor(() => toldOf().has(transferId), { timeoutMs: 20_000 });
  const eventId = transferId.replace('tr_', 'ev_');
  await post(`/${webhook.id}/replay`, { eventId });
  await waitFor(() => toldOf().get(transferId) === 2, { timeoutMs: 20_000 });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
  await post(`/${webhook.id}/replay`, { since: new Date(Date.now() - 3_600_000).toISOString() });
  await waitFor(() => (toldOf().get(transferId) ?? 0) > 2 && toldOf().size > 2, { timeoutMs: 20_000 });
});
