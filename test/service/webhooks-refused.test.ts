import { expect, it } from 'vitest';
import { callsPerMinute } from '../../src/redis/webhook-limits.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const path = '/api/v1/webhooks';
const events = ['transfer.completed', 'transfer.failed', 'transfer.cancelled'];
const url = 'https://example.com/first';

const service = await serviceForTests({ workers: 0 });
const workspace = await createWorkspace(service);
const { envelope } = await workspace.client.request<{ id: string }>('POST', path, { body: { url, events } });
const id = envelope?.data.id ?? '';

const descriptionForm = '0 to 200 characters, none of them a control character';
const refusal = async (rest: string, body?: object, client = workspace.client, method = 'POST') => {
  const { status, envelope, headers } = await client.request(method, path + rest, body === undefined ? {} : { body });
  const told = ['x-error-reason', 'x-error-field', 'x-error-value'].flatMap((name) => headers[name] ?? []);
  return [status, envelope?.code, ...told];
};
const stored = async (client = workspace.client): Promise<number | undefined> =>
  (await client.request<{ items: object[] }>('GET', path)).envelope?.data.items.length;

it.each<[string, object, (string | number)[]]>([
  ['no URL', { url: 'nonsense', events }, [400, 'RQ4001', 'WEBHOOK_URL_REFUSED', 'url', 'URL_MALFORMED']],
  [
    'an address of this machine',
    { url: 'https://127.0.0.1/', events },
    [400, 'RQ4001', 'WEBHOOK_URL_REFUSED', 'url', 'ADDRESS_NOT_ALLOWED'],
  ],
  [
    'an unknown event',
    { url: 'https://example.com/', events: ['transfer.made'] },
    [400, 'RQ4001', 'VALUE_NOT_ALLOWED', 'events.0', events.join()],
  ],
  ['no event', { url: 'https://example.com/', events: [] }, [400, 'RQ4001', 'FIELD_OUT_OF_RANGE', 'events', '1']],
  [
    'an event twice',
    { url: 'https://example.com/', events: ['transfer.failed', 'transfer.failed'] },
    [400, 'RQ4001', 'FIELD_MALFORMED', 'events', 'each once'],
  ],
  [
    'a long description',
    { url: 'https://example.com/', events, description: 'a'.repeat(201) },
    [400, 'RQ4001', 'FIELD_MALFORMED', 'description', descriptionForm],
  ],
  ...[url, 'HTTPS://EXAMPLE.com/first', 'https://example.com/first#fragment'].map(
    (spelling): [string, object, (string | number)[]] => [
      `the known URL, spelled ${spelling}`,
      { url: spelling, events },
      [409, 'WH4091', 'WEBHOOK_EXISTS', 'url'],
    ],
  ),
])('a create with %s is refused, and nothing stored', async (_, body, expected) => {
  expect(await refusal('', body)).toEqual(expected);
  expect(await stored()).toBe(1);
});

it('another workspace’s webhook is not found, whatever is asked of it', async () => {
  const other = await createWorkspace(service);
  const notFound = [404, 'WH4041', 'WEBHOOK_NOT_FOUND', 'id'];
  for (const verb of ['enable', 'disable', 'rotate', 'test', 'delete']) {
    expect(await refusal(`/${id}/${verb}`, {}, other.client)).toEqual(notFound);
  }
  for (const body of [{ eventId: 'ev_0' }, { since: '2026-01-01T00:00:00Z' }]) {
    expect(await refusal(`/${id}/replay`, body, other.client)).toEqual(notFound);
  }
  for (const rest of ['', '/deliveries']) {
    expect(await refusal(`/${id}${rest}`, undefined, other.client, 'GET')).toEqual(notFound);
  }
  expect(await stored(other.client)).toBe(0);
  const { envelope } = await workspace.client.request<object>('GET', `${path}/${id}`);
  expect(envelope?.data).toMatchObject({ status: 'ENABLED', previousSecretValidUntil: null, waiting: 0 });
});

