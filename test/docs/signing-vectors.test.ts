import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sign as signAsClient } from 'signed-wallet-client';
import { describe, expect, it } from 'vitest';
import type { SigningVector } from '../../script/docs/signing-vectors.ts';
import { canonicalMessage, isSignedByOneOf, sign } from '../../src/auth/signature.ts';

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
  const careless = vectors
    .filter(({ verdict }) => verdict === 'ACCEPTED')
    .map((vector) => {
      const body = Buffer.from(vector.bodyBase64, 'base64');
      const { secret, signature, givenMethod, target } = vector;
      const signed = (changed: object) => sign(canonicalMessage({ ...vector, body, ...changed }), secret) === signature;
      return { isTargetTaken: signed({ path: target }), isCaseKept: signed({ method: givenMethod }) };
    });
  expect(careless.filter(({ isTargetTaken }) => !isTargetTaken).length).toBeGreaterThan(3);
  expect(careless.filter(({ isCaseKept }) => !isCaseKept)).toHaveLength(2);
});

describe.each(vectors)('$name', (vector) => {
  const body = Buffer.from(vector.bodyBase64, 'base64');

  it('is signed and judged so by the service, and signed so by the client', async () => {
    const message = canonicalMessage({ ...vector, body });
    expect(message).toBe(vector.canonicalMessage);
    expect(sign(message, vector.secret)).toBe(vector.signature);
    expect(isSignedByOneOf([vector.secret], message, vector.presented)).toBe(vector.verdict === 'ACCEPTED');
    const given = { ...vector, method: vector.givenMethod, path: vector.target, body };
    expect((await signAsClient(given, vector.secret)).signature).toBe(vector.signature);
    expect([vector.givenMethod.toUpperCase(), vector.target.split('?')[0]]).toEqual([vector.method, vector.path]);
  });

  it('is signed so by openssl', () => {
    const bodyHash = openssl(['dgst', '-sha256', '-r'], body).toString().slice(0, 64);
    const { method, path, timestamp, nonce } = vector;
    const message = `${method}\n${path}\n${timestamp}\n${nonce}\n${bodyHash}`;
    const key = Buffer.from(vector.secret, 'utf8').toString('hex');
    const mac = openssl(
      ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'],
      Buffer.from(message),
    );
    expect([message, mac.toString('base64')]).toEqual([vector.canonicalMessage, vector.signature]);
  });
});

describe('the page in the browser signs so', () => {
  it.each(vectors.filter(({ bodyBase64 }) => isText(Buffer.from(bodyBase64, 'base64'))))('$name', async (vector) => {
    const body = Buffer.from(vector.bodyBase64, 'base64').toString('utf8');
    const signed = await signAsPage({ ...vector, body }, vector.secret);
    expect(signed).toEqual({ message: vector.canonicalMessage, signature: vector.signature });
  });
});

/** A page's form holds text: other bytes cannot be typed into it. */
function isText(body: Buffer): boolean {
  return Buffer.from(body.toString('utf8'), 'utf8').equals(body);
}

function openssl(args: string[], input: Uint8Array): Buffer {
  return execFileSync('openssl', args, { input });
}
