import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, createClient, UsageError, type Client } from '../src/index.ts';
import { refuse, startServer, succeed, type TestServer } from './server.ts';

const webhook = { url: 'https://example.com/hook', events: ['transfer.completed' as const] };
const path = '/api/v1/webhooks';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  client = createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret: 'secret' });
});
beforeEach(() => {
  // No pause is longer than it has to be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => server.close());

const sent = (): unknown[][] =>
  server.received.map(({ method, url, body }) => [method, url, body === '' ? '' : (JSON.parse(body) as unknown)]);

const repeated: [string, () => Promise<unknown>, string, string, unknown][] = [
  ['create', () => client.webhook.create(webhook), 'POST', '', webhook],
  ['get', () => client.webhook.get('wh_1'), 'GET', '/wh_1', ''],
  ['enable', () => client.webhook.enable('wh_1'), 'POST', '/wh_1/enable', ''],
  ['disable', () => client.webhook.disable('wh_1'), 'POST', '/wh_1/disable', ''],
  ['delete', () => client.webhook.delete('wh_1'), 'POST', '/wh_1/delete', ''],
  ['replay', () => client.webhook.replay('wh_1', { eventId: 'ev_1' }), 'POST', '/wh_1/replay', { eventId: 'ev_1' }],
];
const once: typeof repeated = [
  ['rotate', () => client.webhook.rotate('wh_1'), 'POST', '/wh_1/rotate', ''],
  ['test', () => client.webhook.test('wh_1'), 'POST', '/wh_1/test', ''],
];

describe('client.webhook', () => {
  it.each(repeated)('%s is sent again after a broken connection', async (name, call, method, rest, body) => {
    server.answer((res, index) => {
      if (index === 0) res.destroy();
      else succeed(res, { id: 'wh_1' });
    });
    expect(await call()).toEqual(name === 'delete' ? undefined : { id: 'wh_1' });
    expect(sent()).toEqual([
      [method, path + rest, body],
      [method, path + rest, body],
    ]);
  });

  it.each(once)('%s is not sent again where it may have been done', async (_, call, method, rest, body) => {
    server.answer((res) => {
      refuse(res, [503, 'SY5031'], { 'Retry-After': '0' });
    });
    await expect(call()).rejects.toThrow(ApiError);
    expect(sent()).toEqual([[method, path + rest, body]]);
  });

  it('a create whose first answer was lost says that the webhook is there', async () => {
    server.answer((res, index) => {
      if (index === 0) res.destroy();
      else refuse(res, [409, 'WH4091'], { 'X-Error-Reason': 'WEBHOOK_EXISTS' });
    });
    await expect(client.webhook.create(webhook)).rejects.toMatchObject({ reason: 'WEBHOOK_EXISTS' });
    expect(server.received).toHaveLength(2);
  });

  it('lists webhooks as an array, and deliveries page by page', async () => {
    server.answer((res) => {
      succeed(res, { items: [{ id: 'wh_1' }, { id: 'wh_2' }] });
    });
    expect(await client.webhook.list()).toEqual([{ id: 'wh_1' }, { id: 'wh_2' }]);

    server.answer((res, index) => {
      succeed(res, { items: [{ eventId: `ev_${index}` }], nextCursor: index === 0 ? 'ev_0' : null });
    });
    const deliveries = await Array.fromAsync(client.webhook.deliveries('wh_1', { size: 1 }));
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(['ev_0', 'ev_1']);
    const urls = server.received.map(({ url }) => url);
    expect(urls).toEqual(['?size=1', '?cursor=ev_0&size=1'].map((query) => `${path}/wh_1/deliveries${query}`));
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['no webhook', () => client.webhook.create(undefined as never), /A webhook must be an object/],
    ['no url', () => client.webhook.create({ events: [] } as never), /url is required/],
    ['one event', () => client.webhook.create({ ...webhook, events: 'all' } as never), /events must be a list/],
    ['another field', () => client.webhook.create({ ...webhook, secret: 'x' } as never), /A webhook has no "secret"/],
    ['no id', () => client.webhook.get(undefined as never), /must be 1 to 64 letters/],
    ['a replay of something else', () => client.webhook.replay('wh_1', { from: 'x' } as never), /has no "from"/],
    ['an unknown option', () => client.webhook.test('wh_1', { timeout: 1 } as never), /has no "timeout"/],
  ])('refuses %s, and sends nothing', async (_, call, message) => {
    server.answer(() => undefined);
    const called = call();
    await expect(called).rejects.toThrow(UsageError);
    await expect(called).rejects.toThrow(message);
    expect(server.received).toEqual([]);
  });
});

it('client.key reads the key, again after a refusal that passes', async () => {
  server.answer((res, index) => {
    if (index === 0) refuse(res, [503, 'SY5031'], { 'Retry-After': '0' });
    else succeed(res, { apiKey: 'ak_1', scopes: ['webhook:manage'] });
  });
  expect(await client.key()).toEqual({ apiKey: 'ak_1', scopes: ['webhook:manage'] });
  expect(sent()).toEqual(Array.from({ length: 2 }, () => ['GET', '/api/v1/key', '']));
});
