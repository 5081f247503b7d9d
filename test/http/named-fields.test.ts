import { describe, expect, it } from 'vitest';
import { catalogue, errorNames } from '../../src/errors.ts';
import { formsOf, operations } from '../support/described-api.ts';
import { commandBodies, scheduledOrder, walletBodies } from '../support/command-bodies.ts';
import { serviceForTests } from '../support/service.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** Of each operation what a test knows: the names of its parameters by where they are. */
const tried = operations.map(([template, method, operation]) => {
  const parameters = (where: string) =>
    operation.parameters.filter((each) => each.in === where).map(({ name }) => name);
  return [
    operation.operationId,
    { method: method.toUpperCase(), template, parameters, body: formsOf(operation)[0] },
  ] as const;
});
type Tried = (typeof tried)[number][1];

/** Longer than any form allows, and of none. */
const malformed = '!'.repeat(3_000);
/** Of the form of the ids of nothing that is there. */
const unknownId = 'zz_00000000000000000000000000';

const service = await serviceForTests({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
/** A test workspace, which has every endpoint. */
const workspace = await createWorkspace(service, allScopes, '--test');
const [sourceWalletId, targetWalletId] = [await workspace.wallet('10'), await workspace.wallet()];
const transfer = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
const bizId = await scheduledOrder(workspace);
const webhook = { url: 'http://127.0.0.1:9/', events: ['transfer.completed'], description: '' };
const made = await workspace.client.request<{ id: string }>('POST', '/api/v1/webhooks', { body: webhook });
/** What the parts of paths name. */
const known = { walletId: sourceWalletId, webhookId: made.envelope!.data.id, bizId };
/** A right body for each operation that takes one, by the end of its path. */
const bodies: Record<string, Record<string, unknown>> = {
  ...(walletBodies as typeof bodies),
  ...((await commandBodies(workspace)) as typeof bodies),
  cancel: { transferId: bizId },
  preview: transfer,
  batch: { transfers: [transfer], atomic: false },
  webhooks: webhook,
  replay: { since: '2026-01-01T00:00:00Z' },
  clock: { to: '2026-01-01T00:00:00Z' },
};
// Each answer is held against the description: stopping fails where one names a field that its operation does not have.

function pathOf(template: string, unknown = false): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (unknown) return unknownId;
    if (name === 'bizId') return known.bizId;
    return template.startsWith('/api/v1/webhooks') ? known.webhookId : known.walletId;
  });
}

const sentBy = ({ template }: Tried): Record<string, unknown> => bodies[template.split('/').at(-1) ?? ''] ?? {};

/** The parameters that a query has to have. */
const rangeOf = ({ template }: Tried): string =>
  template.endsWith('/statement') ? 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z' : '';

type Options = Parameters<TestWorkspace['client']['request']>[2];

async function refusal(method: string, path: string, options: Options) {
  const { status, headers } = await workspace.client.request(method, path, options);
  return [status, headers['x-error-reason'], headers['x-error-field']];
}

