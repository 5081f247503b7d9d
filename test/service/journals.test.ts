import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/api-client.ts';
import { batchPath, outcomesOf, sendBatch } from '../support/batches.ts';
import { expectSoundBooks, findOrder, ordersPath, sendCommand, totalOf, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const service = await serviceForTests();
const workspace = await createWorkspace(service);
const mongodb = await MongoClient.connect(service.mongodbUri);
afterAll(() => mongodb.close());

async function done(name: string, body: object): Promise<OrderData> {
  const { status, envelope } = await sendCommand(workspace, name, body);
  expect([status, envelope?.message]).toEqual([200, 'SUCCESS']);
  return envelope!.data;
}
async function refusal(name: string, body: object, client: Client = workspace.client) {
  const { status, envelope, headers } = await sendCommand({ client }, name, body);
  return [status, envelope!.code, headers['x-error-field'] ?? null];
}
async function keyWith(...scopes: string[]): Promise<Client> {
  const owner = ['--workspace', workspace.workspaceId, '--owner', 'owner'];
  const options = [...owner, ...scopes.flatMap((each) => ['--scope', each])];
  return service.client(await service.admin<{ apiKey: string; apiSecret: string }>('key', 'create', ...options));
}
async function balanceOf(walletId: string): Promise<string> {
  const path = `/api/v1/wallets/${walletId}/balance`;
  const { envelope } = await workspace.client.request<{ balance: string; available: string }>('GET', path);
  return `${envelope!.data.balance} ${envelope!.data.available}`;
}
const find = (transferId: string) => findOrder(workspace, transferId);
const leg = (sourceWalletId: string | undefined, targetWalletId: string | undefined, amount: string, more = {}) => ({
  ...(sourceWalletId === undefined ? {} : { sourceWalletId }),
  ...(targetWalletId === undefined ? {} : { targetWalletId }),
  ...{ amount, currency: 'USD', ...more },
});

/** A sale: the buyer pays the seller, who pays a fee, and a tax goes out. */
async function sale(amounts = ['90', '9', '1']) {
  const [buyer, seller, fees] = [await workspace.wallet('100'), await workspace.wallet(), await workspace.wallet()];
  const [price = '', fee = '', tax = ''] = amounts;
  const legs = [
    leg(buyer, seller, price),
    leg(seller, fees, fee, { description: 'Fee' }),
    leg(seller, undefined, tax, { description: 'Tax' }),
  ];
  return { buyer, seller, fees, legs };
}

describe('a journal', () => {
  it('applies its legs in their order, and shows them', async () => {
    const { buyer, seller, fees, legs } = await sale();
    const order = await done('journal', { legs, bizId: 'sale-1', reference: 'S-1' });
    expect(order).toMatchObject({
      ...{ type: 'JOURNAL', status: 'COMPLETED', reference: 'S-1', failure: null, hold: null },
      ...{ sourceWalletId: null, targetWalletId: null, amount: null, currency: null, reversedAmount: null },
      legs: [
        { sourceWalletId: buyer, targetWalletId: seller, amount: '90.00', description: null, reversedAmount: '0.00' },
        { sourceWalletId: seller, targetWalletId: fees, amount: '9.00', description: 'Fee', parentLeg: null },
        { sourceWalletId: seller, targetWalletId: 'EXTERNAL', amount: '1.00', currency: 'USD', description: 'Tax' },
      ],
    });
    expect(await Promise.all([buyer, seller, fees].map(balanceOf))).toEqual([
      '10.00 10.00',
      '80.00 80.00',
      '9.00 9.00',
    ]);
    const flows = await workspace.client.request<{ items: unknown[] }>('GET', `/api/v1/wallets/${seller}/flows`);
    expect(flows.envelope?.data.items).toMatchObject([
      { sequence: 3, leg: 2, direction: 'DEBIT', counterpartyWalletId: 'EXTERNAL', transferId: order.transferId },
      { sequence: 2, leg: 1, direction: 'DEBIT', counterpartyWalletId: fees },
      { sequence: 1, leg: 0, direction: 'CREDIT', counterpartyWalletId: buyer },
    ]);
    expect(await find('sale-1')).toEqual(order);
  });

  it('is a row a flow in statements, with the words of its leg', async () => {
    const from = new Date();
    const { seller, legs } = await sale();
    await done('journal', { legs, description: 'Sale' });
    const query = { from: from.toISOString(), to: new Date(Date.now() + 1).toISOString() };
    const path = `/api/v1/wallets/${seller}/statement`;
    const { envelope } = await workspace.client.request<{ items: { description: string }[] }>('GET', path, { query });
    expect(envelope?.data).toMatchObject({ closingBalance: '80.00', count: 3 });
    expect(envelope?.data.items.map(({ description }) => description)).toEqual(['Sale', 'Fee', 'Tax']);
  });

  it('moves nothing if a leg cannot be applied, and says which', async () => {
    const { buyer, seller, legs } = await sale(['90', '90', '1']);
    expect(await done('journal', { legs })).toMatchObject({
      ...{ status: 'FAILED', failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE', leg: 2 } },
    });
    expect(await done('journal', { legs: legs.toReversed() })).toMatchObject({ failure: { leg: 0 } });
    expect(await Promise.all([buyer, seller].map(balanceOf))).toEqual(['100.00 100.00', '0.00 0.00']);
    const failed = { sourceWalletId: seller, targetWalletId: buyer, amount: '1', currency: 'USD' };
    expect(await done('create', failed)).toMatchObject({ failure: { code: 'TR4223', leg: null }, legs: null });
  });

  it('exchanges currencies, and is found by each, once in every list', async () => {
    const own = await createWorkspace(service);
    const wallets = {
      ...{ aliceUsd: await own.wallet('10'), aliceYen: await own.wallet('0', 'JPY') },
      ...{ bankUsd: await own.wallet(), bankYen: await own.wallet('5000', 'JPY') },
    };
    const legs = [
      leg(wallets.aliceUsd, wallets.bankUsd, '10.00'),
      leg(wallets.bankYen, wallets.aliceYen, '1500', { currency: 'JPY' }),
      leg(wallets.aliceYen, wallets.bankYen, '500', { currency: 'JPY' }),
    ];
    const { envelope } = await sendCommand(own, 'journal', { legs });
    expect(envelope?.data.status).toBe('COMPLETED');
    const totals = (path: string, query: Record<string, string>) => totalOf(own, `${ordersPath}${path}`, query);
    const type = 'JOURNAL';
    for (const status of ['COMPLETED', undefined]) {
      const filter = { type, ...(status === undefined ? {} : { status }) };
      expect(await totals('', filter)).toBe(1);
      expect(await totals('', { ...filter, currency: 'USD' })).toBe(1);
      expect(await totals('', { ...filter, currency: 'JPY' })).toBe(1);
      expect(await totals('', { ...filter, currency: 'EUR' })).toBe(0);
      expect(await totals(`/wallet/${wallets.bankYen}`, filter)).toBe(1);
      expect(await totals(`/wallet/${wallets.bankYen}`, { ...filter, currency: 'USD' })).toBe(1);
      expect(await totals(`/wallet/${wallets.bankYen}`, { ...filter, currency: 'EUR' })).toBe(0);
    }
    expect(await totals('', { status: 'COMPLETED' })).toBe(3);
  });

  it('is refused in the sequence of its checks, by the first leg at fault', async () => {
    const { buyer, seller, legs } = await sale();
    const yen = await workspace.wallet('0', 'JPY');
    const frozen = await workspace.wallet();
    await workspace.post(`wallets/${frozen}/freeze`);
    const creates = await keyWith('transfer:create');
    const [first] = legs;
    const cases: [unknown[], unknown[], Client?][] = [
      [[], [400, 'RQ4001', 'legs']],
      [Array(101).fill(first), [400, 'RQ4001', 'legs']],
      [
        [first, leg(undefined, undefined, '1')],
        [400, 'RQ4001', 'legs[1]'],
      ],
      [
        [first, leg(buyer, seller, '1.001')],
        [400, 'RQ4001', 'legs[1].amount'],
      ],
      [[leg(buyer, seller, '1', { currency: 'XXX' })], [400, 'RQ4001', 'legs[0].currency']],
      [[leg(buyer, seller, '1', { more: 1 })], [400, 'RQ4001', 'legs[0].more']],
      [[leg(undefined, 'wa_unknown', '1')], [403, 'GA2024', null], creates],
      [[leg(buyer, 'wa_unknown', '1')], [404, 'WA4041', 'legs[0].targetWalletId'], creates],
      [
        [first, leg(buyer, buyer, '1'), leg(buyer, 'wa_unknown', '1')],
        [422, 'TR4221', 'legs[1].targetWalletId'],
      ],
      [
        [first, leg('wa_unknown', 'wa_other', '1'), leg(buyer, buyer, '1')],
        [404, 'WA4041', 'legs[1].sourceWalletId'],
      ],
      [
        [first, leg(buyer, frozen, '1'), leg(buyer, buyer, '1')],
        [422, 'WA4221', 'legs[1].targetWalletId'],
      ],
      [[leg(buyer, yen, '1')], [422, 'TR4222', 'legs[0].targetWalletId']],
      [[leg(buyer, `ex_${workspace.workspaceId.slice(3)}USD`, '1')], [404, 'WA4041', 'legs[0].targetWalletId']],
    ];
    for (const [given, expected, client] of cases)
      expect(await refusal('journal', { legs: given }, client)).toEqual(expected);
  });

  it('is repeated by the same legs in the same order, whatever they say of themselves', async () => {
    const { legs } = await sale();
    const executeAt = new Date(Date.now() + 3_600_000).toISOString();
    const body = { bizId: 'again-1', legs, executeAt };
    const first = await done('journal', body);
    expect(first.status).toBe('SCHEDULED');
    const same = legs.map(({ amount, ...each }) => ({ ...each, amount: `${amount}.0`, description: 'other' }));
    const again = await sendCommand(workspace, 'journal', { ...body, legs: same });
    expect([again.headers['idempotent-replayed'], again.envelope?.data]).toEqual(['true', first]);
    const conflict = [409, 'TR4091', 'bizId'];
    expect(await refusal('journal', { ...body, legs: legs.toReversed() })).toEqual(conflict);
    expect(await refusal('journal', { ...body, legs: legs.slice(1) })).toEqual(conflict);
    expect(await refusal('journal', { bizId: 'again-1', legs })).toEqual(conflict);
    const cancelled = await sendCommand(workspace, 'cancel', { transferId: 'again-1' });
    expect(cancelled.envelope?.data.status).toBe('CANCELLED');
  });

  it('takes a hundred legs, with the words of each', async () => {
    const [from, to] = [await workspace.wallet('1'), await workspace.wallet()];
    const legs = Array.from({ length: 100 }, () => leg(from, to, '0.01', { description: 'é'.repeat(200) }));
    expect(await done('journal', { legs })).toMatchObject({ status: 'COMPLETED' });
    expect(await balanceOf(to)).toBe('1.00 1.00');
  });
});

it('counts a page of many legs as one request for each hundred', async () => {
  const own = await createWorkspace(service);
  const [from, to] = [await own.wallet('100'), await own.wallet()];
  const legs = Array.from({ length: 60 }, () => leg(from, to, '0.01'));
  for (let each = 0; each < 3; each += 1) await sendCommand(own, 'journal', { legs });
  const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now()).toISOString() };
  /** Of a key that may make two requests at once: how a page is answered, and the request after it. */
  const readTwice = async (path: string, query: Record<string, string>) => {
    const owner = ['--workspace', own.workspaceId, '--owner', 'owner'];
    const scopes = ['--scope', 'transfer:read', '--scope', 'wallet:read'];
    const key = await service.admin<{ apiKey: string; apiSecret: string }>('key', 'create', ...owner, ...scopes);
    await service.admin('key', 'rate', '--key', key.apiKey, '--per-second', '1', '--burst', '2');
    const client = service.client(key);
    const answers = [await client.request('GET', path, { query }), await client.request('GET', '/api/v1/key')];
    return answers.map(({ status }) => status);
  };
  expect(await readTwice(ordersPath, { type: 'DEPOSIT' })).toEqual([200, 200]);
  expect(await readTwice(ordersPath, { type: 'JOURNAL' })).toEqual([200, 429]);
  expect(await readTwice(`/api/v1/wallets/${from}/statement`, range)).toEqual([200, 200]);
  expect(await readTwice(`/api/v1/wallets/${to}/statement`, { ...range, size: '100' })).toEqual([200, 429]);
});

