import { describe, expect, it } from 'vitest';
import { createClient, UsageError, verifyWebhook, type ClientOptions } from '../src/index.ts';

const options: ClientOptions = {
  baseUrl: 'http://127.0.0.1:1',
  apiKey: 'ak_1',
  apiSecret: 'secret',
  fetch: () => expect.unreachable('nothing may be sent'),
};
const transfer = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1', currency: 'USD' };

describe('createClient', () => {
  it.each([
    ['nothing', undefined, /must be an object with baseUrl, apiKey/],
    [
      'no secret',
      { ...options, apiSecret: undefined },
      'apiSecret is required: a text that is not empty, not undefined.',
    ],
    ['an empty secret', { ...options, apiSecret: '' }, /apiSecret is required/],
    ['a key with a newline', { ...options, apiKey: 'ak\n1' }, /apiKey must be printable ASCII/],
    ['an unknown option', { ...options, timeout: 1 }, /has no "timeout"; there are baseUrl/],
    ['no address', { ...options, baseUrl: 'here' }, /baseUrl must be an address/],
    ['another scheme', { ...options, baseUrl: 'ftp://here' }, /baseUrl must be an address/],
    ['a path behind the address', { ...options, baseUrl: 'http://here/api' }, /must end after the host and port/],
    ['credentials in the address', { ...options, baseUrl: 'http://a:b@here' }, /must not hold a user or password/],
    ['a time-out of nothing', { ...options, timeoutMs: 0 }, /timeoutMs must be a whole number from 1/],
    ['half a try', { ...options, attemptsMax: 1.5 }, /attemptsMax must be a whole number/],
    ['a fetch that is none', { ...options, fetch: 'fetch' }, /fetch must be a function/],
  ])('refuses %s at once, with a sentence', (_, given, message) => {
    const create = (): unknown => createClient(given as never);
    expect(create).toThrow(UsageError);
    expect(create).toThrow(message);
  });
});

describe('a call', () => {
  const client = createClient(options);
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;

  it.each([
    ['an amount that is a number', { ...transfer, amount: 1 }, /amount must be a decimal text/],
    ['a missing currency', { ...transfer, currency: undefined }, /currency is required/],
    ['a field that a transfer has not', { ...transfer, note: 'x' }, /A transfer has no "note"/],
    ['no transfer', undefined, /A transfer must be an object/],
  ])('refuses %s', async (_, given, message) => {
    const creation = client.transfer.create(given as never);
    await expect(creation).rejects.toThrow(UsageError);
    await expect(creation).rejects.toThrow(message);
  });

  it.each([
    ['deposit', { targetWalletId: 'wa_1', amount: '1' }, /currency is required/],
    ['withdraw', { sourceWalletId: 'wa_1', amount: 1, currency: 'USD' }, /amount must be a decimal text/],
    ['reverse', 'tr_1', /What reverse takes must be an object with transferId/],
    ['hold', { ...transfer, final: true }, /What hold takes has no "final"/],
    ['capture', { transferId: 'tr_1', amount: 1 }, /amount must be a decimal text/],
    ['release', { amount: '1' }, /transferId is required/],
  ] as const)('refuses %s of %j', async (command, given, message) => {
    await expect(client.transfer[command](given as never)).rejects.toThrow(UsageError);
    await expect(client.transfer[command](given as never)).rejects.toThrow(message);
  });

  it.each([
    ['a body that is no object', 'text', /A body must be an object/],
    ['a body that leads to itself', loop, /cannot be written as JSON/],
    ['a body of a big integer', { amount: 1n }, /cannot be written as JSON/],
    ['a body of no number', { amount: Number.NaN }, /"amount" cannot be written as JSON/],
    ['a body of a function', { amount: () => 1 }, /"amount" cannot be written as JSON/],
  ])('refuses %s', async (_, body, message) => {
    const sent = client.request('POST', '/api/v1/x', { body: body as never });
    await expect(sent).rejects.toThrow(UsageError);
    await expect(sent).rejects.toThrow(message);
  });

  it.each([
    ['an id that would be another path', () => client.wallet.get('../keys'), /must be 1 to 64 letters/],
    ['an id of dots', () => client.wallet.get('..'), /must be 1 to 64 letters/],
    ['no id', () => client.wallet.get(undefined as never), /must be 1 to 64 letters/],
    ['another host', () => client.request('GET', '//elsewhere/api'), /is no path/],
    ['a query in the path', () => client.request('GET', '/api?x=1'), /is no path/],
    ['an unknown option', () => client.wallet.get('wa_1', { timeout: 1 } as never), /has no "timeout"/],
    ['a signal that is none', () => client.wallet.get('wa_1', { signal: 1 as never }), /must be an AbortSignal/],
    [
      'an unknown filter',
      () =>
        client.wallet
          .list({ colour: 'red' } as never)
          [Symbol.asyncIterator]()
          .next(),
      /no "colour"/,
    ],
    ['a webhook without a secret', () => verifyWebhook({ body: '', headers: {}, secret: '' }), /secret must be whsec_/],
    [
      'a webhook that was parsed',
      () => verifyWebhook({ body: {} as never, headers: {}, secret: 'whsec_YQ==' }),
      /as they came/,
    ],
  ])('refuses %s', async (_, call, message) => {
    const called = call();
    await expect(called).rejects.toThrow(UsageError);
    await expect(called).rejects.toThrow(message);
  });
});