describe.each(tried)('%s names what is at fault as its description does', (_, tried) => {
  const { method, template, parameters, body } = tried;
  const send = (query: string, sent: unknown = sentBy(tried)) =>
    refusal(method, pathOf(template), { query, ...(body === undefined ? {} : { body: sent as object }) });

  it('a part of its path that names nothing', async () => {
    for (const name of parameters('path')) {
      const options = { query: rangeOf(tried), ...(body === undefined ? {} : { body: sentBy(tried) }) };
      const [status, reason, field] = await refusal(method, pathOf(template, true), options);
      expect([status, field], String(reason)).toEqual([404, name]);
    }
  });

  it('a query parameter that is malformed, or comes twice', async () => {
    for (const name of parameters('query')) {
      const [status, , field] = await send(`${name}=${malformed}`);
      // A statement needs two others, which come first.
      const isMissing = template.endsWith('/statement') && !['from', 'cursor'].includes(name);
      expect([status, field]).toEqual([400, isMissing ? 'from' : name]);
      expect(await send(`${name}=1&${name}=1`)).toEqual([400, 'FIELD_REPEATED', name]);
    }
  });

  it('a field of its body that is missing, of another type, malformed or unknown', async () => {
    if (body === undefined) return;
    const right = sentBy(tried);
    expect(await send('', { ...right, colour: 'red' })).toEqual([400, 'FIELD_UNKNOWN', 'colour']);
    for (const name of body.required ?? []) {
      const { [name]: _absent, ...rest } = right;
      expect(await send('', rest)).toEqual([400, 'FIELD_MISSING', name]);
    }
    for (const [name, { type, const: only }] of Object.entries(body.properties ?? {})) {
      const other = type === 'string' ? 1 : 'x';
      const reason = only === undefined ? 'FIELD_TYPE_WRONG' : 'VALUE_NOT_ALLOWED';
      expect(await send('', { ...right, [name]: other })).toEqual([400, reason, name]);
      if (type !== 'string') continue;
      const [status, , field] = await send('', { ...right, [name]: malformed });
      expect([status, field]).toEqual([400, name]);
    }
  });

  it('a field of its body that names nothing', async () => {
    const ids = Object.keys(body?.properties ?? {}).filter((name) => name.endsWith('Id') && name !== 'bizId');
    for (const name of ids) {
      const [status, reason, field] = await send('', { ...withoutOthers(sentBy(tried), name), [name]: unknownId });
      expect([status, field], String(reason)).toEqual([404, name]);
    }
  });

  it('parameters that it does not take, and those that it takes', async () => {
    const taken = parameters('query');
    const sent = body === undefined ? {} : { body: sentBy(tried) };
    const [name = 'none'] = taken;
    const query = `${rangeOf(tried)}&zoo=1&${name}1=2&zoo=3&${encodeURIComponent('a, ö')}=4&=5`;
    const { status, envelope } = await workspace.client.request(method, pathOf(template), { query, ...sent });
    expect([status, envelope?.code]).toEqual([400, 'RQ4001']);
    expect(envelope?.error).toEqual({
      ...{ reason: 'FIELD_UNKNOWN', field: 'zoo', value: taken.length === 0 ? null : taken.join(',') },
      fields: ['zoo', `${name}1`, 'a, ö', ''].map((field) => ({ field, reason: 'FIELD_UNKNOWN' })),
    });
  });

  it('an Idempotency-Key that is not the bizId of its body, if it changes something', async () => {
    const sent = body === undefined ? {} : { body: sentBy(tried) };
    const headers = { 'Idempotency-Key': 'once' };
    const [status, reason, field] = await refusal(method, pathOf(template), {
      ...sent,
      query: rangeOf(tried),
      headers,
    });
    if (method === 'GET') expect(status).toBe(200);
    else expect([status, reason, field]).toEqual([400, 'IDEMPOTENCY_KEY_UNSUPPORTED', 'Idempotency-Key']);
  });

  it('a body that is no JSON before its query', async () => {
    if (body !== undefined) expect(await send('zoo=1', '{')).toEqual([400, 'BODY_NOT_JSON', undefined]);
  });
});

/** A replay takes one of its two fields. */
function withoutOthers(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return name === 'eventId' ? {} : body;
}

describe('the rule', () => {
  it('has every refusal of something that a request names say its name', () => {
    const nameless = errorNames.filter((name) => {
      const { metBy, status, ...more } = catalogue[name];
      return metBy === 'endpoint' && [400, 404, 409, 422].includes(status) && !('field' in more);
    });
    // That a workspace has enough of something is nothing that its request names.
    expect(nameless).toEqual(['WEBHOOK_LIMIT']);
  });

  it('has a place in a body told by all that leads to it', async () => {
    const create = (sent: string) => refusal('POST', '/api/v1/transfer/command/create', { body: sent });
    expect(await create('{"metadata":{"a":"1","a":"2"}}')).toEqual([400, 'KEY_REPEATED', 'metadata.a']);
    const right = bodies['create'] ?? {};
    expect(await create(JSON.stringify({ ...right, metadata: { a: 1 } }))).toEqual([
      ...[400, 'FIELD_TYPE_WRONG', 'metadata.a'],
    ]);
    const { legs: [leg] = [] } = bodies['journal'] as { legs?: Record<string, string>[] };
    const journal = (second: object) =>
      refusal('POST', '/api/v1/transfer/command/journal', { body: { legs: [leg, second] } });
    expect(await journal({ ...leg, amount: '0' })).toEqual([400, 'AMOUNT_ZERO', 'legs[1].amount']);
    expect(await journal({ amount: '1', currency: 'USD' })).toEqual([400, 'FIELD_MISSING', 'legs[1]']);
    expect(await journal({ ...leg, sourceWalletId: unknownId })).toEqual([
      ...[404, 'WALLET_NOT_FOUND', 'legs[1].sourceWalletId'],
    ]);
    expect(await journal({ ...leg, targetWalletId: leg?.['sourceWalletId'] })).toEqual([
      ...[422, 'SAME_WALLET', 'legs[1].targetWalletId'],
    ]);
    const batch = { body: '{"transfers":[{},{"a":1,"a":2}]}' };
    expect(await refusal('POST', '/api/v1/transfer/command/batch', batch)).toEqual([
      ...[400, 'KEY_REPEATED', 'transfers[1].a'],
    ]);
  });
});

