import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Wallet } from '../../src/http/wallets/wallet.ts';
import { refusalOf as refusal, type Answer, type Client } from '../support/api-client.ts';
import { sendCommand } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const path = '/api/v1/wallets';

type WalletData = z.output<typeof Wallet>;

const service = await serviceForTests();
const [workspace, other] = await Promise.all([createWorkspace(service), createWorkspace(service)]);

const post = (rest: string, body?: object | string, client: Client = workspace.client) =>
  client.request<WalletData>('POST', path + rest, body === undefined ? {} : { body });
const make = (values: object = {}, client?: Client) => post('', { currency: 'USD', ...values }, client);
async function made(values: object = {}): Promise<WalletData> {
  const answer = await make(values);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.envelope!.data;
}
const read = async (id: string) => (await workspace.client.request<WalletData>('GET', `${path}/${id}`)).envelope!.data;
const command = (name: string, body: object) =>
  sendCommand(workspace, name, { amount: '10', currency: 'USD', ...body });
const deposit = (targetWalletId: string, amount: string) => command('deposit', { targetWalletId, amount });

const ok = ({ status, envelope }: Answer<WalletData>) => [status, envelope!.code];
const malformed = (reason: string, field: string, value?: string) => [400, 'RQ4001', reason, field, value];

/** A client of another key of a workspace. */
async function clientWith(scopes: readonly string[]): Promise<Client> {
  const key = await service.admin<{ apiKey: string; apiSecret: string }>(
    ...['key', 'create', '--workspace', workspace.workspaceId, '--owner', 'owner'],
    ...scopes.flatMap((scope) => ['--scope', scope]),
  );
  return service.client(key);
}

describe('a wallet’s name and metadata', () => {
  const update = (id: string, body: object) => post(`/${id}/update`, body);

  it('are changed, each alone or both; nothing else is, and what is not said stays', async () => {
    const before = await made({
      name: 'Ada',
      metadata: { plan: 'gold', seat: '1' },
      reference: `update:${randomUUID()}`,
    });
    await deposit(before.id, '10');
    const renamed = (await update(before.id, { name: 'Ada L.' })).envelope!.data;
    expect(renamed).toMatchObject({ name: 'Ada L.', metadata: before.metadata, balance: '10.00' });
    expect(renamed.reference).toBe(before.reference);
    await post(`/${before.id}/freeze`);
    const answer = await update(before.id, { metadata: { plan: 'basic' } });
    expect(answer.envelope!.data).toMatchObject({ name: 'Ada L.', metadata: { plan: 'basic' }, status: 'FROZEN' });
    expect(await read(before.id)).toEqual(answer.envelope!.data);
    expect((await update(before.id, { metadata: { plan: 'basic' } })).envelope!.data).toEqual(answer.envelope!.data);
    expect((await update(before.id, { metadata: {} })).envelope!.data.metadata).toEqual({});
  });

  it('are refused where nothing is said, a value is wrong, or the wallet is closed or not there', async () => {
    const { id } = await made();
    expect(refusal(await update(id, {}))).toEqual(malformed('FIELD_MISSING', 'name'));
    expect(refusal(await update(id, { name: '' }))[3]).toBe('name');
    expect(refusal(await update(id, { name: 'x', currency: 'EUR' }))).toEqual(malformed('FIELD_UNKNOWN', 'currency'));
    expect(refusal(await update('wa_unknown', { name: 'x' }))).toEqual([
      404,
      'WA4041',
      'WALLET_NOT_FOUND',
      'id',
      undefined,
    ]);
    await post(`/${id}/close`);
    expect(refusal(await update(id, { name: 'x' })).slice(0, 2)).toEqual([409, 'WA4092']);
  });
});

