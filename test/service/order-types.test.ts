import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/api-client.ts';
import { findOrder, sendCommand, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import { waitFor } from '../support/wait-for.ts';

interface BalanceData {
  balance: string;
  held: string;
  available: string;
}

const service = await serviceForTests();
const workspace = await createWorkspace(service);
const client = workspace.client;

/** Sends a command and waits until its order is terminal. */
async function command(name: string, body: object, by = client) {
  const answer = await sendCommand({ client: by }, name, body);
  return { ...answer, order: answer.envelope!.data };
}
/** The order of a command that is taken. */
async function done(name: string, body: object): Promise<OrderData> {
  const { status, order } = await command(name, body);
  expect(status).toBe(200);
  return order;
}
/** Why a command is refused: its status, its code and its field. */
async function refusal(name: string, body: object) {
  const { status, envelope, headers } = await command(name, body);
  return [status, envelope!.code, headers['x-error-field'] ?? null];
}
const find = (transferId: string) => findOrder(workspace, transferId);
async function balance(walletId: string): Promise<BalanceData> {
  const { balance, held, available } = (await client.request<BalanceData>('GET', `/api/v1/wallets/${walletId}/balance`))
    .envelope!.data;
  return { balance, held, available };
}
/** A client whose key has these scopes alone. */
async function keyWith(...scopes: string[]): Promise<Client> {
  const owner = ['--workspace', workspace.workspaceId, '--owner', 'owner'];
  const options = [...owner, ...scopes.flatMap((each) => ['--scope', each])];
  return service.client(await service.admin<{ apiKey: string; apiSecret: string }>('key', 'create', ...options));
}
async function two(funds = '100'): Promise<{ alice: string; bob: string }> {
  return { alice: await workspace.wallet(funds), bob: await workspace.wallet() };
}
const usd = (amount: string) => ({ amount, currency: 'USD' });

describe('a deposit and a withdrawal', () => {
  it('move money between a wallet and the world outside', async () => {
    const alice = await workspace.wallet();
    const deposit = await done('deposit', { targetWalletId: alice, ...usd('10'), reference: 'payin-1' });
    expect(deposit).toMatchObject({ type: 'DEPOSIT', status: 'COMPLETED', sourceWalletId: 'EXTERNAL' });
    const out = await done('withdraw', { sourceWalletId: alice, ...usd('4') });
    expect(out).toMatchObject({ type: 'WITHDRAWAL', status: 'COMPLETED', targetWalletId: 'EXTERNAL' });
    expect(await balance(alice)).toEqual({ balance: '6.00', held: '0.00', available: '6.00' });
    expect(await done('withdraw', { sourceWalletId: alice, ...usd('7') })).toMatchObject({
      failure: { code: 'TR4223' },
    });
  });

  it('need a scope of their own', async () => {
    const other = await createWorkspace(service, ['transfer:create', 'transfer:hold', 'wallet:read']);
    const alice = await other.wallet('5');
    const body = { sourceWalletId: alice, ...usd('1') };
    expect((await command('withdraw', body, other.client)).envelope).toMatchObject({ code: 'GA2024' });
    const payout = await command('hold', body, other.client);
    expect([payout.envelope!.code, payout.headers['x-error-value']]).toEqual(['GA2024', 'transfer:fund']);
  });
});

describe('a reversal', () => {
  it('moves back all or part, and never more', async () => {
    const { alice, bob } = await two();
    const { transferId } = await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('10') });
    const part = await done('reverse', { transferId, amount: '3' });
    expect(part).toMatchObject({ type: 'REVERSAL', status: 'COMPLETED', parentId: transferId, amount: '3.00' });
    expect([part.sourceWalletId, part.targetWalletId]).toEqual([bob, alice]);
    expect((await find(transferId)).reversedAmount).toBe('3.00');
    expect(await refusal('reverse', { transferId, amount: '7.01' })).toEqual([422, 'TR4226', 'amount']);
    expect(await done('reverse', { transferId })).toMatchObject({ amount: '7.00', status: 'COMPLETED' });
    expect(await find(transferId)).toMatchObject({ reversedAmount: '10.00', amount: '10.00', status: 'COMPLETED' });
    expect(await refusal('reverse', { transferId })).toEqual([422, 'TR4226', 'transferId']);
    expect(await balance(bob)).toMatchObject({ balance: '0.00' });
  });

  it('of a journal, asked for by twenty clients at once, never moves back more than a leg', async () => {
    const { alice, bob } = await two();
    const legs = ['10', '10', '5'].map((amount) => ({ sourceWalletId: alice, targetWalletId: bob, ...usd(amount) }));
    const { transferId } = await done('journal', { legs });
    const parts = [
      [
        { leg: 0, amount: '1.3' },
        { leg: 2, amount: '0.6' },
      ],
      [{ leg: 1, amount: '1.3' }],
    ];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) => command('reverse', { transferId, legs: parts[place % 2] })),
    );
    const ends = answers.map(({ status, envelope, order }) =>
      status === 200 ? (order.failure?.code ?? order.status) : envelope!.code,
    );
    // Seven of ten have room on each leg.
    expect(ends.toSorted()).toEqual([...Array<string>(14).fill('COMPLETED'), ...Array<string>(6).fill('TR4226')]);
    expect((await find(transferId)).legs?.map(({ reversedAmount }) => reversedAmount)).toEqual([
      '9.10',
      '9.10',
      '4.20',
    ]);
    expect((await balance(alice)).balance).toBe('97.40');
  });

  it('takes back what came in, and brings back what went out', async () => {
    const alice = await workspace.wallet('10');
    const paid = await done('deposit', { targetWalletId: alice, ...usd('25') });
    const { transferId } = await done('withdraw', { sourceWalletId: alice, ...usd('30') });
    expect(await done('reverse', { transferId, amount: '12' })).toMatchObject({
      ...{ status: 'COMPLETED', sourceWalletId: 'EXTERNAL', targetWalletId: alice, amount: '12.00' },
    });
    expect(await find(transferId)).toMatchObject({ type: 'WITHDRAWAL', reversedAmount: '12.00' });
    // Of the 25 there are 17.
    expect(await done('reverse', { transferId: paid.transferId })).toMatchObject({
      ...{ status: 'FAILED', failure: { code: 'TR4223' } },
    });
    expect(await done('reverse', { transferId: paid.transferId, amount: '17' })).toMatchObject({
      ...{ status: 'COMPLETED', sourceWalletId: alice, targetWalletId: 'EXTERNAL' },
    });
    expect(await refusal('reverse', { transferId: paid.transferId, amount: '8.01' })).toEqual([
      422,
      'TR4226',
      'amount',
    ]);
    expect(await find(paid.transferId)).toMatchObject({ type: 'DEPOSIT', reversedAmount: '17.00' });
    expect(await balance(alice)).toMatchObject({ balance: '0.00' });
  });

  it('is refused of what moved nothing or back, is unknown, or is not done', async () => {
    const { alice, bob } = await two('5');
    const held = await done('hold', { sourceWalletId: alice, targetWalletId: bob, ...usd('1') });
    const release = await done('release', { transferId: held.transferId });
    const back = await done('reverse', {
      transferId: (await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('1') })).transferId,
    });
    for (const { transferId } of [held, release, back])
      expect(await refusal('reverse', { transferId })).toEqual([422, 'TR4227', 'transferId']);
    expect(await refusal('reverse', { transferId: 'tr_unknown' })).toEqual([404, 'TR4041', 'transferId']);
    const failed = await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('50') });
    expect(await refusal('reverse', { transferId: failed.transferId })).toEqual([409, 'TR4092', 'transferId']);
    const moved = await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('5'), bizId: 'rev-1' });
    expect(await refusal('reverse', { transferId: 'rev-1', amount: '1.001' })).toEqual([400, 'RQ4001', 'amount']);
    expect(await done('reverse', { transferId: 'rev-1', bizId: 'rev-2' })).toMatchObject({
      parentId: moved.transferId,
    });
  });

  it('that brings money in from outside again needs transfer:fund too, once it is known', async () => {
    const { alice, bob } = await two();
    const reverses = await keyWith('transfer:reverse');
    const refused = async (body: object) => {
      const { envelope, headers } = await command('reverse', body, reverses);
      return [envelope!.code, headers['x-error-value'] ?? null];
    };
    const inside = await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('2') });
    const payout = await done('hold', { sourceWalletId: alice, ...usd('30') });
    // Whoever made the hold had transfer:fund, so that capturing it needs no more.
    const { order: out } = await command('capture', { transferId: payout.transferId }, await keyWith('transfer:hold'));
    expect(out).toMatchObject({ status: 'COMPLETED', targetWalletId: 'EXTERNAL' });

    const { transferId } = out;
    expect(await refused({ transferId })).toEqual(['GA2024', 'transfer:fund']);
    expect(await refused({ transferId, amount: '0.001' })).toEqual(['GA2024', 'transfer:fund']);
    expect(await refused({ transferId, amount: '-1' })).toEqual(['RQ4001', null]);
    expect(await refused({ transferId: 'tr_unknown' })).toEqual(['TR4041', null]);
    expect(await refused({ transferId: payout.transferId })).toEqual(['TR4227', 'HOLD']);
    const [paidIn, paidOut] = [
      await done('deposit', { targetWalletId: alice, ...usd('1') }),
      await done('withdraw', { sourceWalletId: alice, ...usd('1') }),
    ];
    for (const moved of [paidIn, paidOut])
      expect(await refused({ transferId: moved.transferId })).toEqual(['GA2024', 'transfer:fund']);
    expect(await find(transferId)).toMatchObject({ reversedAmount: '0.00' });

    const body = { transferId, amount: '10', bizId: `returned-${transferId}` };
    expect(await done('reverse', body)).toMatchObject({ status: 'COMPLETED', sourceWalletId: 'EXTERNAL' });
    const again = await command('reverse', body, reverses);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect((await command('reverse', { transferId: inside.transferId }, reverses)).order.status).toBe('COMPLETED');
    expect(await balance(alice)).toMatchObject({ balance: '80.00' });
  });

  it('that is repeated is found, whatever became of what it reverses', async () => {
    const { alice, bob } = await two();
    const { transferId } = await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('10') });
    const body = { transferId, bizId: `once-${transferId}` };
    const first = await done('reverse', body);
    const again = await command('reverse', body);
    expect([again.order.transferId, again.headers['idempotent-replayed']]).toEqual([first.transferId, 'true']);
    // To leave the amount out is another request than to name it.
    expect(await refusal('reverse', { ...body, amount: '10' })).toEqual([409, 'TR4091', 'bizId']);
    expect(await refusal('reverse', { ...body, transferId: 'tr_unknown' })).toEqual([409, 'TR4091', 'bizId']);
    const create = { bizId: body.bizId, sourceWalletId: bob, targetWalletId: alice, ...usd('10') };
    expect(await refusal('create', create)).toEqual([409, 'TR4091', 'bizId']);
  });
});

