import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const token = 'token-of-the-page-actions-test';
const authorization = `Basic ${Buffer.from(`olga:${token}`).toString('base64')}`;
const [missing, locked] = ['currency XAU is not configured', 'no answer from <the> ledger'];

let service: RunningService;
let mongo: MongoClient;
let orderIds: string[];

beforeAll(async () => {
  // Without a worker an order stays as it is released.
  const env = { OPS_DASHBOARD_ACTIONS: 'true', OPS_TOKEN: token };
  service = await startService({ workers: 0, env });
  mongo = await MongoClient.connect(service.mongodbUri);
  const workspace = await createWorkspace(service);
  const [sourceWalletId, targetWalletId] = [await workspace.wallet(), await workspace.wallet()];
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const create = () =>
    workspace.client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', { body });
  const answers = [await create(), await create(), await create()];
  orderIds = answers.map(({ envelope }) => envelope?.data.transferId ?? '');
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});

/** Two for one reason, one for another. */
beforeEach(async () => {
  const orders = mongo.db().collection<{ _id: string }>('orders');
  const [at, stuckSince] = [new Date(), new Date()];
  for (const [index, id] of orderIds.entries()) {
    const fault = { attempts: 4, reason: index === 2 ? locked : missing, at };
    await orders.updateOne({ _id: id }, { $set: { status: 'SET_ASIDE', stuckSince, fault } });
  }
});

const ask = (path: string, { headers, ...init }: { method?: string; headers?: object; body?: URLSearchParams } = {}) =>
  fetch(service.opsUrl + path, { ...init, headers: { authorization, ...headers } });
const textOf = async (path: string) => (await ask(path)).text();
const release = (fields: Record<string, string>, headers: object = {}) =>
  ask('/release', { method: 'POST', body: new URLSearchParams(fields), headers });
const stuck = async () =>
  (await service.admin<{ transferId: string }[]>('transfer', 'stuck')).map(({ transferId }) => transferId);
interface Event {
  action: string;
  claimedActor: string | null;
  subject: Record<string, unknown>;
  outcome: string;
}
const newest = async () => (await service.admin<Event[]>('audit', 'list', '--limit', '1'))[0];

describe('on the page', () => {
  it('one order is released, with who and why in the audit and on the order’s page', async () => {
    const [id = ''] = orderIds;
    expect(await textOf(`/search?id=${id}`)).toContain(`name="id" value="${id}"`);
    const answer = await release({ id, reason: 'XAU is back' });
    expect(answer.url).toBe(`${service.opsUrl}/search?id=${id}`);
    expect(await stuck()).toEqual(orderIds.slice(1));
    expect(await newest()).toMatchObject({
      ...{ action: 'transfer retry', claimedActor: 'olga', outcome: 'DONE' },
      subject: { transferId: id, reason: 'XAU is back', released: 1 },
    });
    const way = await answer.text();
    expect(way).toContain(`could not be posted, 4 times: ${missing}`);
    expect(way).toContain('released by olga from 127.0.0.1: XAU is back');
    expect(way).not.toContain('name="reason"');
    for (const again of [id, 'tr_1']) expect((await release({ id: again, reason: 'again' })).status).toBe(404);
  });

  it('nothing is done by another site, or without a reason or an audit', async () => {
    const [id = ''] = orderIds;
    const given = { id, reason: 'because' };
    expect((await release(given, { origin: 'https://elsewhere.example' })).status).toBe(403);
    for (const reason of ['', ' ', 'x'.repeat(201)]) expect((await release({ id, reason })).status).toBe(400);
    const refuse = (validator: object) => mongo.db().command({ collMod: 'auditEvents', validator });
    await refuse({ isWritable: true });
    try {
      expect((await release(given)).status).toBe(503);
    } finally {
      await refuse({});
    }
    expect(await stuck()).toEqual(orderIds);
  });
});

describe('on the command line', () => {
  it('all are released, or those with one reason, and a reason has to be given', async () => {
    await expect(service.admin('transfer', 'retry', '--all')).rejects.toThrow('--reason');
    const why = ['--reason', 'it answers'];
    await expect(service.admin('transfer', 'retry', ...why)).rejects.toThrow('either --id ID or --all');
    expect(await service.admin('transfer', 'retry', '--all', '--fault', locked, ...why)).toEqual({ released: 1 });
    expect(await service.admin('transfer', 'retry', '--all', ...why)).toEqual({ released: 2 });
    expect(await stuck()).toEqual([]);
    expect(await textOf(`/search?id=${orderIds[0] ?? ''}`)).toMatch(/released by .* from .*, with 1 more: it answers/);
  });
});
