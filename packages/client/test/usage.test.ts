import { describe, expect, it } from 'vitest';
import { createClient, UsageError, type ClientOptions } from '../src/index.ts';

const options: ClientOptions = {
  baseUrl: 'http://127.0.0.1:1',
  apiKey: 'ak_1',
  apiSecret: 'secret',
  fetch: () => expect.unreachable('nothing may be sent'),
};

describe('createClient', () => {
  it.each([
    ['nothing', undefined, /must be an object with baseUrl, apiKey/],
    [
      'no secret',
      { ...options, apiSecret: undefined },
      'apiSecret is required: a text that is not empty, not undefined.',
    ],
    ['an unknown option', { ...options, timeout: 1 }, /has no "timeout"; there are baseUrl/],
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
    ['a body that is no object', 'text', /A body must be an object/],
    ['a body that leads to itself', loop, /cannot be written as JSON/],
    ['a body of a big integer', { amount: 1n }, /cannot be written as JSON/],
    ['a body of no number', { amount: Number.NaN }, /"amount" cannot be written as JSON/],
    ['a body of an invalid Date', { at: new Date(Number.NaN) }, /"at" is no time/],
    ['a body of a function', { amount: () => 1 }, /"amount" cannot be written as JSON/],
  ])('refuses %s', async (_, body, message) => {
    const sent = client.requestUntyped('POST', '/api/v1/x', { body: body as never });
    await expect(sent).rejects.toThrow(UsageError);
    await expect(sent).rejects.toThrow(message);
  });

  it.each([
    ['no id', () => client.wallet.get(undefined as never), /must be 1 to 64 letters/],
    ['an unknown option', () => client.wallet.get('wa_1', { timeout: 1 } as never), /has no "timeout"/],
    ['a signal that is none', () => client.wallet.get('wa_1', { signal: 1 as never }), /must be an AbortSignal/],
    ['no transfer', () => client.transfer.create(undefined as never), /A transfer must be an object/],
    ['no webhook', () => client.webhook.create(undefined as never), /A webhook must be an object/],
    ['no wallet', () => client.wallet.create(undefined as never), /A wallet must be an object/],
    ['no limit', () => client.wallet.limit('wa_1', undefined as never), /creditLimit is required/],
    ['no range', () => client.wallet.statement('wa_1', undefined as never), /must be an object/],
  ])('refuses %s', async (_, call, message) => {
    const called = call();
    await expect(called).rejects.toThrow(UsageError);
    await expect(called).rejects.toThrow(message);
  });
});