describe('a wallet is made', () => {
  it('with what it was given, empty and ACTIVE, and found by its id and its reference', async () => {
    const asked = { name: 'Ada’s wallet', reference: 'user:7', metadata: { plan: 'gold', 'a.b': '' } };
    const answer = await make(asked);
    expect(ok(answer)).toEqual([200, '2000']);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    const wallet = answer.envelope!.data;
    expect(wallet).toMatchObject({ ...asked, workspaceId: workspace.workspaceId, currency: 'USD', status: 'ACTIVE' });
    expect(wallet).toMatchObject({ balance: '0.00', held: '0.00', creditLimit: '0.00', available: '0.00' });
    expect(wallet.id).toMatch(/^wa_/);
    expect(await read(wallet.id)).toEqual(wallet);
  });

  it('named by its currency, without reference and metadata, if none are given; each request makes one', async () => {
    const [first, second] = [await made(), await made()];
    expect(first).toMatchObject({ name: 'USD', reference: null, metadata: {} });
    expect(second.id).not.toBe(first.id);
    expect((await make({ currency: 'JPY', creditLimit: '5' })).envelope!.data.available).toBe('5');
  });

  it('once for a reference: the same currency again gets the wallet as it stands, whatever else is asked', async () => {
    const first = await made({ reference: 'once', name: 'first', metadata: { a: '1' } });
    await deposit(first.id, '5');
    await post(`/${first.id}/freeze`);
    const again = await make({ reference: 'once', name: 'second', metadata: { b: '2' }, creditLimit: '7' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.envelope!.data).toEqual(await read(first.id));
    expect(again.envelope!.data).toMatchObject({
      name: 'first',
      balance: '5.00',
      status: 'FROZEN',
      creditLimit: '0.00',
    });
    const conflict = await make({ reference: 'once', currency: 'EUR' });
    expect(refusal(conflict)).toEqual([409, 'WA4091', 'WALLET_REFERENCE_CONFLICT', 'reference', first.id]);
    // Upper and lower case are not the same, and another workspace has its own.
    expect((await make({ reference: 'ONCE' })).envelope!.data.id).not.toBe(first.id);
    expect((await make({ reference: 'once', currency: 'EUR' }, other.client)).status).toBe(200);
  });

  it('of one currency, where two are asked for at once with one reference', async () => {
    const answers = await Promise.all(['USD', 'EUR'].map((currency) => make({ currency, reference: 'either' })));
    const [winner, loser] = answers.toSorted((a, b) => a.status - b.status);
    const { id } = winner!.envelope!.data;
    expect(refusal(loser!)).toEqual([409, 'WA4091', 'WALLET_REFERENCE_CONFLICT', 'reference', id]);
  });

  it('not again with the reference of a closed one', async () => {
    const { id } = await made({ reference: 'closed' });
    await post(`/${id}/close`);
    expect((await make({ reference: 'closed' })).envelope!.data).toMatchObject({ id, status: 'CLOSED' });
  });

  it.each<[object, unknown[]]>([
    [{ name: 'a\nb' }, malformed('FIELD_MALFORMED', 'name', '1 to 100 characters, none of them a control character')],
    [{ reference: 'x'.repeat(65) }, malformed('FIELD_MALFORMED', 'reference', '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$')],
    [{ creditLimit: '-1' }, malformed('AMOUNT_MALFORMED', 'creditLimit')],
    [{ creditLimit: '1.000' }, malformed('TOO_MANY_DECIMALS', 'creditLimit', '2')],
    [{ currency: 'JPY', creditLimit: '0.0' }, malformed('TOO_MANY_DECIMALS', 'creditLimit', '0')],
  ])('not with %j', async (given, expected) => {
    expect(refusal(await make(given))).toEqual(expected);
  });

  it('with the greatest of everything', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`key-${index}`, 'ä'.repeat(250)]));
    const values = { name: '😀'.repeat(100), reference: `r${'-'.repeat(63)}`, metadata, creditLimit: '9'.repeat(28) };
    const wallet = await made(values);
    expect(wallet).toMatchObject({ ...values, creditLimit: `${values.creditLimit}.00` });
    expect((await made({ creditLimit: '0.00' })).creditLimit).toBe('0.00');
  });
});

