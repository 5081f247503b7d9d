import { describe, expect, it } from 'vitest';
import { canonicalMessage, isSignedByOneOf, sign } from '../../src/auth/signature.ts';

const parts = {
  method: 'GET',
  path: '/api/v1/wallets',
  timestamp: '1700000000',
  nonce: 'n-1',
  body: new Uint8Array(),
};
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe('canonicalMessage', () => {
  it('is five lines without a newline at the end; no body is the hash of zero bytes', () => {
    expect(canonicalMessage(parts)).toBe(`GET\n/api/v1/wallets\n1700000000\nn-1\n${emptyHash}`);
  });
});

describe('isSignedByOneOf', () => {
  const message = canonicalMessage(parts);
  // A secret whose signature has "+", "/" and padding, so that every twin below differs from it.
  const secret = Array.from({ length: 1_000 }, (_, index) => `secret-${index}`).find((text) =>
    /\+.*\/|\/.*\+/.test(sign(message, text)),
  )!;
  const right = sign(message, secret);

  it('takes the exact signature of any of the secrets', () => {
    expect(isSignedByOneOf([secret], message, right)).toBe(true);
    expect(isSignedByOneOf(['another', secret], message, right)).toBe(true);
    expect(isSignedByOneOf(['another'], message, right)).toBe(false);
    expect(isSignedByOneOf([], message, right)).toBe(false);
  });

  it.each([
    ['url-safe', right.replaceAll('+', '-').replaceAll('/', '_')],
    ['unpadded', right.replace(/=+$/, '')],
    ['hexadecimal', Buffer.from(right, 'base64').toString('hex')],
    ['with other trailing bits', right.replace(/.=$/, (end) => String.fromCharCode(end.charCodeAt(0) + 1) + '=')],
    ['with a blank', `${right} `],
    ['empty', ''],
    ['of other letters', 'ü'.repeat(44)],
  ])('refuses the signature %s', (_, twin) => {
    expect(isSignedByOneOf([secret], message, twin)).toBe(false);
  });
});
