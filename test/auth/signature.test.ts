import { expect, it } from 'vitest';
import { canonicalMessage, isSignedByOneOf, sign } from '../../src/auth/signature.ts';

const parts = {
  method: 'GET',
  path: '/api/v1/wallets',
  timestamp: '1700000000',
  nonce: 'n-1',
  body: new Uint8Array(),
};
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it('the canonical message is five lines without a newline at the end; no body is the hash of zero bytes', () => {
  expect(canonicalMessage(parts)).toBe(`GET\n/api/v1/wallets\n1700000000\nn-1\n${emptyHash}`);
});

// What is none of the right signature's twins, docs/signing-vectors.json has.
it('the exact signature of any of the secrets is taken, and what is no Base64 at all is refused', () => {
  const message = canonicalMessage(parts);
  const right = sign(message, 'secret');
  expect(isSignedByOneOf(['secret'], message, right)).toBe(true);
  expect(isSignedByOneOf(['another', 'secret'], message, right)).toBe(true);
  expect(isSignedByOneOf(['another'], message, right)).toBe(false);
  expect(isSignedByOneOf([], message, right)).toBe(false);
  for (const other of ['', 'ü'.repeat(44)]) expect(isSignedByOneOf(['secret'], message, other)).toBe(false);
});