describe('a wallet', () => {
  it('is frozen, and active again: then it pays, and in between it does not, from the next request on', async () => {
    const [source, target] = [await made(), await made()];
    await deposit(source.id, '100');
    const sides = { sourceWalletId: source.id, targetWalletId: target.id };
    expect((await command('create', sides)).status).toBe(200);
    const frozen = await post(`/${source.id}/freeze`);
    expect(ok(frozen)).toEqual([200, '2000']);
    expect(frozen.envelope!.data).toMatchObject({ id: source.id, status: 'FROZEN', balance: '90.00' });
    expect(refusal(await command('create', sides)).slice(0, 3)).toEqual([422, 'WA4221', 'WALLET_NOT_ACTIVE']);
    const again = await post(`/${source.id}/freeze`, {});
    expect([again.status, again.envelope!.data]).toEqual([200, frozen.envelope!.data]);
    expect((await post(`/${source.id}/unfreeze`)).envelope!.data).toMatchObject({ status: 'ACTIVE' });
    expect((await post(`/${source.id}/unfreeze`)).envelope!.data).toMatchObject({ status: 'ACTIVE' });
    expect((await command('create', sides)).envelope!.data.status).toBe('COMPLETED');
  });

  it('is closed for good: from ACTIVE or FROZEN, and all else that is asked of it is refused', async () => {
    const [active, frozen] = [await made({ creditLimit: '5' }), await made()];
    await post(`/${frozen.id}/freeze`);
    for (const { id } of [active, frozen]) {
      const closed = await post(`/${id}/close`);
      expect(closed.envelope!.data).toMatchObject({ id, status: 'CLOSED' });
      const again = await post(`/${id}/close`);
      expect([again.status, again.envelope!.data]).toEqual([200, closed.envelope!.data]);
      const conflict = [409, 'WA4092', 'WALLET_STATE_CONFLICT', 'id', undefined];
      for (const verb of ['freeze', 'unfreeze']) expect(refusal(await post(`/${id}/${verb}`))).toEqual(conflict);
      for (const creditLimit of ['5', '7', '0'])
        expect(refusal(await post(`/${id}/limit`, { creditLimit }))).toEqual(conflict);
    }
  });

  it('is not closed with a balance, below zero as well, or with a held amount', async () => {
    const notEmpty = [422, 'WA4222', 'WALLET_NOT_EMPTY', 'id', undefined];
    const [rich, poor, target] = [await made(), await made({ creditLimit: '20' }), await made()];
    await deposit(rich.id, '10');
    expect(refusal(await post(`/${rich.id}/close`))).toEqual(notEmpty);
    await post(`/${rich.id}/freeze`);
    expect(refusal(await post(`/${rich.id}/close`))).toEqual(notEmpty);
    const hold = await command('hold', { sourceWalletId: poor.id, targetWalletId: target.id });
    expect(hold.envelope!.data.status).toBe('COMPLETED');
    expect(await read(poor.id)).toMatchObject({ balance: '0.00', held: '10.00' });
    expect(refusal(await post(`/${poor.id}/close`))).toEqual(notEmpty);
    await sendCommand(workspace, 'capture', { transferId: hold.envelope!.data.transferId });
    expect(await read(poor.id)).toMatchObject({ balance: '-10.00', held: '0.00' });
    expect(refusal(await post(`/${poor.id}/close`))).toEqual(notEmpty);
    await deposit(poor.id, '10');
    expect(ok(await post(`/${poor.id}/close`))).toEqual([200, '2000']);
    expect(ok(await post(`/${(await made()).id}/close`))).toEqual([200, '2000']);
  });

  it('may spend up to its credit limit, which never falls below what it uses', async () => {
    const [wallet, target] = [await made(), await made()];
    const { id } = wallet;
    const limited = await post(`/${id}/limit`, { creditLimit: '15' });
    expect(limited.envelope!.data).toMatchObject({ creditLimit: '15.00', available: '15.00', balance: '0.00' });
    expect((await command('create', { sourceWalletId: id, targetWalletId: target.id })).status).toBe(200);
    expect((await command('hold', { sourceWalletId: id, targetWalletId: target.id, amount: '2.5' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ balance: '-10.00', held: '2.50', available: '2.50' });
    for (const creditLimit of ['12.49', '0'])
      expect(refusal(await post(`/${id}/limit`, { creditLimit }))).toEqual([
        ...[422, 'WA4223', 'CREDIT_LIMIT_IN_USE', 'creditLimit', '12.50'],
      ]);
    expect((await post(`/${id}/limit`, { creditLimit: '12.50' })).envelope!.data.available).toBe('0.00');
    const again = await post(`/${id}/limit`, { creditLimit: '12.5' });
    expect([again.status, again.envelope!.data]).toEqual([200, await read(id)]);
    await post(`/${target.id}/freeze`);
    expect((await post(`/${target.id}/limit`, { creditLimit: '1' })).envelope!.data).toMatchObject({
      status: 'FROZEN',
    });
  });

  it('has never more available than 34 digits', async () => {
    const { id } = await made({ currency: 'JPY' });
    const most = '9'.repeat(30);
    for (let count = 0; count < 2; count += 1)
      await command('deposit', { targetWalletId: id, amount: most, currency: 'JPY' });
    expect(ok(await post(`/${id}/limit`, { creditLimit: most }))).toEqual([200, '2000']);
    const { id: crypto } = await made({ currency: 'BTC' });
    await command('deposit', { targetWalletId: crypto, amount: '9'.repeat(26), currency: 'BTC' });
    expect(refusal(await post(`/${crypto}/limit`, { creditLimit: '9'.repeat(26) }))).toEqual(
      malformed('TOO_MANY_DIGITS', 'creditLimit'),
    );
  });

  it.each<[string, object | string, unknown[]]>([
    ['limit', { creditLimit: '5.000' }, malformed('TOO_MANY_DECIMALS', 'creditLimit', '2')],
    ['limit', { creditLimit: '9'.repeat(31) }, malformed('TOO_MANY_DIGITS', 'creditLimit')],
    ['freeze', '[]', [400, 'RQ4002', 'BODY_NOT_OBJECT', undefined, undefined]],
    ['close', ' ', [400, 'RQ4002', 'BODY_NOT_JSON', undefined, '1']],
  ])('refuses %s with %j', async (verb, body, expected) => {
    const wallet = await made();
    expect(refusal(await post(`/${wallet.id}/${verb}`, body))).toEqual(expected);
    expect(await read(wallet.id)).toEqual(wallet);
    // The form comes before the wallet.
    const unknown = verb === 'limit' && expected[2] === 'TOO_MANY_DECIMALS' ? notFound : expected;
    expect(refusal(await post(`/wa_unknown/${verb}`, body))).toEqual(unknown);
  });

  const notFound = [404, 'WA4041', 'WALLET_NOT_FOUND', 'id', undefined];
  it('that is unknown, another workspace’s or EXTERNAL is not there', async () => {
    const mine = await made();
    await deposit(mine.id, '1');
    const external = `ex_${workspace.workspaceId.slice('ws_'.length)}USD`;
    for (const [id, client] of [
      ['wa_unknown', workspace.client],
      [external, workspace.client],
      [mine.id, other.client],
      ['%20', workspace.client],
      [`wt_${workspace.workspaceId.slice('ws_'.length)}.wallets`, workspace.client],
      ['x'.repeat(500), workspace.client],
    ] as const) {
      for (const verb of ['freeze', 'unfreeze', 'close'])
        expect(refusal(await post(`/${id}/${verb}`, undefined, client))).toEqual(notFound);
      expect(refusal(await post(`/${id}/limit`, { creditLimit: '1' }, client))).toEqual(notFound);
    }
    expect(await read(mine.id)).toMatchObject({ status: 'ACTIVE', creditLimit: '0.00' });
  });
});

describe('a key', () => {
  const lacks = (scope: string) => [403, 'GA2024', 'SCOPE_MISSING', undefined, scope];

  it('with wallet:manage alone makes and changes wallets, and grants no credit; with transfer:fund too it does', async () => {
    const client = await clientWith(['wallet:manage']);
    const both = await clientWith(['wallet:manage', 'transfer:fund']);
    const answer = await make({ reference: 'managed', creditLimit: '0' }, client);
    expect(ok(answer)).toEqual([200, '2000']);
    const { id } = answer.envelope!.data;
    for (const verb of ['freeze', 'unfreeze']) expect((await post(`/${id}/${verb}`, {}, client)).status).toBe(200);
    expect(refusal(await make({ creditLimit: '0.01' }, client))).toEqual(lacks('transfer:fund'));
    expect(refusal(await make({ creditLimit: '5', reference: 'managed' }, client))).toEqual(lacks('transfer:fund'));
    for (const creditLimit of ['5', '0'])
      expect(refusal(await post(`/${id}/limit`, { creditLimit }, client))).toEqual(lacks('transfer:fund'));
    // The form comes first.
    expect(refusal(await make({ creditLimit: '0.001' }, client))[2]).toBe('TOO_MANY_DECIMALS');
    expect(await read(id)).toMatchObject({ creditLimit: '0.00' });
    const granted = await make({ creditLimit: '5' }, both);
    expect(granted.envelope!.data.creditLimit).toBe('5.00');
    const raised = await post(`/${granted.envelope!.data.id}/limit`, { creditLimit: '6' }, both);
    expect(raised.envelope!.data.creditLimit).toBe('6.00');
    expect((await post(`/${id}/close`, {}, client)).status).toBe(200);
    expect(refusal(await client.request('GET', `${path}/${id}`))).toEqual(lacks('wallet:read'));
  });

  it('without it does none of that, whatever else it may', async () => {
    const client = await clientWith(allScopes.filter((scope) => scope !== 'wallet:manage'));
    const { id } = await made();
    expect(refusal(await make({}, client))).toEqual(lacks('wallet:manage'));
    for (const verb of ['update', 'freeze', 'unfreeze', 'close'])
      expect(refusal(await post(`/${id}/${verb}`, {}, client))).toEqual(lacks('wallet:manage'));
    expect(refusal(await post(`/${id}/limit`, { creditLimit: '5' }, client))).toEqual(lacks('wallet:manage'));
  });
});

/** Has a wallet made or changed, by a workspace of the test's own. @returns its id; empty if that was refused. */
async function change({ client }: TestWorkspace, rest: string, body: object = {}): Promise<string> {
  const { envelope } = await client.request<WalletData | null>('POST', path + rest, { body });
  return envelope?.data?.id ?? '';
}

interface AuditedEvent {
  action: string;
  actor: string | null;
  claimedActor: string | null;
  address: string | null;
  outcome: string;
  subject: Record<string, unknown>;
}
/** What the audit tells of a workspace's wallets, oldest first. */
const events = (id: string) =>
  service
    .admin<AuditedEvent[]>('audit', 'list', '--workspace', id)
    .then((all) => all.filter(({ action }) => action.startsWith('wallet ')).toReversed());

it('the audit names the key of each change, its values, and what became of it; nothing that changed nothing', async () => {
  const own = await createWorkspace(service);
  const asked = { currency: 'USD', name: 'n', reference: 'r', metadata: { token: 'before' }, creditLimit: '3' };
  const id = await change(own, '', asked);
  await change(own, '', asked);
  await change(own, `/${id}/limit`, { creditLimit: '4.5' });
  await change(own, `/${id}/limit`, { creditLimit: '4.50' });
  await change(own, `/${id}/update`, { name: 'm', metadata: { plan: 'gold' } });
  await change(own, `/${id}/update`, { name: 'm' });
  for (const verb of ['freeze', 'freeze', 'unfreeze', 'unfreeze', 'close', 'close', 'freeze'])
    await change(own, `/${id}/${verb}`);
  await change(own, '/wa_unknown/freeze');
  const told = await events(own.workspaceId);
  expect(told.map(({ action, subject }) => [action, subject])).toEqual([
    ['wallet create', { currency: 'USD', name: 'n', reference: 'r', creditLimit: '3', walletId: id }],
    ['wallet limit', { walletId: id, creditLimit: '4.5', currency: 'USD' }],
    [
      'wallet update',
      {
        ...{ walletId: id, name: 'm', nameBefore: 'n' },
        ...{ metadata: '{"plan":"gold"}', metadataBefore: '{"token":"before"}' },
      },
    ],
    ['wallet freeze', { walletId: id }],
    ['wallet unfreeze', { walletId: id }],
    ['wallet close', { walletId: id }],
  ]);
  const who = { actor: own.apiKey, claimedActor: null, address: '127.0.0.1', outcome: 'DONE' };
  for (const event of told) expect(event).toMatchObject(who);
  expect(await service.admin<unknown[]>('audit', 'list', '--actor', own.apiKey)).toHaveLength(told.length);
});

it('what is kept for good counts as ten requests, and what changes nothing as one', async () => {
  const own = await createWorkspace(service);
  await service.admin('key', 'rate', '--key', own.apiKey, '--per-second', '1', '--burst', '25');
  const statusOf = async (rest: string, body: object = {}) =>
    (await own.client.request('POST', path + rest, { body })).status;
  const id = await change(own, '', { currency: 'USD', reference: 'r' });
  expect(await statusOf('', { currency: 'USD', reference: 'r' })).toBe(200);
  expect(await statusOf(`/${id}/freeze`)).toBe(200);
  expect(await statusOf(`/${id}/freeze`)).toBe(200);
  expect(await statusOf(`/${id}/unfreeze`)).toBe(429);
  expect(await statusOf('', { currency: 'USD' })).toBe(429);
  expect(await events(own.workspaceId)).toHaveLength(2);
});

it('the audit says of a wallet that another request made meanwhile that it is that one', async () => {
  const own = await createWorkspace(service);
  const asked = { currency: 'USD', reference: 'same' };
  const [id] = await Promise.all(Array.from({ length: 10 }, () => change(own, '', asked)));
  const told = await events(own.workspaceId);
  expect(told.filter(({ subject }) => subject['isReplay'] !== true)).toHaveLength(1);
  for (const { subject, outcome } of told) expect([subject['walletId'], outcome]).toEqual([id, 'DONE']);
});

it('a wallet of a currency that was just added is made, and pays', async () => {
  await service.admin('currencies', 'add', '--currency', 'GEM', '--decimals', '3');
  const ofGems = { currency: 'GEM' };
  await expect.poll(async () => (await make({ ...ofGems, reference: 'gems' })).status, { timeout: 10_000 }).toBe(200);
  const [source, target] = [(await make({ ...ofGems, reference: 'gems' })).envelope!.data, await made(ofGems)];
  await command('deposit', { ...ofGems, targetWalletId: source.id, amount: '5.5' });
  const sides = { sourceWalletId: source.id, targetWalletId: target.id };
  const paid = await command('create', { ...ofGems, ...sides, amount: '0.125' });
  expect(paid.envelope!.data).toMatchObject({ status: 'COMPLETED', amount: '0.125' });
});

it('the books are sound after all that', async () => {
  await make({ reference: randomUUID() });
  expect((await service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
});
