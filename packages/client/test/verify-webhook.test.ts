import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyWebhook, WebhookError } from '../src/index.ts';

const secret = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;
const event = { type: 'transfer.completed', timestamp: '2026-01-01T00:00:00.000Z', data: { transferId: 'tr_1' } };

interface Delivery {
  body: string;
  headers: Record<string, string>;
}

function deliver(body = JSON.stringify(event), at = Math.floor(Date.now() / 1000), by = secret): Delivery {
  const key = Buffer.from(by.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
  return { body, headers };
}

describe('verifyWebhook', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());

  it('agrees with the example of the specification', async () => {
    vi.setSystemTime(1_614_265_330_000);
    const given = {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      body: '{"test": 2432232314}',
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
    };
    // Its body is no event of this service: that is found only behind the signature.
    await expect(verifyWebhook(given)).rejects.toMatchObject({ reason: 'BODY_NOT_AN_EVENT' });
  });

  it('gives the event with its id, of text and of bytes, of a Headers and of an object', async () => {
    const { body, headers } = deliver();
    expect(await verifyWebhook({ body, headers, secret })).toEqual({ ...event, id: 'msg_1' });
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook({ body: bytes, headers: new Headers(headers), secret })).toMatchObject({ id: 'msg_1' });
  });

  it('takes either secret, and either signature, while a secret is rotated', async () => {
    const old = `whsec_${Buffer.from('the secret before').toString('base64')}`;
    const { body, headers } = deliver();
    expect(await verifyWebhook({ body, headers, secret: [old, secret] })).toMatchObject({ id: 'msg_1' });
    const both = `v1a,x ${deliver(body, undefined, old).headers['webhook-signature']!} ${headers['webhook-signature']!}`;
    expect(await verifyWebhook({ body, headers: { ...headers, 'webhook-signature': both }, secret })).toBeDefined();
  });

  it.each<[string, (delivery: Delivery) => Delivery, string]>([
    ['another body', ({ headers, body }) => ({ headers, body: `${body} ` }), 'SIGNATURE_INVALID'],
    ['another id', (it) => withHeader(it, 'webhook-id', 'msg_2'), 'SIGNATURE_INVALID'],
    ['a signature of another kind', (it) => withHeader(it, 'webhook-signature', 'v2,abcd'), 'SIGNATURE_INVALID'],
    ['a signature that is no base64', (it) => withHeader(it, 'webhook-signature', 'v1,%%%'), 'SIGNATURE_INVALID'],
    ['no signature', (it) => withHeader(it, 'webhook-signature', ''), 'HEADER_MISSING'],
    ['no time', (it) => withHeader(it, 'webhook-timestamp', 'now'), 'TIMESTAMP_OFF'],
    ['an old time', ({ body }) => deliver(body, Math.floor(Date.now() / 1000) - 301), 'TIMESTAMP_OFF'],
    ['a time to come', ({ body }) => deliver(body, Math.floor(Date.now() / 1000) + 302), 'TIMESTAMP_OFF'],
    ['another secret', ({ body }) => deliver(body, undefined, 'whsec_AAAA'), 'SIGNATURE_INVALID'],
    ['a body that is no JSON', () => deliver('text'), 'BODY_NOT_AN_EVENT'],
    ['a body that is null', () => deliver('null'), 'BODY_NOT_AN_EVENT'],
  ])('refuses %s', async (_, change, reason) => {
    const error: unknown = await verifyWebhook({ ...change(deliver()), secret }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookError);
    expect(error).toMatchObject({ reason });
  });
});

function withHeader({ body, headers }: Delivery, name: string, value: string): Delivery {
  return { body, headers: { ...headers, [name]: value } };
}
