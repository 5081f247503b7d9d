import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyWebhook } from '../src/index.ts';

it('verifyWebhook takes text and bytes, a Headers and an object', async () => {
  const secret = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;
  const event = { type: 'transfer.completed', timestamp: '2026-01-01T00:00:00.000Z', data: { transferId: 'tr_1' } };
  const body = JSON.stringify(event);
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'a secret of the tests').update(`msg_1.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  const bytes = new TextEncoder().encode(body);
  expect(await verifyWebhook({ body, headers, secret })).toEqual({ ...event, id: 'msg_1' });
  expect(await verifyWebhook({ body: bytes, headers: new Headers(headers), secret })).toEqual({
    ...event,
    id: 'msg_1',
  });
});