describe('a hold', () => {
  it('reserves an amount, of which captures and releases take', async () => {
    const { alice, bob } = await two();
    const hold = await done('hold', { sourceWalletId: alice, targetWalletId: bob, ...usd('80') });
    expect(hold).toMatchObject({ type: 'HOLD', status: 'COMPLETED', reversedAmount: null });
    expect(hold.hold).toMatchObject({ state: 'HELD', captured: '0.00', released: '0.00', remaining: '80.00' });
    expect(await balance(alice)).toEqual({ balance: '100.00', held: '80.00', available: '20.00' });
    const over = await done('create', { sourceWalletId: alice, targetWalletId: bob, ...usd('20.01') });
    expect(over.failure).toMatchObject({ code: 'TR4223' });
    const { transferId } = hold;
    const part = await done('capture', { transferId, amount: '30', final: false });
    expect(part).toMatchObject({ type: 'CAPTURE', status: 'COMPLETED', parentId: transferId, reversedAmount: '0.00' });
    expect(await done('release', { transferId, amount: '5' })).toMatchObject({ type: 'RELEASE', amount: '5.00' });
    expect(await balance(alice)).toEqual({ balance: '70.00', held: '45.00', available: '25.00' });
    expect(await done('capture', { transferId, amount: '40' })).toMatchObject({ status: 'COMPLETED' });
    expect((await find(transferId)).hold).toMatchObject({
      ...{ state: 'CAPTURED', captured: '70.00', released: '10.00', remaining: '0.00' },
    });
    expect(await balance(alice)).toEqual({ balance: '30.00', held: '0.00', available: '30.00' });
    expect(await refusal('capture', { transferId })).toEqual([422, 'TR4225', 'transferId']);
    expect(await done('reverse', { transferId: part.transferId })).toMatchObject({
      amount: '30.00',
      targetWalletId: alice,
    });
  });

  it('is another order than a hold for the world outside', async () => {
    const { alice, bob } = await two();
    const body = { sourceWalletId: alice, ...usd('1'), bizId: `payout-${alice}` };
    await done('hold', { ...body, targetWalletId: bob });
    expect(await refusal('hold', body)).toEqual([409, 'TR4091', 'bizId']);
  });

  it('is refused what it cannot be', async () => {
    const { alice, bob } = await two();
    const body = { sourceWalletId: alice, targetWalletId: bob, ...usd('1') };
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    expect(await refusal('hold', { ...body, expiresAt: at(-1_000) })).toEqual([400, 'RQ4001', 'expiresAt']);
    expect(await refusal('hold', { ...body, expiresAt: at(32 * 86_400_000) })).toEqual([400, 'RQ4001', 'expiresAt']);
    expect(await refusal('hold', { ...body, expiresAt: 'tomorrow' })).toEqual([400, 'RQ4001', 'expiresAt']);
    const transfer = await done('create', body);
    expect(await refusal('capture', { transferId: transfer.transferId })).toEqual([422, 'TR4228', 'transferId']);
    const { transferId } = await done('hold', body);
    expect(await refusal('capture', { transferId, amount: '1.01' })).toEqual([422, 'TR4226', 'amount']);
    expect(await refusal('release', { transferId, amount: '0' })).toEqual([400, 'RQ4001', 'amount']);
    await workspace.post(`wallets/${bob}/freeze`);
    expect(await refusal('capture', { transferId })).toEqual([422, 'WA4221', 'transferId']);
    expect(await done('release', { transferId })).toMatchObject({ status: 'COMPLETED' });
    expect((await find(transferId)).hold).toMatchObject({ state: 'RELEASED' });
  });

  it('that is closed says how it stands, and one of which too little is left how much', async () => {
    const { alice, bob } = await two();
    const body = { sourceWalletId: alice, targetWalletId: bob, ...usd('10') };
    const told = async (name: string, given: object) => {
      const { headers } = await command(name, given);
      return [headers['x-error-reason'], headers['x-error-value']];
    };
    const expired = await done('hold', { ...body, expiresAt: new Date(Date.now() + 1_000).toISOString() });
    const [captured, released] = [await done('hold', body), await done('hold', body)];
    const { transferId: parentId } = captured;
    await done('capture', { transferId: parentId, amount: '4', final: false });
    expect(await told('capture', { transferId: parentId, amount: '6.01' })).toEqual(['EXCEEDS_REMAINING', '6.00']);
    await done('capture', { transferId: parentId });
    expect(await told('release', { transferId: parentId })).toEqual(['HOLD_CLOSED', 'CAPTURED']);
    await done('release', { transferId: released.transferId });
    expect(await told('capture', { transferId: released.transferId })).toEqual(['HOLD_CLOSED', 'RELEASED']);
    await waitFor(async () => (await find(expired.transferId)).hold!.state === 'EXPIRED');
    expect(await told('release', { transferId: expired.transferId })).toEqual(['HOLD_CLOSED', 'EXPIRED']);
  });

  it('that has expired, and that nobody released, is released by whoever may, and not captured', async () => {
    const { alice, bob } = await two();
    const { transferId } = await done('hold', { sourceWalletId: alice, targetWalletId: bob, ...usd('80') });
    const mongodb = await new MongoClient(service.mongodbUri).connect();
    // As if the service had never come to it, and never would.
    const change = { $set: { expiresAt: new Date(Date.now() - 60_000), dueAt: null } };
    await mongodb.db().collection<{ _id: string }>('orders').updateOne({ _id: transferId }, change);
    await mongodb.close();
    expect(await refusal('capture', { transferId })).toEqual([422, 'TR4225', 'transferId']);
    expect(await refusal('release', { transferId, amount: '80.01' })).toEqual([422, 'TR4226', 'amount']);
    await workspace.post(`wallets/${alice}/freeze`);
    const options = ['transfer', 'release', '--id', transferId, '--amount', '30'];
    expect(await service.admin(...options)).toMatchObject({ type: 'RELEASE', status: 'COMPLETED' });
    // From then on it is due again: the client's release, or the service's own.
    await command('release', { transferId });
    const ended = await waitFor(async () => {
      const order = await find(transferId);
      return order.hold!.state === 'HELD' ? undefined : order;
    });
    expect(ended.hold).toMatchObject({ captured: '0.00', released: '80.00', remaining: '0.00' });
    expect(await balance(alice)).toEqual({ balance: '100.00', held: '0.00', available: '100.00' });
    expect(await refusal('release', { transferId })).toEqual([422, 'TR4225', 'transferId']);
  });
});