describe('a reversal of an order with legs', () => {
  it('moves them back in the opposite order, in parts, and never more than each', async () => {
    const { buyer, seller, fees, legs } = await sale();
    const { transferId } = await done('journal', { legs });
    const part = {
      transferId,
      legs: [
        { leg: 1, amount: '4' },
        { leg: 0, amount: '40' },
      ],
      bizId: 'part-1',
    };
    const first = await done('reverse', part);
    expect(first).toMatchObject({
      ...{ type: 'REVERSAL', status: 'COMPLETED', parentId: transferId, amount: null, currency: null },
      legs: [
        { sourceWalletId: fees, targetWalletId: seller, amount: '4.00', parentLeg: 1, reversedAmount: null },
        { sourceWalletId: seller, targetWalletId: buyer, amount: '40.00', parentLeg: 0, description: null },
      ],
    });
    const again = await sendCommand(workspace, 'reverse', { ...part, legs: part.legs.toReversed() });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await refusal('reverse', { ...part, legs: [{ leg: 1, amount: '4' }, { leg: 0 }] })).toEqual([
      409,
      'TR4091',
      'bizId',
    ]);
    expect((await find(transferId)).legs?.map(({ reversedAmount }) => reversedAmount)).toEqual([
      '40.00',
      '4.00',
      '0.00',
    ]);
    const cases: [object, unknown[]][] = [
      [{ amount: '1' }, [400, 'RQ4001', 'amount']],
      [{ amount: '1', legs: [{ leg: 0 }] }, [400, 'RQ4001', 'amount']],
      [{ legs: [{ leg: 3 }] }, [400, 'RQ4001', 'legs[0].leg']],
      [{ legs: [{ leg: 0 }, { leg: 0 }] }, [400, 'RQ4001', 'legs[1].leg']],
      [{ legs: [{ leg: 0, amount: '0.001' }] }, [400, 'RQ4001', 'legs[0].amount']],
      [{ legs: [{ leg: 2 }, { leg: 1, amount: '5.01' }] }, [422, 'TR4226', 'legs[1].amount']],
    ];
    for (const [body, expected] of cases) expect(await refusal('reverse', { transferId, ...body })).toEqual(expected);
    expect(await done('reverse', { transferId, legs: [{ leg: 1 }] })).toMatchObject({ legs: [{ amount: '5.00' }] });
    expect(await refusal('reverse', { transferId, legs: [{ leg: 1 }] })).toEqual([422, 'TR4226', 'legs[0]']);
    const rest = await done('reverse', { transferId });
    expect(rest.legs?.map(({ parentLeg, amount }) => [parentLeg, amount])).toEqual([
      [2, '1.00'],
      [0, '50.00'],
    ]);
    expect(await refusal('reverse', { transferId })).toEqual([422, 'TR4226', 'transferId']);
    expect(await refusal('reverse', { transferId: rest.transferId })).toEqual([422, 'TR4227', 'transferId']);
    expect(await Promise.all([buyer, seller, fees].map(balanceOf))).toEqual([
      '100.00 100.00',
      '0.00 0.00',
      '0.00 0.00',
    ]);
  });

  it('needs transfer:fund if any leg came from outside or went there, whatever part is asked', async () => {
    const { legs } = await sale();
    const { transferId } = await done('journal', { legs });
    const reverses = await keyWith('transfer:reverse');
    expect(await refusal('reverse', { transferId, legs: [{ leg: 0, amount: '0.001' }] }, reverses)).toEqual([
      403,
      'GA2024',
      null,
    ]);
    const inside = await done('journal', { legs: legs.slice(0, 1).map((one) => ({ ...one, amount: '1' })) });
    expect(await refusal('reverse', { transferId: inside.transferId, legs: [{ leg: 1 }] }, reverses)).toEqual([
      400,
      'RQ4001',
      'legs[0].leg',
    ]);
  });

  it('fails for the leg that cannot be moved back, and leaves all', async () => {
    const { seller, fees, legs } = await sale();
    const { transferId } = await done('journal', { legs: legs.slice(0, 2) });
    await done('withdraw', { sourceWalletId: seller, amount: '81', currency: 'USD' });
    expect(await done('reverse', { transferId })).toMatchObject({ failure: { code: 'TR4223', leg: 1 } });
    expect(await balanceOf(fees)).toBe('9.00 9.00');
  });
});

