import { expect, it } from 'vitest';
import { webhookTypes } from '../../src/domain/webhook.ts';
import { callsPerMinute } from '../../src/redis/webhook-limits.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const path = '/api/v1/webhooks';
const events = [...webhookTypes];
const url = 'https://example.com/first';

const service = await serviceForTests({ workers: 0 });
const workspace = await createWorkspace(service);
const { envelope } = await workspace.client.request<{ id: string }>('POST', path, { body: { url, events } });
const id = envelope?.data.id ?? '';

const refusal = async (rest: string, body?: object, client = workspace.client, method = 'POST') => {
  const { status, envelope, headers } = await client.request(method, path + rest, body === undefined ? {} : { body });
  const told = ['x-error-reason', 'x-error-field', 'x-error-value'].flatMap((name) => headers[name] ?? []);
  return [status, envelope?.code, ...told];
};
const stored = async (client = workspace.client): Promise<number | undefined> =>
  (await client.request<{ items: object[] }>('GET', path)).envelope?.data.items.length;

it.each<[string, object, unknown[]]>([
  ['no URL', { url: 'nonsense' }, ['WEBHOOK_URL_REFUSED', 'url', 'URL_MALFORMED']],
  ['an address of this machine', { url: 'https://127.0.0.1/' }, ['WEBHOOK_URL_REFUSED', 'url', 'ADDRESS_NOT_ALLOWED']],
  ['an unknown event', { events: ['transfer.made'] }, ['VALUE_NOT_ALLOWED', 'events[0]', events.join()]],
  ['an event twice', { events: ['transfer.failed', 'transfer.failed'] }, ['FIELD_MALFORMED', 'events', 'each once']],
])('a create with %s is refused, and nothing stored', async (_, change, expected) => {
  expect(await refusal('', { url: 'https://example.com/', events, ...change })).toEqual([400, 'RQ4001', ...expected]);
  expect(await stored()).toBe(1);
});

it.each([url, 'HTTPS://EXAMPLE.com/first#fragment'])(
  'a create with the known URL, spelled %s, is refused',
  async (spelling) => {
    expect(await refusal('', { url: spelling, events })).toEqual([409, 'WH4091', 'WEBHOOK_EXISTS', 'url']);
    expect(await stored()).toBe(1);
  },
);

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
  const replay = (since: string) => refusal(`/${id}/replay`, { since });
  const [first, last] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  expect(await replay(first)).toEqual([200, '2000']);
  expect(await replay(first)).toEqual([200, '2000']);
  expect(await replay(last)).toEqual([409, 'WH4093', 'WEBHOOK_REPLAY_UNDER_WAY', 'id']);
});

it('a test of a webhook that is disabled is refused and not stored; one of another is due at once', async () => {
  const tests = async () =>
    (await workspace.client.request<{ items: object[] }>('GET', `${path}/${id}/deliveries`)).envelope?.data.items;
  await refusal(`/${id}/disable`);
  expect(await refusal(`/${id}/test`)).toEqual([409, 'WH4092', 'WEBHOOK_DISABLED', 'id']);
  expect(await tests()).toEqual([]);
  await refusal(`/${id}/enable`);
  expect(await refusal(`/${id}/test`)).toEqual([200, '2000']);
  // Nothing sends it here.
  const nextAttemptAt = expect.any(String) as string;
  expect(await tests()).toMatchObject([{ state: 'PENDING', transferId: null, nextAttemptAt }]);
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
