import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { commandsPath, hasEnded, ordersPath, sendCommand, untilOrder, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;

const service = await serviceForTests({ workers: 2 });
const workspace = await createWorkspace(service);
const client = workspace.client;
const [alice, bob] = [await workspace.wallet('1000'), await workspace.wallet('100')];

const transfer = (more: object = {}) => ({
  sourceWalletId: alice,
  targetWalletId: bob,
  amount: '1',
  currency: 'USD',
  ...more,
});
const create = (body: object, headers: Record<string, string> = {}) => sendCommand(workspace, 'create', body, headers);

async function balanceOf(walletId: string): Promise<string> {
  const answer = await client.request<{ balance: string }>('GET', `/api/v1/wallets/${walletId}/balance`);
  return answer.envelope!.data.balance;
}

const untilTerminal = (transferId: string) => untilOrder(workspace, transferId, hasEnded);

describe('a transfer', () => {
  it('goes from a signed request to COMPLETED, and moves the money', async () => {
    const [aliceBefore, bobBefore] = [Number(await balanceOf(alice)), Number(await balanceOf(bob))];
    const answer = await create(transfer({ amount: '2.5' }));
    expect(answer.status).toBe(200);
    expect(answer.envelope).toMatchObject({ version: '1.0', success: true, code: '2000', message: 'SUCCESS' });
    expect(answer.envelope!.data).toMatchObject({ status: 'PENDING', amount: '2.50', currency: 'USD', failure: null });
    const { transferId } = answer.envelope!.data;
    const order = await untilTerminal(transferId);
    expect(order).toMatchObject({ transferId, bizId: transferId, status: 'COMPLETED', failure: null });
    const completed = await client.request('GET', `${ordersPath}/${transferId}/completed`);
    expect(completed.envelope!.data).toEqual({
      transferId,
      bizId: transferId,
      completed: true,
      status: 'COMPLETED',
      completedAt: order.completedAt,
      failure: null,
    });
    expect(Number(await balanceOf(alice))).toBeCloseTo(aliceBefore - 2.5, 2);
    expect(Number(await balanceOf(bob))).toBeCloseTo(bobBefore + 2.5, 2);
  });

  it('fails where the source holds too little, and moves nothing', async () => {
    const before = await balanceOf(alice);
    const answer = await create(transfer({ amount: '100000' }), { Prefer: 'wait=10' });
    expect(answer.status).toBe(200);
    expect(answer.envelope!.data).toMatchObject({
      status: 'FAILED',
      completedAt: null,
      failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' },
    });
    expect(await balanceOf(alice)).toBe(before);
  });

  it('is made once however often its bizId comes, also all at once', async () => {
    const bizId = `biz-${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(transfer({ bizId }))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ envelope }) => envelope!.data.transferId)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    const [order] = answers.map(({ envelope }) => envelope!.data);
    await untilTerminal(order!.transferId);
    const again = await create(transfer({ bizId, amount: '1.00' }));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.envelope!.data).toMatchObject({ transferId: order!.transferId, status: 'COMPLETED' });
    const other = await create(transfer({ bizId, amount: '2' }));
    expect([other.status, other.envelope!.code]).toEqual([409, 'TR4091']);
    const byBizId = await client.request<OrderData>('GET', `${ordersPath}/${bizId}`);
    expect(byBizId.envelope!.data.transferId).toBe(order!.transferId);
  });

  it('is waited for by a reader who prefers that, at the order and at its completion', async () => {
    for (const worker of service.workers.splice(0)) expect((await worker.stop(stopTimeoutMs)).code).toBe(0);
    const { envelope } = await create(transfer({}));
    const path = `${ordersPath}/${envelope!.data.transferId}`;
    const read = (headers = {}) =>
      Promise.all([path, `${path}/completed`].map((each) => client.request<OrderData>('GET', each, { headers })));
    const reading = read({ Prefer: 'wait=10' });
    for (const unwaited of await read())
      expect([unwaited.headers['preference-applied'], unwaited.envelope!.data.status]).toEqual([undefined, 'PENDING']);
    await service.startWorker();
    for (const waited of await reading)
      expect([waited.headers['preference-applied'], waited.envelope!.data.status]).toEqual(['wait=10', 'COMPLETED']);
  });

  it('with an Idempotency-Key makes nothing, unless that is its bizId', async () => {
    const headers = { 'Idempotency-Key': 'as-elsewhere', 'X-LOCALE': 'en-US' };
    for (const bizId of [undefined, 'another', 'AS-ELSEWHERE']) {
      const refused = await create(transfer({ bizId }), headers);
      expect(refused.envelope).toMatchObject({ code: 'RQ4001', error: { reason: 'IDEMPOTENCY_KEY_UNSUPPORTED' } });
      expect(refused.envelope!.message).toContain('bizId');
    }
    const made = await create(transfer({ bizId: 'as-elsewhere' }), headers);
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });

  it('that names an EXTERNAL wallet is answered as one that names an unknown one, also with what funding has', async () => {
    const bizId = `fund-${randomUUID()}`;
    await service.admin('wallet', 'fund', '--wallet', alice, '--amount', '7', '--biz-id', bizId);
    const external = `ex_${workspace.workspaceId.slice('ws_'.length)}USD`;
    const funding = { bizId, sourceWalletId: external, targetWalletId: alice, amount: '7', currency: 'USD' };
    const unknown = 'wa_00000000000000000000000000';
    const answers = await Promise.all(
      [
        { ...funding, bizId: undefined, sourceWalletId: unknown },
        { ...funding, bizId: undefined, sourceWalletId: alice, targetWalletId: unknown },
        funding,
        { ...funding, amount: '8' },
        { ...funding, bizId: undefined },
        { ...funding, sourceWalletId: 'ex_another' },
        { ...funding, sourceWalletId: alice, targetWalletId: external },
        { ...funding, targetWalletId: external },
      ].map((body) => create(body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const [ofSource, ofTarget, ...others] = answers.map(({ text }) => text.replace(/"timestamp":\d+/, ''));
    for (const text of others) expect([ofSource, ofTarget]).toContain(text);
    expect(answers[0]!.envelope).toMatchObject({ code: 'WA4041', data: null });
    expect((await create({ ...funding, amount: 'x' })).envelope!.code).toBe('RQ4001');
  });

  it('never reaches another workspace’s wallets or orders', async () => {
    const stranger = await createWorkspace(service);
    const { envelope } = await create(transfer());
    const paths = [
      `/api/v1/wallets/${alice}`,
      `/api/v1/wallets/${alice}/balance`,
      `${ordersPath}/${envelope!.data.transferId}`,
      `${ordersPath}/${envelope!.data.transferId}/completed`,
    ];
    for (const path of paths) {
      const foreign = await stranger.client.request('GET', path);
      const unknown = await stranger.client.request('GET', path.replace(/[A-Z0-9]{26}/, '0'.repeat(26)));
      expect(foreign.status).toBe(404);
      expect({ ...foreign.envelope!, timestamp: 0 }).toEqual({ ...unknown.envelope!, timestamp: 0 });
    }
    const theirs = await sendCommand(stranger, 'create', transfer());
    expect([theirs.status, theirs.envelope!.code]).toEqual([404, 'WA4041']);
  });
});

describe('a preview', async () => {
  const mongodb = await MongoClient.connect(service.mongodbUri);
  afterAll(() => mongodb.close());
  const line = transfer({
    ...{ sourceWalletId: await workspace.wallet('10'), targetWalletId: await workspace.wallet('1'), amount: '4.5' },
  });
  const preview = (body: object, by = workspace) => by.client.request('POST', `${commandsPath}/preview`, { body });
  const stored = (): Promise<number[]> =>
    Promise.all(['orders', 'signedRequests'].map((name) => mongodb.db().collection(name).countDocuments()));

  it('tells how an order would end, and how it would leave its wallets, and stores nothing', async () => {
    const before = await stored();
    const untouched = {
      source: { balance: '10.00', available: '10.00' },
      target: { balance: '1.00', available: '1.00' },
    };
    const completed = {
      status: 'COMPLETED',
      failure: null,
      source: { balance: '5.50', available: '5.50' },
      target: { balance: '5.50', available: '5.50' },
    };
    expect((await preview(line)).envelope?.data).toMatchObject(completed);
    const executeAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await preview({ ...line, executeAt, bizId: 'planned' })).envelope?.data).toMatchObject(completed);
    expect((await preview({ ...line, amount: '10.01' })).envelope?.data).toMatchObject({
      status: 'FAILED',
      failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' },
      ...untouched,
    });
    expect(await stored()).toEqual(before);
  });

  it.each<[string, object]>([
    ['an unknown wallet', { ...line, targetWalletId: 'wa_unknown' }],
    ['too many decimals', { ...line, amount: '1.234', bizId: 'new' }],
    ['an unknown field', { ...line, more: 1 }],
    ['a time that has passed', { ...line, executeAt: '2020-01-01T00:00:00Z' }],
  ])('is refused as a create is: %s', async (_, body) => {
    const before = await stored();
    const [previewed, created] = [
      await preview(body),
      await workspace.client.request('POST', `${commandsPath}/create`, { body }),
    ];
    expect(previewed.status).toBeGreaterThanOrEqual(400);
    for (const header of ['x-error-reason', 'x-error-field'])
      expect(previewed.headers[header]).toBe(created.headers[header]);
    expect([previewed.status, previewed.envelope?.code]).toEqual([created.status, created.envelope?.code]);
    expect(await stored()).toEqual(before);
  });

  it('needs the scope of a create, and that to read wallets', async () => {
    for (const [has, lacks] of [
      ['transfer:create', 'wallet:read'],
      ['wallet:read', 'transfer:create'],
    ] as const) {
      const answer = await preview(line, await createWorkspace(service, [has]));
      expect([answer.status, answer.envelope?.code, answer.headers['x-error-value']]).toEqual([403, 'GA2024', lacks]);
    }
  });
});