describe('a capture for several', () => {
  it('moves to whom it names, and to where the hold goes if it names none', async () => {
    const { buyer, seller, fees } = await sale();
    const held = await done('hold', { ...leg(buyer, seller, '50'), bizId: 'ride-1' });
    await workspace.post(`wallets/${seller}/freeze`);
    const legs = [{ targetWalletId: fees, amount: '5', description: 'Fee' }];
    const part = await done('capture', { transferId: 'ride-1', legs, final: false, bizId: 'capture-1' });
    expect(part).toMatchObject({
      ...{ type: 'CAPTURE', status: 'COMPLETED', sourceWalletId: buyer, targetWalletId: null, amount: '5.00' },
      ...{ currency: 'USD', reversedAmount: '0.00' },
      legs: [{ sourceWalletId: buyer, targetWalletId: fees, amount: '5.00', description: 'Fee' }],
    });
    const toTarget = { transferId: 'ride-1', legs: [...legs, { amount: '1' }] };
    expect(await refusal('capture', toTarget)).toEqual([422, 'WA4221', 'legs[1].targetWalletId']);
    await workspace.post(`wallets/${seller}/unfreeze`);
    const again = await sendCommand(workspace, 'capture', {
      transferId: 'ride-1',
      legs,
      final: false,
      bizId: 'capture-1',
    });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await done('capture', toTarget)).toMatchObject({ status: 'COMPLETED', amount: '6.00' });
    expect((await find(held.transferId)).hold).toMatchObject({
      state: 'CAPTURED',
      captured: '11.00',
      released: '39.00',
    });
    expect(await Promise.all([buyer, seller, fees].map(balanceOf))).toEqual([
      '89.00 89.00',
      '1.00 1.00',
      '10.00 10.00',
    ]);
    const back = await done('reverse', { transferId: part.transferId, legs: [{ leg: 0, amount: '2' }] });
    expect(back).toMatchObject({
      ...{ sourceWalletId: null, targetWalletId: buyer, amount: '2.00', currency: 'USD', reversedAmount: null },
      legs: [{ sourceWalletId: fees, targetWalletId: buyer, amount: '2.00', parentLeg: 0 }],
    });
    expect(await find('capture-1')).toMatchObject({ reversedAmount: '2.00', legs: [{ reversedAmount: '2.00' }] });
  });

  it('is refused for more than remains, for its source as a target, and for an amount beside legs', async () => {
    const { buyer, seller, fees } = await sale();
    const yen = await workspace.wallet('0', 'JPY');
    const { transferId } = await done('hold', leg(buyer, seller, '50'));
    const cases: [object, unknown[]][] = [
      [{ amount: '1', legs: [{ amount: '1' }] }, [400, 'RQ4001', 'amount']],
      [{ legs: [{ amount: '1.001' }] }, [400, 'RQ4001', 'legs[0].amount']],
      [{ legs: [{ amount: '25' }, { amount: '25.01', targetWalletId: fees }] }, [422, 'TR4226', 'legs']],
      [{ legs: [{ amount: '1', targetWalletId: buyer }] }, [422, 'TR4221', 'legs[0].targetWalletId']],
      [{ legs: [{ amount: '1', targetWalletId: 'wa_unknown' }] }, [404, 'WA4041', 'legs[0].targetWalletId']],
      [{ legs: [{ amount: '1', targetWalletId: yen }] }, [422, 'TR4222', 'legs[0].targetWalletId']],
    ];
    for (const [body, expected] of cases) expect(await refusal('capture', { transferId, ...body })).toEqual(expected);
  });
});

