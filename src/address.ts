import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses that share their first bits. An IPv4 address written as IPv6 counts as IPv4. */
export interface Network {
  contains(address: string): boolean;
}

const mappedPrefixBits = 96;
const siteBits = 64;

/** @param text an address or a CIDR, v4 or v6. @returns undefined where it is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [base = '', bits, ...more] = text.split('/');
  const address = parseAddress(base);
  if (address === undefined || more.length > 0) return undefined;
  const isMapped = isIP(base) === 6 && address.kind() === 'ipv4';
  const bitsMax = address.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const prefix = bits === undefined ? bitsMax : Number(bits) - (isMapped ? mappedPrefixBits : 0);
  if (prefix < 0 || prefix > bitsMax) return undefined;
  return {
    contains: (candidate) => {
      const parsed = parseAddress(candidate);
      return parsed !== undefined && parsed.kind() === address.kind() && parsed.match(address, prefix);
    },
  };
}

/**
 * The client's address: the socket's, unless that is a trusted proxy's. Then it is the right-most entry of
 * `X-Forwarded-For` that is not a trusted proxy either, because the client may have written the entries left of it itself.
 * Some proxies append the port as well (`203.0.113.9:4711`, `[2001:db8::1]:4711`); it is left out.
 * @returns undefined if that entry is not an address.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: readonly string[],
  trustedProxies: readonly Network[],
): string | undefined {
  const isTrusted = (address: string): boolean => trustedProxies.some((network) => network.contains(address));
  const entries = forwardedFor.flatMap((line) => line.split(',')).map((entry) => withoutPort(entry.trim()));
  let current = socketAddress;
  while (current !== undefined && isTrusted(current)) {
    const next = entries.pop();
    if (next === undefined) break;
    current = next;
  }
  return current === undefined ? undefined : parseAddress(current)?.toString();
}

/** An IPv4 address, or the IPv6 network of one site, because whoever has one address there has 2^64 of them. */
export function siteOf(address: string): string {
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${siteBits}`).toString()}/${siteBits}`;
}

/** IPv6 without brackets has no port, because nothing would separate the two. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : entry;
  return plain ?? entry;
}

/**
 * Only the plain forms: ipaddr.js alone would read `0x7f.1` and `1` as addresses too. And only the IPv4-mapped form, as
 * `::ffff:1.2.3.4`, equals its IPv4 address: ipaddr.js alone would take `::1.2.3.4` for it as well.
 */
export function parseAddress(text: string): Address | undefined {
  const version = isIP(text);
  if (version === 0) return undefined;
  return ipaddr.process(version === 4 ? text : text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, asGroups));
}

/** The last 32 bits of an IPv6 address as its other bits are written. */
function asGroups(_dotted: string, ...bytes: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
