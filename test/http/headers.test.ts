import { describe, expect, it } from 'vitest';
import { clientAddress, parseNetwork } from '../../src/address.ts';
import { malformed } from '../../src/auth/signing-headers.ts';
import { forwardedFor, headerCharsMax, headerToParse, signingHeader } from '../../src/http/headers.ts';

describe('headers', () => {
  it('that sign are found in any case; one that came twice is malformed', () => {
    const raw = ['X-Nonce', 'a', 'x-api-key', 'other', 'X-NONCE', 'b, c', 'x-nonces', 'd', 'X-TIMESTAMP', ''];
    expect(signingHeader(raw, 'x-nonce')).toBe(malformed);
    expect(signingHeader(raw, 'x-api-key')).toBe('other');
    expect(signingHeader(raw, 'x-timestamp')).toBe('');
    expect(signingHeader(raw, 'x-signature')).toBeUndefined();
  });

  it.each([['x-api-key'], ['x-timestamp'], ['x-nonce'], ['x-signature']] as const)(
    'that sign are malformed where they are too long: %s',
    (name) => {
      const longest = 'a'.repeat(headerCharsMax[name]);
      expect(signingHeader([name, longest], name)).toBe(longest);
      expect(signingHeader([name, `${longest}a`], name)).toBe(malformed);
    },
  );

  it.each([['x-locale'], ['prefer'], ['content-type']] as const)('that are too long are not read: %s', (name) => {
    const longest = 'a'.repeat(headerCharsMax[name]);
    expect(headerToParse({ [name]: longest }, name)).toBe(longest);
    expect(headerToParse({ [name]: `${longest}a` }, name)).toBeUndefined();
    expect(headerToParse({}, name)).toBeUndefined();
  });
});

describe('forwardedFor', () => {
  const raw = (...lines: string[]) => lines.flatMap((line) => ['X-Forwarded-For', line]);
  const charsMax = headerCharsMax['x-forwarded-for'];

  it('is every line', () => {
    expect(forwardedFor([])).toEqual([]);
    expect(forwardedFor(raw('203.0.113.7, 10.0.0.1', '10.0.0.2'))).toEqual(['203.0.113.7, 10.0.0.1', '10.0.0.2']);
    expect(forwardedFor(raw('x'.repeat(charsMax)))).toEqual(['x'.repeat(charsMax)]);
  });

  it('keeps of what is too long the entries on the right, whole', () => {
    const padding = Array.from({ length: 1_000 }, () => '203.0.113.8').join(',');
    const kept = forwardedFor(raw(padding, '203.0.113.7, 10.0.0.1'));
    expect(kept.slice(-2)).toEqual(['203.0.113.7', ' 10.0.0.1']);
    expect(new Set(kept.slice(1, -2))).toEqual(new Set(['203.0.113.8']));
    expect(kept.join(',').length).toBeLessThan(charsMax + 10);
  });

  it('gives no address where that would stand in what was cut off', () => {
    const proxies = Array.from({ length: 200 }, () => '10.0.0.1').join(',');
    const trusted = [parseNetwork('10.0.0.0/8')!];
    const addressOf = (...lines: string[]) => clientAddress('10.0.0.9', forwardedFor(raw(...lines)), trusted);
    expect(addressOf('203.0.113.7', '10.0.0.1')).toBe('203.0.113.7');
    expect(addressOf(proxies)).toBeUndefined();
    expect(addressOf('203.0.113.7', proxies)).toBeUndefined();
    expect(addressOf(proxies, '203.0.113.7', '10.0.0.1')).toBe('203.0.113.7');
  });
});