describe('a batch of typed lines', () => {
  it('makes an order of each type, of orders that were there before', async () => {
    const { buyer, seller, legs } = await sale();
    const held = await done('hold', leg(buyer, seller, '10'));
    const answer = await sendBatch(
      workspace,
      [
        { type: 'JOURNAL', legs: legs.slice(0, 1), bizId: 'batch-journal' },
        { type: 'CAPTURE', transferId: held.transferId, amount: '4', final: false },
        { type: 'RELEASE', transferId: held.transferId, amount: '1' },
        { type: 'HOLD', ...leg(seller, buyer, '1') },
        { type: 'DEPOSIT', targetWalletId: buyer, amount: '5', currency: 'USD' },
        { type: 'WITHDRAWAL', sourceWalletId: buyer, amount: '5', currency: 'USD' },
        { type: 'REVERSAL', transferId: 'batch-journal' },
        { type: 'NOTHING' },
      ],
      { headers: { Prefer: 'wait=10' } },
    );
    const failedOrNot = outcomesOf(answer);
    expect(failedOrNot).toEqual([...Array<string>(6).fill('COMPLETED'), 'TRANSFER_NOT_FOUND', 'VALUE_NOT_ALLOWED']);
    const again = await sendBatch(workspace, [{ type: 'REVERSAL', transferId: 'batch-journal' }], {
      headers: { Prefer: 'wait=10' },
    });
    expect(outcomesOf(again)).toEqual(['COMPLETED']);
  });

  it('asks each line for the scopes of its command, before its form', async () => {
    const creates = await keyWith('transfer:create');
    const lines = [{ type: 'HOLD' }, { type: 'JOURNAL' }, { type: 'JOURNAL', legs: [leg(undefined, 'wa_x', '1')] }];
    expect(outcomesOf(await sendBatch({ ...workspace, client: creates }, lines))).toEqual([
      'SCOPE_MISSING',
      'FIELD_MISSING',
      'SCOPE_MISSING',
    ]);
  });

  it('takes all types together, each on what the lines before left', async () => {
    const { buyer, seller, fees } = await sale();
    const held = await done('hold', leg(buyer, seller, '60'));
    const lines = [
      { type: 'CAPTURE', transferId: held.transferId, amount: '20', final: false, bizId: 'atomic-1' },
      { ...leg(seller, fees, '20'), bizId: 'atomic-2' },
      { type: 'RELEASE', transferId: held.transferId, amount: '40', bizId: 'atomic-3' },
      { type: 'JOURNAL', legs: [leg(buyer, fees, '70'), leg(buyer, seller, '10')], bizId: 'atomic-4' },
    ];
    const options = { atomic: true, headers: { Prefer: 'wait=10' } };
    expect(outcomesOf(await sendBatch(workspace, lines, options))).toEqual(Array(4).fill('COMPLETED'));
    expect((await sendBatch(workspace, lines, options)).headers['idempotent-replayed']).toBe('true');
    expect(await Promise.all([buyer, seller, fees].map(balanceOf))).toEqual([
      '0.00 0.00',
      '10.00 10.00',
      '90.00 90.00',
    ]);
  });

  it('has a limit on all legs, those that a reversal will have included', async () => {
    const { buyer, seller } = await sale();
    const legs = [...Array<object>(59).fill(leg(buyer, seller, '0.01')), leg(undefined, buyer, '1')];
    const journal = { type: 'JOURNAL', legs };
    const tooMany = async (transfers: object[], atomic: boolean) => {
      const { status, headers } = await workspace.client.request('POST', batchPath, { body: { transfers, atomic } });
      return [status, headers['x-error-field'], headers['x-error-value']];
    };
    expect(await tooMany(Array<object>(9).fill(journal), false)).toEqual([400, 'transfers', '500']);
    expect(await tooMany([journal, journal], true)).toEqual([400, 'transfers', '100']);
    const made = [await done('journal', { legs }), await done('journal', { legs })];
    const reversals = made.map(({ transferId }) => ({ type: 'REVERSAL', transferId }));
    const both = await sendBatch(workspace, reversals, { atomic: true });
    expect(outcomesOf(both)).toEqual(['BATCH_FAILED', 'FIELD_OUT_OF_RANGE']);
    const capture = { type: 'CAPTURE', transferId: made[0]!.transferId };
    expect(outcomesOf(await sendBatch(workspace, [capture, journal], { atomic: true }))).toEqual([
      'NOT_A_HOLD',
      'BATCH_FAILED',
    ]);
    const client = await keyWith('transfer:create', 'transfer:reverse');
    const missing = ['SCOPE_MISSING', 'SCOPE_MISSING'];
    expect(outcomesOf(await sendBatch({ client }, reversals, { atomic: true }))).toEqual(missing);
    expect(outcomesOf(await sendBatch(workspace, reversals, { headers: { Prefer: 'wait=10' } }))).toEqual(
      Array(2).fill('COMPLETED'),
    );
  });
});

