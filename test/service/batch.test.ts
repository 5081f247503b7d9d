import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { batchPath, outcomesOf, sendBatch } from '../support/batches.ts';
import { commandsPath, ordersPath, patient as wait, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const service = await serviceForTests();
const workspace = await createWorkspace(service);
const mongodb = await MongoClient.connect(service.mongodbUri);
afterAll(() => mongodb.close());
const sides = { sourceWalletId: await workspace.wallet('1000'), targetWalletId: await workspace.wallet() };
const line = { ...sides, amount: '1', currency: 'USD' };

const count = (collection: string, filter: object = {}): Promise<number> =>
  mongodb
    .db()
    .collection(collection)
    .countDocuments({ workspaceId: workspace.workspaceId, ...filter });
const usedRequests = (): Promise<number> => mongodb.db().collection('signedRequests').countDocuments();
const send = (...given: Parameters<typeof sendBatch> extends [unknown, ...infer Rest] ? Rest : never) =>
  sendBatch(workspace, ...given);

describe('a batch', () => {
  it('makes an order of each line, in their sequence, and records its signed request once', async () => {
    const used = await usedRequests();
    const answer = await send([line, { ...line, bizId: 'second', reference: 'R' }, line], { headers: wait });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, 'wait=10']);
    expect(outcomesOf(answer)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    const { batchId, items } = answer.envelope!.data;
    expect(items.map(({ order }) => order?.batchId)).toEqual([batchId, batchId, batchId]);
    expect(items[1]?.order).toMatchObject({ bizId: 'second', reference: 'R' });
    const ids = items.map(({ order }) => order!.transferId);
    expect(new Set(ids).size).toBe(3);
    const list = await workspace.client.request<{ items: OrderData[] }>('GET', ordersPath, { query: { batchId } });
    expect(list.envelope?.data.items.map(({ transferId }) => transferId)).toEqual(ids.toReversed());
    expect(await usedRequests()).toBe(used + 1);
    expect(await count('orders', { batchId, request: { $exists: true } })).toBe(0);
  });

  it('has as many lines as it may', async () => {
    const answer = await send(
      Array.from({ length: 500 }, () => ({ ...line, amount: '0.01' })),
      { headers: wait },
    );
    expect(new Set(outcomesOf(answer))).toEqual(new Set(['COMPLETED']));
    expect(await count('orders', { batchId: answer.envelope!.data.batchId, status: 'COMPLETED' })).toBe(500);
  });

  it('answers each line’s own fault on that line, as a create of its own would, and makes the others', async () => {
    const unknown = { ...line, targetWalletId: 'wa_unknown' };
    const lines = [
      line,
      unknown,
      { ...line, amount: '1.234' },
      { ...line, more: 1 },
      { ...line, targetWalletId: line.sourceWalletId },
      { ...line, currency: 'XXX' },
      { ...line, amount: 1 },
      { ...line, metadata: { a: 1 } },
      {},
      { ...line, executeAt: '2020-01-01T00:00:00Z' },
      { ...line, sourceWalletId: `ex_${line.sourceWalletId.slice(3)}` },
      { ...line, amount: '100000' },
      { ...line, bizId: 'wallet' },
    ];
    const answer = await send(lines, { headers: wait });
    const { items } = answer.envelope!.data;
    const alone = await Promise.all(
      lines.map((body) => workspace.client.request('POST', `${commandsPath}/create`, { body, headers: wait })),
    );
    expect(items.map((item) => [item.order?.status, item.code, item.message, item.reason, item.field])).toEqual(
      alone.map(({ status, headers, envelope }) =>
        status === 200
          ? [(envelope!.data as OrderData).status, undefined, undefined, undefined, undefined]
          : [undefined, envelope!.code, envelope!.message, headers['x-error-reason'], headers['x-error-field'] ?? null],
      ),
    );
    expect(outcomesOf(answer).slice(0, 3)).toEqual(['COMPLETED', 'WALLET_NOT_FOUND', 'TOO_MANY_DECIMALS']);
    expect(items.slice(1, 3).map(({ value }) => value)).toEqual([null, '2']);
    expect(items[7]).toMatchObject({ code: 'RQ4001', reason: 'FIELD_TYPE_WRONG', field: 'metadata.a' });
    expect(items[11]?.order).toMatchObject({ status: 'FAILED', failure: { code: 'TR4223' } });
  });

  it('says what is wrong with a line in the language that is asked for', async () => {
    const lines = [
      { ...line, targetWalletId: 'wa_unknown' },
      { ...line, more: 1 },
    ];
    const messages = async (headers: Record<string, string>) =>
      (await send(lines, { headers })).envelope?.data.items.map(({ message }) => message);
    expect(await messages({})).toEqual(['WALLET_NOT_FOUND', 'VALIDATION_FAILED']);
    const german = await messages({ 'X-LOCALE': 'de-AT' });
    expect(german?.[0]).toMatch(/ \w+.*\.$/);
    expect(german?.[1]).toContain('more');
    expect(await messages({ 'X-LOCALE': 'tlh' })).toEqual(['WALLET_NOT_FOUND', 'VALIDATION_FAILED']);
  });

  it('names the type of a line that is none, and what a bizId was given for before', async () => {
    const bizId = 'differs';
    const lines = [
      { ...line, bizId },
      { ...line, bizId, amount: '2' },
      { type: 'PAYMENT', transferId: 'ride-9' },
    ];
    const conflict = 'BIZ_ID_CONFLICT';
    expect((await send(lines)).envelope!.data.items.slice(1)).toMatchObject([
      { reason: conflict, fields: ['bizId', 'amount'].map((field) => ({ field, reason: conflict })) },
      { reason: 'VALUE_NOT_ALLOWED', field: 'type', value: expect.stringContaining('TRANSFER') as string },
    ]);
  });

  it.each<[string, object | string, string, string, string?]>([
    ['of no line', { transfers: [] }, 'FIELD_OUT_OF_RANGE', 'transfers', '1'],
    ['of 501', { transfers: Array(501).fill(line) }, 'FIELD_OUT_OF_RANGE', 'transfers', '500'],
    ['whose lines are no list', { transfers: { 0: line } }, 'FIELD_TYPE_WRONG', 'transfers', 'array'],
    ['with a line that is no object', { transfers: [line, 7, null] }, 'FIELD_TYPE_WRONG', 'transfers[1]', 'object'],
    ['of 101 together', { transfers: Array(101).fill(line), atomic: true }, 'FIELD_OUT_OF_RANGE', 'transfers', '100'],
  ])('%s is refused as a whole, with nothing made or counted', async (_, body, reason, field, value) => {
    const [orders, used] = [await count('orders'), await usedRequests()];
    const answer = await workspace.client.request('POST', batchPath, { body });
    const { 'x-error-reason': given, 'x-error-field': at, 'x-error-value': told } = answer.headers;
    expect([answer.status, given, at, told]).toEqual([400, reason, field, value]);
    expect(answer.envelope).toMatchObject({ data: null });
    expect([await count('orders'), await usedRequests()]).toEqual([orders, used]);
  });

  it('that is repeated says so, if each line finds its order', async () => {
    const lines = ['a', 'b'].map((bizId) => ({ ...line, bizId: `again-${bizId}` }));
    const first = await send(lines);
    const second = await send(lines, { headers: wait });
    expect([outcomesOf(second), second.headers['idempotent-replayed']]).toEqual([['COMPLETED', 'COMPLETED'], 'true']);
    const batches = second.envelope!.data.items.map(({ order }) => order?.batchId);
    expect(new Set(batches)).toEqual(new Set([first.envelope!.data.batchId]));
    expect((await send([...lines, line])).headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('an atomic batch', () => {
  it('ends in one way for all, is recorded as one signed request, and repeated as a whole', async () => {
    const lines = [1, 2, 3].map((each) => ({ ...line, amount: String(each), bizId: `together-${each}` }));
    const used = await usedRequests();
    const first = await send(lines, { atomic: true, headers: wait });
    expect(outcomesOf(first)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    expect(await usedRequests()).toBe(used + 1);
    const again = await send(lines, { atomic: true, headers: wait });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.envelope?.data).toEqual(first.envelope?.data);
  });

  it('records nothing where one line is refused, and tells which', async () => {
    const orders = await count('orders');
    const executeAt = new Date(Date.now() + 3_600_000).toISOString();
    const lines = [line, { ...line, executeAt }, { ...line, currency: 'EUR' }];
    const answer = await send(lines, { atomic: true });
    expect(answer.status).toBe(200);
    expect(answer.envelope!.data.items).toMatchObject([
      { code: 'TR4229', reason: 'BATCH_FAILED', field: null },
      { code: 'RQ4001', field: 'executeAt' },
      { code: 'TR4222' },
    ]);
    expect(await count('orders')).toBe(orders);
  });
});

describe('the body of a batch', () => {
  const large = (bytes: number): string => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`k${key}`, 'x'.repeat(150)]));
    const text = JSON.stringify({ transfers: Array(140).fill({ ...line, amount: '0.01', metadata }) });
    expect(text.length).toBeLessThanOrEqual(bytes);
    return text + ' '.repeat(bytes - text.length);
  };

  it('may have 512 KiB, and no other body as many', async () => {
    const taken = await workspace.client.request('POST', batchPath, { body: large(512 * 1024) });
    expect(taken.status).toBe(200);
    const refused = await Promise.all([
      workspace.client.request('POST', batchPath, { body: large(512 * 1024 + 1) }),
      workspace.client.request('POST', `${commandsPath}/create`, { body: large(512 * 1024) }),
      workspace.client.request('POST', `${batchPath}/`, { body: ' '.repeat(70_000) }),
    ]);
    expect(refused.map(({ status, envelope }) => [status, envelope?.code])).toEqual(refused.map(() => [413, 'RQ4131']));
  });
});
