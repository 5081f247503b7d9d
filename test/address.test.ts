import { describe, expect, it } from 'vitest';
import { clientAddress, parseNetwork, siteOf } from '../src/address.ts';

const networks = (...entries: string[]) => entries.map((entry) => parseNetwork(entry)!);

describe('parseNetwork', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['10.0.0.0/8', 'nonsense', false],
    ['10.0.0.1', '::10.0.0.1', false],
    ['10.0.0.1', '::a00:1', false],
    ['::10.0.0.1', '10.0.0.1', false],
    ['::10.0.0.1', '::a00:1', true],
    ['::ffff:a00:1', '10.0.0.1', true],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1', true],
    ['fe80::/64', 'fe80::1%eth0', true],
  ])('%s contains %s: %s', (network, address, contains) => {
    expect(parseNetwork(network)?.contains(address)).toBe(contains);
  });

  it.each([
    '',
    'x',
    '10.0.0',
    '1',
    '0x7f.1',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    '::ffff:1.2.3.4/95',
  ])('refuses %j', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});

describe('clientAddress', () => {
  const trusted = networks('10.0.0.0/8', '127.0.0.1');

  it('is the socket’s address where that is no trusted proxy, whatever the header claims', () => {
    expect(clientAddress('203.0.113.9', ['192.0.2.1'], trusted)).toBe('203.0.113.9');
    expect(clientAddress('203.0.113.9', ['192.0.2.1'], [])).toBe('203.0.113.9');
  });

  it('is the right-most untrusted entry behind trusted proxies', () => {
    expect(clientAddress('127.0.0.1', ['192.0.2.66, 203.0.113.9, 10.1.1.1'], trusted)).toBe('203.0.113.9');
    expect(clientAddress('127.0.0.1', ['192.0.2.66', '203.0.113.9'], trusted)).toBe('203.0.113.9');
  });

  it('takes IPv4 written inside IPv6 for IPv4', () => {
    expect(clientAddress('::ffff:203.0.113.9', [], [])).toBe('203.0.113.9');
    expect(clientAddress('::ffff:127.0.0.1', ['203.0.113.9'], trusted)).toBe('203.0.113.9');
  });

  it.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
  ])('is understood where a proxy appends %s', (entry, address) => {
    expect(clientAddress('127.0.0.1', [`192.0.2.66, ${entry}`], trusted)).toBe(address);
    expect(clientAddress('127.0.0.1', [`192.0.2.66, ${entry}, 10.0.0.2:80`], trusted)).toBe(address);
  });

  it.each(['203.0.113.9:', '203.0.113.9:123456', '203.0.113.9:x', '[203.0.113.9]:1', '[2001:db8::1]x', '[]', '[]:1'])(
    'is unknown where a proxy appends %s',
    (entry) => {
      expect(clientAddress('127.0.0.1', [entry], trusted)).toBeUndefined();
    },
  );

  it('is unknown where the deciding entry is not an address', () => {
    expect(clientAddress('127.0.0.1', ['203.0.113.9, unknown'], trusted)).toBeUndefined();
    expect(clientAddress(undefined, [], trusted)).toBeUndefined();
  });

  it('is the proxy’s own where nothing was forwarded', () => {
    expect(clientAddress('127.0.0.1', [], trusted)).toBe('127.0.0.1');
  });
});

describe('siteOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ])('of %s is %s', (address, site) => {
    expect(siteOf(address)).toBe(site);
  });
});