describe('a preview', () => {
  const preview = async (body: object, client = workspace.client) => {
    const { envelope, status, headers } = await client.request('POST', '/api/v1/transfer/command/preview', { body });
    return status === 200 ? envelope!.data : [status, envelope!.code, headers['x-error-field'] ?? null];
  };
  const standing = (walletId: string, balance: string, held = '0.00', available = balance) => ({
    ...{ walletId, balance, held, available },
  });

  it('tells of every type how it would end, with each wallet once', async () => {
    const { buyer, seller, fees, legs } = await sale();
    expect(await preview({ type: 'JOURNAL', legs })).toEqual({
      ...{ status: 'COMPLETED', failure: null, source: null, target: null },
      wallets: [standing(buyer, '10.00'), standing(seller, '80.00'), standing(fees, '9.00')],
    });
    expect(await preview({ type: 'JOURNAL', legs: legs.toReversed() })).toMatchObject({
      ...{ status: 'FAILED', failure: { code: 'TR4223', leg: 0 } },
      wallets: [standing(seller, '0.00'), standing(fees, '0.00'), standing(buyer, '100.00')],
    });
    expect(await preview({ type: 'HOLD', ...leg(buyer, seller, '30') })).toEqual({
      ...{ status: 'COMPLETED', failure: null },
      source: { balance: '100.00', available: '70.00' },
      target: { balance: '0.00', available: '0.00' },
      wallets: [standing(buyer, '100.00', '30.00', '70.00'), standing(seller, '0.00')],
    });
    const held = await done('hold', leg(buyer, seller, '30'));
    const capture = { type: 'CAPTURE', transferId: held.transferId, legs: [{ targetWalletId: fees, amount: '10' }] };
    expect(await preview(capture)).toMatchObject({
      ...{ source: null, wallets: [standing(buyer, '90.00'), standing(fees, '10.00')] },
    });
    expect(await preview({ type: 'DEPOSIT', targetWalletId: seller, amount: '5', currency: 'USD' })).toMatchObject({
      ...{ source: null, target: { balance: '5.00' }, wallets: [standing(seller, '5.00')] },
    });
    const order = await done('capture', { ...capture, bizId: 'shown', type: undefined });
    expect(await preview({ ...capture, bizId: 'shown' })).toMatchObject({ status: order.status });
    expect(await preview({ type: 'CAPTURE', transferId: held.transferId })).toEqual([422, 'TR4225', 'transferId']);
    expect(await preview({ type: 'JOURNAL', legs }, await keyWith('transfer:create', 'wallet:read'))).toEqual([
      403,
      'GA2024',
      null,
    ]);
  });

  it('stores nothing, not even an EXTERNAL wallet', async () => {
    const own = await createWorkspace(service);
    const alice = await own.wallet('0', 'EUR');
    expect(await preview({ type: 'DEPOSIT', targetWalletId: alice, amount: '5', currency: 'EUR' }, own.client)).toEqual(
      {
        ...{ status: 'COMPLETED', failure: null, source: null, target: { balance: '5.00', available: '5.00' } },
        wallets: [standing(alice, '5.00')],
      },
    );
    const { workspaceId } = own;
    expect(await mongodb.db().collection('wallets').countDocuments({ workspaceId, kind: 'EXTERNAL' })).toBe(0);
    expect(await mongodb.db().collection('orders').countDocuments({ workspaceId })).toBe(0);
  });
});

it('leaves sound books', async () => {
  await expectSoundBooks(service);
});