it.each<[object, (string | number)[]]>([
  [{ eventId: 'ev_0' }, [404, 'WH4042', 'WEBHOOK_EVENT_NOT_FOUND', 'eventId']],
  [{}, [400, 'RQ4001', 'FIELD_MISSING', 'since', 'eventId,since']],
  [{ since: '2026-01-01T00:00:00Z', eventId: 'ev_0' }, [400, 'RQ4001', 'FIELD_MALFORMED', 'since', 'eventId,since']],
])('a replay of %j is refused', async (body, expected) => {
  expect(await refusal(`/${id}/replay`, body)).toEqual(expected);
});

it('a replay since any time is taken, the same again is that one, and another is refused until it has ended', async () => {
  const replay = async (webhook: string, since: string) => refusal(`/${webhook}/replay`, { since });
  const [first, last] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  const body = { url: 'https://example.com/replayed', events };
  const other = await createWorkspace(service);
  const made = await other.client.request<{ id: string }>('POST', path, { body });
  expect(await refusal(`/${made.envelope?.data.id ?? ''}/replay`, { since: last }, other.client)).toEqual([
    200,
    '2000',
  ]);
  expect(await replay(id, first)).toEqual([200, '2000']);
  expect(await replay(id, first)).toEqual([200, '2000']);
  expect(await replay(id, last)).toEqual([409, 'WH4093', 'WEBHOOK_REPLAY_UNDER_WAY', 'id']);
});

it('tests of a webhook that is disabled, and those beyond ten a minute, are refused, and none is stored', async () => {
  const { client } = await createWorkspace(service);
  const made = await client.request<{ id: string }>('POST', path, { body: { url, events } });
  const one = `/${made.envelope?.data.id ?? ''}`;
  const tests = async () =>
    (await client.request<{ items: object[] }>('GET', `${path}${one}/deliveries`)).envelope?.data.items.length;
  await refusal(`${one}/disable`, undefined, client);
  expect(await refusal(`${one}/test`, undefined, client)).toEqual([409, 'WH4092', 'WEBHOOK_DISABLED', 'id']);
  expect(await tests()).toBe(0);
  await refusal(`${one}/enable`, undefined, client);
  for (let count = 0; count < callsPerMinute.test; count += 1) {
    expect(await refusal(`${one}/test`, undefined, client)).toEqual([200, '2000']);
  }
  const { status, headers, envelope } = await client.request('POST', `${path}${one}/test`);
  expect([status, headers['x-error-reason']]).toEqual([429, 'WEBHOOK_RATE_EXCEEDED']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['ratelimit']).toMatch(/^"webhook";r=0/);
  expect(await tests()).toBe(callsPerMinute.test);
  const told = await client.request<{ items: { nextAttemptAt: string }[] }>('GET', `${path}${one}/deliveries`);
  // Nothing sends them here: they are due, and told as to be sent now.
  const unsent = { state: 'PENDING', transferId: null, nextAttemptAt: expect.any(String) as string };
  expect(told.envelope?.data.items[0]).toMatchObject(unsent);
  for (const { nextAttemptAt } of told.envelope?.data.items ?? [])
    expect(Date.parse(nextAttemptAt)).toBeGreaterThanOrEqual(envelope?.timestamp ?? Infinity);
});

it('of 21 creates at once ten are taken, and of any kind twenty in a minute', async () => {
  const other = await createWorkspace(service);
  const create = (_: unknown, index: number) =>
    refusal('', { url: `https://example.com/${index}`, events }, other.client);
  const answers = await Promise.all(Array.from({ length: callsPerMinute.create + 1 }, create));
  const statuses = answers.map(([status]) => Number(status)).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(10).fill(422), 429]);
  expect(answers).toContainEqual([422, 'WH4221', 'WEBHOOK_LIMIT']);
  expect(answers).toContainEqual([429, 'RQ4291', 'WEBHOOK_RATE_EXCEEDED']);
  expect(await stored(other.client)).toBe(10);
});