describe('an order of another workspace', () => {
  it('is unknown to every command that refers to an order', async () => {
    const stranger = await createWorkspace(service);
    const { alice, bob } = await two();
    const sides = { sourceWalletId: alice, targetWalletId: bob };
    const [hold, transfer] = [
      await done('hold', { ...sides, ...usd('1') }),
      await done('create', { ...sides, ...usd('1') }),
    ];
    for (const [name, { transferId }] of [
      ['capture', hold],
      ['release', hold],
      ['reverse', transfer],
    ] as const) {
      const foreign = await command(name, { transferId }, stranger.client);
      const unknown = await command(name, { transferId: 'tr_unknown' }, stranger.client);
      expect([foreign.status, foreign.envelope!.code]).toEqual([404, 'TR4041']);
      expect({ ...foreign.envelope, timestamp: 0 }).toEqual({ ...unknown.envelope, timestamp: 0 });
    }
    const list = await stranger.client.request<{ total: number }>('GET', '/api/v1/transfer/query/orders', {
      query: { parentId: hold.transferId },
    });
    expect(list.envelope!.data.total).toBe(0);
  });
});

describe('what a client notes on an order', () => {
  it('is shown, found, and not compared', async () => {
    const { alice, bob } = await two();
    const body = { sourceWalletId: alice, targetWalletId: bob, ...usd('1'), bizId: `note-${alice}` };
    const notes = { description: 'für Bob 🙂', reference: `INV-${alice.slice(3)}`, metadata: { 'a.b': '1', c: '' } };
    expect(await done('create', { ...body, ...notes })).toMatchObject(notes);
    expect(await done('create', { ...body, description: 'other' })).toMatchObject(notes);
    const list = await client.request<{ items: OrderData[]; total: number }>('GET', '/api/v1/transfer/query/orders', {
      query: { reference: notes.reference, type: 'TRANSFER' },
    });
    expect(list.envelope!.data).toMatchObject({ total: 1, items: [notes] });
  });

  const entries = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, text]));
  it.each([
    ['metadata', entries(21, 'v')],
    ['metadata.k0', entries(1, 'x'.repeat(501))],
    ['metadata', entries(10, 'ü'.repeat(400))],
  ])('is refused if its %s is wrong: %#', async (field, metadata) => {
    const body = { sourceWalletId: 'wa_a', targetWalletId: 'wa_b', ...usd('1'), metadata };
    expect(await refusal('create', body)).toEqual([400, 'RQ4001', field]);
  });
});
