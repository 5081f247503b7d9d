import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SigningVector } from '../../script/docs/signing-vectors.ts';
import { canonicalMessage, isSignedByOneOf, sign } from '../../src/auth/signature.ts';
import { sign as signAsTests } from '../support/signing.ts';

// The clients sign them in packages/client-conformance, openssl in the program of docs/api.md.

type PageSign = (
  parts: Pick<SigningVector, 'method' | 'path' | 'timestamp' | 'nonce'> & { body: string },
  secret: string,
) => Promise<{ message: string; signature: string }>;
const pageScript = new URL('../../src/http/docs/page/sign.js', import.meta.url).href;
const { sign: signAsPage } = (await import(pageScript)) as { sign: PageSign };
const vectors = JSON.parse(readFileSync('docs/signing-vectors.json', 'utf8')) as SigningVector[];

it('there are at least fifty vectors, each of its own, of both verdicts', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(50);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(vectors.filter(({ verdict }) => verdict === 'GA2012').length).toBeGreaterThan(20);
});

it('a signer that keeps the query string, or the case of the method, fails some', () => {
  const accepted = vectors.filter(({ verdict }) => verdict === 'ACCEPTED');
  const failedBy = (changed: (vector: SigningVector) => object) =>
    accepted.filter((vector) => {
      const parts = { ...vector, body: Buffer.from(vector.bodyBase64, 'base64'), ...changed(vector) };
      return sign(canonicalMessage(parts), vector.secret) !== vector.signature;
    });
  expect(failedBy(({ target }) => ({ path: target })).length).toBeGreaterThan(3);
  expect(failedBy(({ givenMethod }) => ({ method: givenMethod }))).toHaveLength(2);
});

describe.each(vectors)('$name', (vector) => {
  const body = Buffer.from(vector.bodyBase64, 'base64');

  it('is signed and judged so by the service, and signed so by other signers', async () => {
    const message = canonicalMessage({ ...vector, body });
    expect(message).toBe(vector.canonicalMessage);
    expect(sign(message, vector.secret)).toBe(vector.signature);
    expect(isSignedByOneOf([vector.secret], message, vector.presented)).toBe(vector.verdict === 'ACCEPTED');
    const given = { ...vector, method: vector.givenMethod, body };
    expect(signAsTests(given, vector.secret)).toBe(vector.signature);
    expect([vector.givenMethod.toUpperCase(), vector.target.split('?')[0]]).toEqual([vector.method, vector.path]);
    const text = body.toString('utf8');
    // A page's form holds text: other bytes cannot be typed into it.
    if (!Buffer.from(text).equals(body)) return;
    const signature = await signAsPage({ ...vector, body: text }, vector.secret);
    expect(signature).toEqual({ message: vector.canonicalMessage, signature: vector.signature });
  });
});
