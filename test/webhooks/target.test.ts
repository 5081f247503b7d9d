import { describe, expect, it } from 'vitest';
import { isAllowedAddress, refusalOfUrl } from '../../src/webhooks/target.ts';

/** Whether local receivers are allowed. */
const [strict, local] = [false, true];

describe('a URL', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/a?b=c#d',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/',
  ])('%s is taken', (url) => {
    expect(refusalOfUrl(url, strict)).toBeUndefined();
  });

  it.each([
    ['', 'URL_MALFORMED'],
    ['example.com', 'URL_MALFORMED'],
    ['https://', 'URL_MALFORMED'],
    ['https://a b.example', 'URL_MALFORMED'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'URL_TOO_LONG'],
    ['http://example.com', 'URL_NOT_HTTPS'],
    ['ftp://example.com', 'URL_NOT_HTTPS'],
    ['https://user@example.com', 'URL_CREDENTIALS'],
    ['https://:password@example.com', 'URL_CREDENTIALS'],
    ['https://example.com:22', 'PORT_NOT_ALLOWED'],
    ['https://example.com:80', 'PORT_NOT_ALLOWED'],
    ['https://localhost', 'ADDRESS_NOT_ALLOWED'],
    ['https://LOCALHOST.', 'ADDRESS_NOT_ALLOWED'],
    ['https://a.localhost', 'ADDRESS_NOT_ALLOWED'],
    // Spellings of 127.0.0.1.
    ...['127.0.0.1', '127.1', '0x7f.1', '0x7f000001', '2130706433', '0177.0.0.1', '①②⑦.0.0.1'].map(refusedHost),
    ...['0.0.0.0', '0', '10.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1'].map(refusedHost),
    ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'].map(
      refusedHost,
    ),
    ...['255.255.255.255', '[::]', '[::1]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]'].map(refusedHost),
    // IPv4 within IPv6: mapped, compatible, translated, 6to4, Teredo.
    ...['[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'].map(
      refusedHost,
    ),
    ...['[2001::1]', '[2001:db8::1]', '[100::1]'].map(refusedHost),
  ])('%j is refused: %s', (url, refusal) => {
    expect(refusalOfUrl(url, strict)).toBe(refusal);
  });

  it('may be local where that is allowed, but for link-local addresses', () => {
    for (const host of ['localhost:3000', '127.0.0.1:1', '[::1]:1', '10.0.0.1', '[fd00::1]']) {
      expect(refusalOfUrl(`http://${host}/`, local)).toBeUndefined();
    }
    for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '0.0.0.0', '[::]']) {
      expect(refusalOfUrl(`http://${host}/`, local)).toBe('ADDRESS_NOT_ALLOWED');
    }
  });
});

it('an address that is none is not allowed', () => {
  for (const text of ['', 'example.com', '127.0.0.1.example', '1.2.3']) {
    expect(isAllowedAddress(text, local)).toBe(false);
  }
});

function refusedHost(host: string): [string, string] {
  return [`https://${host}/`, 'ADDRESS_NOT_ALLOWED'];
}
