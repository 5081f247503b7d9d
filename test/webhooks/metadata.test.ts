import { describe, expect, it } from 'vitest';
import { isAllowedAddress, refusalOfUrl } from '../../src/webhooks/target.ts';

const rules = [
  ['in production', false],
  ['on a developer’s machine', true],
] as const;

const ipv4 = [
  ['AWS, Google Cloud, Azure and most others', '169.254.169.254'],
  ['ECS tasks', '169.254.170.2'],
  ['EKS pods', '169.254.170.23'],
  ['Scaleway', '169.254.42.42'],
  ['Tencent', '169.254.0.23'],
  ['Azure’s agent', '168.63.129.16'],
  ['Alibaba', '100.100.100.200'],
  ['Oracle Classic', '192.0.0.192'],
  ['Equinix Metal', '192.80.8.124'],
] as const;

const ipv6 = [
  ['AWS', 'fd00:ec2::254'],
  ['AWS’s resolver', 'fd00:ec2::253'],
  ['EKS pods', 'fd00:ec2::23'],
  ['Google Cloud', 'fd20:ce::254'],
  ['Oracle', 'fd00:c1::a9fe:a9fe'],
  ['Linode', 'fd00:a9fe:a9fe::1'],
  ['Scaleway', 'fd00:42::42'],
  ['OpenStack', 'fe80::a9fe:a9fe'],
] as const;

describe.each(rules)('%s a cloud’s metadata service is out of reach', (_, allowsLocal) => {
  it.each(ipv4)('of %s, %s', (_cloud, address) => {
    const hosts = Object.entries(urlSpellingsOf(address));
    expect(hosts.filter(([, host]) => refusalOfUrl(`https://${host}/`, allowsLocal) !== 'ADDRESS_NOT_ALLOWED')).toEqual(
      [],
    );
    const resolved = Object.entries(addressSpellingsOf(address));
    expect(resolved.filter(([, text]) => isAllowedAddress(text, allowsLocal))).toEqual([]);
  });

  it.each(ipv6)('of %s, %s', (_cloud, address) => {
    const texts = Object.entries(ipv6SpellingsOf(address));
    expect(
      texts.filter(([, text]) => refusalOfUrl(`https://[${text}]/`, allowsLocal) !== 'ADDRESS_NOT_ALLOWED'),
    ).toEqual([]);
    expect(texts.filter(([, text]) => isAllowedAddress(text, allowsLocal))).toEqual([]);
  });
});

it('their neighbours are within reach', () => {
  const [[, strict], [, local]] = rules;
  for (const address of ['168.63.129.15', '168.63.129.17', '192.80.8.123', '2a00:1450:4001::200e']) {
    expect(isAllowedAddress(address, strict)).toBe(true);
    expect(isAllowedAddress(address, local)).toBe(true);
  }
  for (const address of ['fd00:ec3::254', 'fd20:ce::253', 'fd00::1', '10.0.0.1', '127.0.0.1', '::1']) {
    expect(isAllowedAddress(address, local)).toBe(true);
    expect(isAllowedAddress(address, strict)).toBe(false);
  }
});

function urlSpellingsOf(address: string): Record<string, string> {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const wide = address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))).replaceAll('.', '。');
  const inIpv6 = Object.entries(addressSpellingsOf(address)).filter(([, text]) => text.includes(':'));
  return {
    ...{ 'four numbers': address, 'four numbers with a trailing dot': `${address}.` },
    ...{ 'one number': String(whole), 'one hexadecimal number': hex(whole), 'one octal number': octal(whole) },
    'a hexadecimal number with a trailing dot': `${hex(whole)}.`,
    'four hexadecimal numbers': bytes.map(hex).join('.'),
    'four octal numbers': bytes.map(octal).join('.'),
    'octal numbers with many zeros': bytes.map((byte) => `0000${octal(byte)}`).join('.'),
    'two numbers': `${a}.${whole % 2 ** 24}`,
    'three numbers': `${a}.${b}.${whole % 2 ** 16}`,
    'mixed bases': `${hex(a)}.${octal(b)}.${whole % 2 ** 16}`,
    'percent-encoded': address.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    ...{ 'full-width characters': wide, 'four numbers with a port': `${address}:443` },
    ...Object.fromEntries(inIpv6.map(([name, text]) => [name, `[${text}]`])),
  };
}

function addressSpellingsOf(address: string): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  const inverted = [a * 256 + b, c * 256 + d].map((half) => (0xffff - half).toString(16)).join(':');
  return {
    itself: address,
    'IPv4-mapped': `::ffff:${address}`,
    'IPv4-mapped in hexadecimal': `::FFFF:${high}:${low}`,
    'IPv4-mapped at length': `0:0:0:0:0:ffff:${high}:${low}`,
    'IPv4-compatible': `::${address}`,
    'IPv4-compatible in hexadecimal': `::${high}:${low}`,
    'IPv4-translated': `::ffff:0:${high}:${low}`,
    NAT64: `64:ff9b::${address}`,
    'NAT64 in hexadecimal': `64:ff9b::${high}:${low}`,
    'local NAT64': `64:ff9b:1::${high}:${low}`,
    'NAT64 with a prefix of its own': `2a00:64::${high}:${low}`,
    'NAT64 with a private prefix': `fd00:64::${high}:${low}`,
    ISATAP: `2a00::5efe:${high}:${low}`,
    '6to4': `2002:${high}:${low}::`,
    '6to4 with a host': `2002:${high}:${low}::1`,
    Teredo: `2001::${inverted}`,
  };
}

function ipv6SpellingsOf(address: string): Record<string, string> {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':'));
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  const bytes = groups.slice(6).flatMap((group) => [Math.floor(parseInt(group, 16) / 256), parseInt(group, 16) % 256]);
  return {
    itself: address,
    capitals: address.toUpperCase(),
    'at length': groups.join(':'),
    'with leading zeros': groups.map((group) => group.padStart(4, '0')).join(':'),
    'with an IPv4 end': `${groups.slice(0, 6).join(':')}:${bytes.join('.')}`,
  };
}
