import { afterAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../support/api-client.ts';
import { outcomesOf, sendBatch } from '../support/batches.ts';
import { undescribedMessage } from '../support/described-answers.ts';
import { expectSoundBooks, findOrder, sendCommand, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

interface Use {
  name: string;
  used: string;
  usedCount: number;
  remaining: string | null;
  remainingCount: number | null;
  resetsAt: string | null;
}
interface AlertEvent {
  walletId: string;
  name: string;
  state: string;
  number: number;
  limit: Use | null;
}

const receiver = await startReceiver();
const service = await serviceForTests({ workers: 2, webs: 2, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
const workspace = await createWorkspace(service, allScopes, '--test');
afterAll(() => receiver.close());

const rolling = { rolling: 'PT24H' };
const day = { calendar: 'day', timeZone: 'Europe/Berlin' };

const setLimits = (id: string, ...limits: object[]) => workspace.post(`wallets/${id}/limits`, { limits });
const setAlerts = (id: string, ...alerts: object[]) => workspace.post(`wallets/${id}/alerts`, { alerts });
const read = async <Data>(path: string, { client }: Pick<TestWorkspace, 'client'> = workspace): Promise<Data> => {
  const answer = await client.request<Data>('GET', `/api/v1/${path}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.envelope!.data;
};
const usesOf = async (id: string) => (await read<{ limits: Use[] }>(`wallets/${id}/limits`)).limits;
/** How much and how often each limit is used. */
const shortUses = async (id: string) => (await usesOf(id)).map(({ used, usedCount }) => `${used} ${usedCount}`);
const refusal = async (path: string, body: object, { client } = workspace) =>
  refusalOf(await client.request('POST', `/api/v1/${path}`, { body })).slice(0, 4);

async function done(name: string, body: object, by: Pick<TestWorkspace, 'client'> = workspace): Promise<OrderData> {
  const { status, envelope, text } = await sendCommand(by, name, body);
  if (status !== 200) throw new Error(text);
  return envelope!.data;
}
const codeOf = ({ failure }: OrderData) => failure?.code ?? null;
async function payer(limits: object[] = [], funds = '100') {
  const [source, target] = [await workspace.wallet(funds), await workspace.wallet()];
  await setLimits(source, ...limits);
  const body = (amount: string, more: object = {}) => ({
    ...{ sourceWalletId: source, targetWalletId: target, amount, currency: 'USD', ...more },
  });
  const pay = (amount: string, more: object = {}) => done('create', body(amount, more));
  return { source, target, body, pay };
}

describe('a limit of a wallet', () => {
  it('is not passed, whatever takes from the wallet, and tells how it stood', async () => {
    const { source, target, body, pay } = await payer([
      { name: 'each', amount: '40', window: 'order' },
      { name: 'daily', amount: '50', count: 3, window: rolling },
    ]);
    expect(codeOf(await pay('40.01'))).toBe('TR4230');
    expect(codeOf(await pay('30'))).toBeNull();
    const shown = { name: 'daily', amount: '50.00', count: 3, window: rolling, resetsAt: null };
    const failure = {
      ...{ code: 'TR4230', message: 'LIMIT_EXCEEDED', leg: null },
      limit: { ...shown, used: '30.00', usedCount: 1, remaining: '20.00', remainingCount: 2 },
    };
    const failed = await pay('20.01');
    expect(failed).toMatchObject({ status: 'FAILED', failure });
    expect(await findOrder(workspace, failed.transferId)).toEqual(failed);
    for (const [name, more] of [
      ['hold', {}],
      ['withdraw', { targetWalletId: undefined }],
    ] as const)
      expect(await done(name, body('20.01', more))).toMatchObject({ status: 'FAILED', failure });
    expect(await done('journal', { legs: [body('10'), body('10.01')] })).toMatchObject({
      ...{ status: 'FAILED', failure: { code: 'TR4230', leg: 1, limit: { used: '40.00', usedCount: 2 } } },
    });
    expect(await usesOf(source)).toEqual([
      {
        ...{ name: 'each', amount: '40.00', count: null, window: 'order', used: '0.00', usedCount: 0 },
        ...{ remaining: '40.00', remainingCount: null, resetsAt: null },
      },
      failure.limit,
    ]);
    expect(codeOf(await pay('20'))).toBeNull();
    expect(await shortUses(source)).toEqual(['0.00 0', '50.00 2']);
    expect(await read(`wallets/${source}`)).toMatchObject({
      limits: [
        { name: 'each', amount: '40.00', count: null, window: 'order' },
        { name: 'daily', amount: '50.00', count: 3, window: rolling },
      ],
    });
    expect(await read(`wallets/${target}`)).toMatchObject({ limits: [] });
    const list = await workspace.client.request<{ items: { id: string; limits: object[] }[] }>(
      'GET',
      '/api/v1/wallets',
    );
    expect(list.envelope!.data.items.find(({ id }) => id === source)?.limits).toHaveLength(2);
  });

  it('is judged after what else refuses an order, and by a preview as by the posting', async () => {
    const { body, pay } = await payer([{ name: 'daily', amount: '5', window: rolling }], '10');
    const preview = async (amount: string) =>
      (await sendCommand(workspace, 'preview', body(amount), {})).envelope!.data.failure;
    expect((await preview('10.01'))?.code).toBe('TR4223');
    expect(await preview('5')).toBeNull();
    const told = await preview('5.01');
    expect(told).toMatchObject({ code: 'TR4230', limit: { name: 'daily', used: '0.00', remaining: '5.00' } });
    expect((await pay('5.01')).failure).toEqual(told);
    expect(codeOf(await pay('10.01'))).toBe('TR4223');
  });

  it('counts a hold from its posting, gives back what is released, and never refuses a capture', async () => {
    const { source, target, body, pay } = await payer([{ name: 'daily', amount: '50', count: 2, window: rolling }]);
    const held = await done('hold', body('30'));
    expect(await shortUses(source)).toEqual(['30.00 1']);
    expect(codeOf(await pay('20.01'))).toBe('TR4230');
    await setLimits(source, { name: 'none', amount: '0', window: rolling });
    const capture = { transferId: held.transferId, amount: '10', final: false };
    expect(codeOf(await done('capture', capture))).toBeNull();
    expect(await shortUses(source)).toEqual(['30.00 2']);
    await done('release', { transferId: held.transferId });
    expect(await shortUses(source)).toEqual(['10.00 1']);
    expect(codeOf(await pay('0.01'))).toBe('TR4230');
    expect(codeOf(await done('create', { ...body('1'), sourceWalletId: target, targetWalletId: source }))).toBeNull();
    await setLimits(source);
    expect(codeOf(await pay('1'))).toBeNull();
    expect(await usesOf(source)).toEqual([]);
  });

  it('counts nothing for a replay, and of an order that failed', async () => {
    const { source, pay } = await payer([{ name: 'daily', amount: '50', window: rolling }]);
    const first = await pay('30', { bizId: 'paid-once' });
    expect(await pay('30', { bizId: 'paid-once' })).toEqual(first);
    expect(codeOf(await pay('30'))).toBe('TR4230');
    expect(await shortUses(source)).toEqual(['30.00 1']);
  });

  it('is judged of an atomic batch line by line, on what the lines before took', async () => {
    const { source, body } = await payer([{ name: 'daily', amount: '50', window: rolling }]);
    const options = { atomic: true, headers: { Prefer: 'wait=10' } };
    expect(outcomesOf(await sendBatch(workspace, [body('30'), body('20.01')], options))).not.toContain('COMPLETED');
    expect(await shortUses(source)).toEqual(['0.00 0']);
    expect(outcomesOf(await sendBatch(workspace, [body('30'), body('20')], options))).toEqual([
      ...['COMPLETED', 'COMPLETED'],
    ]);
    expect(await shortUses(source)).toEqual(['50.00 2']);
  });

  it('ends with its window, by the clock of the workspace', async () => {
    const { source, pay } = await payer([
      { name: 'rolling', amount: '50', window: rolling },
      { name: 'day', amount: '50', window: day },
    ]);
    await pay('50');
    const [, ofDay] = await usesOf(source);
    expect(codeOf(await pay('0.01'))).toBe('TR4230');
    await workspace.post('test/clock', { to: ofDay!.resetsAt });
    const used = await usesOf(source);
    expect(used.map((use) => use.used)).toEqual(['50.00', '0.00']);
    expect(Date.parse(used[1]!.resetsAt!)).toBeGreaterThan(Date.parse(ofDay!.resetsAt!));
    await workspace.post('test/clock', { advanceBy: 'PT24H' });
    expect(await shortUses(source)).toEqual(['0.00 0', '0.00 0']);
    expect(codeOf(await pay('50'))).toBeNull();
  });
});

describe('setting limits', () => {
  const limits = [{ name: 'daily', amount: '10', window: rolling }];

  it('is checked in its order: form, wallet, decimals, state', async () => {
    const id = await workspace.wallet('0', 'JPY');
    const of = (path: string, amount: string) =>
      refusal(path, { limits: [limits[0], { ...limits[0], name: 'b', amount }] });
    const unknown = 'wallets/wa_00000000000000000000000000/limits';
    expect(await of(unknown, '-1')).toEqual([400, 'RQ4001', 'AMOUNT_MALFORMED', 'limits[1].amount']);
    expect(await of(unknown, '1.5')).toEqual([404, 'WA4041', 'WALLET_NOT_FOUND', 'id']);
    await workspace.post(`wallets/${id}/close`);
    expect(await of(`wallets/${id}/limits`, '1.5')).toEqual([400, 'RQ4001', 'TOO_MANY_DECIMALS', 'limits[1].amount']);
    expect(await of(`wallets/${id}/limits`, '1')).toEqual([409, 'WA4092', 'WALLET_STATE_CONFLICT', 'id']);
    const frozen = await workspace.wallet();
    await workspace.post(`wallets/${frozen}/freeze`);
    expect(await setLimits(frozen, ...limits)).toMatchObject({
      ...{ walletId: frozen, currency: 'USD', limits: [{ name: 'daily', amount: '10.00', used: '0.00' }] },
    });
  });

  it('reaches no wallet of another workspace, and needs its scope', async () => {
    const { source } = await payer();
    const other = await createWorkspace(service);
    for (const path of [`wallets/${source}/limits`, `wallets/${source}/alerts`]) {
      const body = path.endsWith('limits') ? { limits } : { alerts: [] };
      expect(await refusal(path, body, other)).toEqual([404, 'WA4041', 'WALLET_NOT_FOUND', 'id']);
      const { status } = await other.client.request('GET', `/api/v1/${path}`);
      expect(status).toBe(404);
      const reader = { ...workspace, client: await readerOf() };
      expect(await refusal(path, body, reader)).toEqual([403, 'GA2024', 'SCOPE_MISSING', undefined]);
      expect(await read(path, reader)).toMatchObject({ walletId: source });
    }
    expect(await usesOf(source)).toEqual([]);
  });

  it('is audited with what was before, and only where it changes something', async () => {
    const { source } = await payer();
    await setLimits(source, ...limits);
    await setLimits(source, ...limits);
    await setLimits(source, { name: 'daily', amount: '10.00', window: rolling });
    await setLimits(source);
    await setAlerts(source, { name: 'low', availableBelow: '1' });
    await setAlerts(source, { name: 'low', availableBelow: '1.00' });
    const events = await service.admin<{ action: string; subject: Record<string, string> }[]>(
      ...['audit', 'list', '--workspace', workspace.workspaceId],
    );
    const of = events.filter(({ subject }) => subject['walletId'] === source);
    const setting = of.map(({ action }) => action).filter((action) => /limits|alerts/.test(action));
    expect(setting.toSorted()).toEqual(['wallet alerts', 'wallet limits', 'wallet limits']);
    const [, , , before] = of
      .filter(({ action }) => action === 'wallet limits')
      .flatMap(({ subject }) => [subject['limits']!, subject['limitsBefore']!])
      .map((text) => JSON.parse(text) as object[])
      .toSorted((a, b) => a.length - b.length);
    expect(before).toMatchObject(limits);
  });
});

/** Of the key of the workspace that may only read. */
async function readerOf() {
  const owner = ['--workspace', workspace.workspaceId, '--owner', 'owner', '--scope', 'wallet:read'];
  return service.client(await service.admin<{ apiKey: string; apiSecret: string }>('key', 'create', ...owner));
}

describe('a budget of a key', () => {
  it('is not passed by the orders of that key, in its currency, and is told with its use', async () => {
    const { body, pay } = await payer();
    const owner = ['--workspace', workspace.workspaceId, '--owner', 'owner'];
    const scopes = allScopes.flatMap((scope) => ['--scope', scope]);
    const key = await service.admin<{ apiKey: string; apiSecret: string }>('key', 'create', ...owner, ...scopes);
    const by = { client: service.client(key) };
    const budget = [
      '--key',
      key.apiKey,
      '--set',
      'monthly',
      '--currency',
      'USD',
      '--amount',
      '50',
      '--window',
      'month',
    ];
    await service.admin('key', 'budget', ...budget);
    expect(await done('create', body('30'), by)).toMatchObject({ apiKey: key.apiKey, failure: null });
    const window = { calendar: 'month', timeZone: 'UTC' };
    const limit = {
      ...{ name: 'monthly', currency: 'USD', amount: '50.00', count: null, window },
      ...{ used: '30.00', usedCount: 1, remaining: '20.00', remainingCount: null },
      resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/) as string,
    };
    const { envelope } = await sendCommand(by, 'preview', body('20.01'), {});
    const failure = { code: 'TR4231', message: 'KEY_BUDGET_EXCEEDED', leg: null, limit };
    expect(envelope!.data.failure).toEqual(failure);
    expect(await done('create', body('20.01'), by)).toMatchObject({ status: 'FAILED', failure });
    expect(await read('key', by)).toMatchObject({ budgets: [limit] });
    expect(codeOf(await pay('20.01'))).toBeNull();
    expect(await read('key')).toMatchObject({ budgets: [] });
  });
});

describe('an alert', () => {
  const low = { name: 'low', availableBelow: '50' };

  it('is told once each time that it becomes true, and once that it ends', async () => {
    const { source, target, pay } = await payer([{ name: 'daily', amount: '100', window: rolling }]);
    await workspace.webhook(receiver.url);
    const half = { name: 'half', limitUsed: { limit: 'daily', share: '0.5000' } };
    const high = { name: 'high', availableAbove: '100' };
    expect(await setAlerts(source, low, half, high)).toMatchObject({
      alerts: [
        { name: 'low', availableBelow: '50.00', availableAbove: null, limitUsed: null, state: 'cleared' },
        { name: 'half', availableBelow: null, availableAbove: null, limitUsed: { limit: 'daily', share: '0.5' } },
        { name: 'high', availableBelow: null, availableAbove: '100.00', limitUsed: null, state: 'cleared' },
      ],
    });
    await pay('50');
    await pay('10');
    await pay('10');
    const back = { sourceWalletId: target, targetWalletId: source, amount: '70', currency: 'USD' };
    await done('create', back);
    await setAlerts(source, low, half, { ...high, availableAbove: '99' });
    const events = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as { type: string; data: AlertEvent })
        .filter(({ type, data }) => type === 'wallet.alert' && data.walletId === source)
        .map(({ data }) => data)
        .toSorted((a, b) => a.number - b.number);
    await waitFor(() => new Set(events().map(({ number }) => number)).size >= 4, { timeoutMs: 20_000 });
    expect([...new Map(events().map((event) => [event.number, event])).values()]).toMatchObject([
      { number: 1, name: 'half', state: 'raised', sequence: 2, available: '50.00', limit: { used: '50.00' } },
      { number: 2, name: 'low', state: 'raised', available: '40.00', balance: '40.00', held: '0.00', limit: null },
      { number: 3, name: 'low', state: 'cleared', available: '100.00', limit: null },
      { number: 4, name: 'high', state: 'raised', available: '100.00', limit: null },
    ]);
    for (const { body, headers } of receiver.received) expect(undescribedMessage(body, headers)).toBeUndefined();
    expect(await read(`wallets/${source}/alerts`)).toMatchObject({
      alerts: ['cleared', 'raised', 'raised'].map((state) => ({ state })),
    });
  });

  it('is of a limit that the wallet has, with a window, and is set again as it was without a word', async () => {
    const { source } = await payer([{ name: 'each', amount: '5', window: 'order' }], '10');
    const of = (limit: string) => ({ alerts: [low, { name: 'used', limitUsed: { limit, share: '1' } }] });
    for (const limit of ['each', 'daily'])
      expect(await refusal(`wallets/${source}/alerts`, of(limit))).toEqual([
        ...[400, 'RQ4001', 'VALUE_NOT_ALLOWED', 'alerts[1].limitUsed.limit'],
      ]);
    const set = (await setAlerts(source, low)) as { alerts: { state: string; since: string }[] };
    expect(set.alerts).toMatchObject([{ state: 'raised' }]);
    await workspace.post('test/clock', { advanceBy: 'PT1H' });
    expect(await setAlerts(source, low)).toMatchObject({ alerts: set.alerts });
    await workspace.post(`wallets/${source}/freeze`);
    expect(await setAlerts(source)).toMatchObject({ alerts: [] });
  });
});

it('leaves sound books', async () => {
  await expectSoundBooks(service);
});