describe('all that is wrong is told at once, and first what is told first', () => {
  const faultsOf = async (method: string, path: string, options: Options) => {
    const { status, headers } = await workspace.client.request(method, path, options);
    expect(status).toBe(400);
    return [headers['x-error-reason'], headers['x-error-field'], headers['x-error-fields']];
  };
  const create = (sent: object) => faultsOf('POST', '/api/v1/transfer/command/create', { body: sent });

  it('of a body', async () => {
    const right = bodies['create'] ?? {};
    expect(await create({ ...right, amount: '0', currency: 'XXY' })).toEqual([
      ...['CURRENCY_UNKNOWN', 'currency', 'currency CURRENCY_UNKNOWN, amount AMOUNT_ZERO'],
    ]);
    expect(await create({ amount: '1,5', currency: 'XXY', colour: 1, 'a, b': 2 })).toEqual([
      ...['FIELD_MISSING', 'sourceWalletId'],
      [
        ...['sourceWalletId FIELD_MISSING', 'targetWalletId FIELD_MISSING', 'colour FIELD_UNKNOWN'],
        ...['a%2C%20b FIELD_UNKNOWN', 'currency CURRENCY_UNKNOWN', 'amount AMOUNT_MALFORMED'],
      ].join(', '),
    ]);
    expect(await create({ ...right, amount: '0' })).toEqual(['AMOUNT_ZERO', 'amount', undefined]);
  });

  it('of a query', async () => {
    const orders = (query: string) => faultsOf('GET', '/api/v1/transfer/query/orders', { query });
    expect(await orders('size=0&status=DONE&currency=XXY')).toEqual([
      ...['FIELD_OUT_OF_RANGE', 'size'],
      'size FIELD_OUT_OF_RANGE, status VALUE_NOT_ALLOWED, currency CURRENCY_UNKNOWN',
    ]);
    expect(await orders('from=1&from=2&page=1&page=2&size=x')).toEqual([
      ...['FIELD_REPEATED', 'page', 'page FIELD_REPEATED, from FIELD_REPEATED'],
    ]);
  });

  it('and is bounded', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `${String(at).padStart(4, '0')}${'ö'.repeat(40)}`);
    const [, , faults] = await create(Object.fromEntries(names.slice(0, 60).map((name) => [name, 1])));
    const shown = String(faults).split(', ');
    expect(shown).toHaveLength(8);
    const query = names.slice(0, 64).map((name) => `${encodeURIComponent(name.slice(0, 12))}=1`);
    const [, , unknown] = await faultsOf('GET', '/api/v1/wallets', { query: query.join('&') });
    const [tooMany] = await faultsOf('GET', '/api/v1/wallets', { query: [...query, 'page=0'].join('&') });
    expect(tooMany).toBe('TOO_MANY_VALUES');
    const refused = String(unknown).split(', ');
    expect(refused).toHaveLength(8);
    for (const name of [...shown, ...refused].map((each) => each.split(' ')[0] ?? '')) {
      expect(name.length).toBeLessThanOrEqual(64);
      expect(decodeURIComponent(name)).toMatch(/^(sourceW|targetW|amount|currency|\d{4}ö+$)/);
    }
  });
});
