import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { sign, type SigningInput } from '../../client/sign.ts';

const SECRET = 'c2VjcmV0LXdpdGgtc3ltYm9scy1+KyYlJCM=';
const EMPTY_BODY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The same by another implementation: openssl does the hashing and the HMAC. */
function signWithOpenssl({ method, path, timestamp, nonce, body }: SigningInput, secret: string): string {
  const openssl = (args: string[], input: string | Uint8Array) => execFileSync('openssl', args, { input });
  const bodyHash = openssl(['dgst', '-sha256', '-binary'], body).toString('hex');
  const message = `${method}\n${path}\n${timestamp}\n${nonce}\n${bodyHash}`;
  return openssl(['dgst', '-sha256', '-hmac', secret, '-binary'], message).toString('base64');
}

const requests: Record<string, SigningInput> = {
  'a GET without a body': {
    method: 'GET',
    path: '/api/v1/wallets',
    timestamp: '1767225600',
    nonce: '5f0c2d7e-58f1-4b8f-9a53-3c9f0c1d2e3f',
    body: '',
  },
  'a POST with JSON': {
    method: 'POST',
    path: '/api/v1/transfer/command/create',
    timestamp: '1767225600',
    nonce: 'n-1',
    body: '{"sourceWalletId":"a","targetWalletId":"b","amount":"1.00","currency":"USD"}',
  },
  'a body beyond ASCII, spaced as it is': {
    method: 'POST',
    path: '/api/v1/transfer/command/create',
    timestamp: '1767225600',
    nonce: 'n-2',
    body: '{ "note" : "größer – 金额" }\n',
  },
  'bytes that are no text': {
    method: 'PUT',
    path: '/api/v1/%2e%2E//x',
    timestamp: '1',
    nonce: '~',
    body: Uint8Array.of(0, 255, 10),
  },
};

describe('sign', () => {
  it.each(Object.entries(requests))('agrees with openssl: %s', (_, input) => {
    expect(sign(input, SECRET).signature).toBe(signWithOpenssl(input, SECRET));
  });

  it('joins the five components by newlines, without one at the end', () => {
    expect(sign(requests['a GET without a body']!, SECRET).canonicalMessage).toBe(
      `GET\n/api/v1/wallets\n1767225600\n5f0c2d7e-58f1-4b8f-9a53-3c9f0c1d2e3f\n${EMPTY_BODY_HASH}`,
    );
  });

  it('puts the method in upper case and leaves the path as it is', () => {
    const { canonicalMessage } = sign({ method: 'get', path: '/A/%2f/', timestamp: '1', nonce: 'n', body: '' }, SECRET);
    expect(canonicalMessage.split('\n').slice(0, 2)).toEqual(['GET', '/A/%2f/']);
  });

  it.each(['method', 'path', 'timestamp', 'nonce', 'body'] as const)(
    'gives another signature for another %s',
    (part) => {
      const input = requests['a POST with JSON']!;
      expect(sign({ ...input, [part]: 'other' }, SECRET).signature).not.toBe(sign(input, SECRET).signature);
    },
  );
});
