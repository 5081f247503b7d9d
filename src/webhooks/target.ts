import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseAddress, type Address } from '../address.ts';

export const urlLengthMax = 2_048;
/** Ports that receivers offer HTTPS on. */
const receiverPorts = [443, 8443];
const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
/** The only IPv6 addresses that are allocated for public use. Source: IANA, "IPv6 Global Unicast Address Assignments". */
const globalIpv6 = ipaddr.IPv6.parse('2000::');
const globalIpv6Bits = 3;
const localRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal']);
/**
 * Where clouds tell a machine its credentials. Sources: the documentation of AWS (also of ECS and EKS), Google Cloud, Azure
 * (168.63.129.16), Alibaba (100.100.100.200), Oracle (192.0.0.192), Scaleway, Tencent, Equinix Metal and Linode.
 */
const metadataIpv4: ReadonlySet<string> = new Set([
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.42.42', '169.254.0.23'],
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '192.80.8.124'],
]);
const metadataIpv6 = ['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:42::42/128', 'fd00:a9fe:a9fe::/48'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * Checks only the URL. The addresses of a name are checked with each connection.
 * @param allowsLocal for local use: plain HTTP, any port, loopback and private addresses as well.
 * @returns why it is refused, as a symbol.
 */
export function refusalOfUrl(text: string, allowsLocal: boolean): string | undefined {
  if (text.length > urlLengthMax) return 'URL_TOO_LONG';
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return 'URL_MALFORMED';
  if (url.protocol !== 'https:' && !(allowsLocal && url.protocol === 'http:')) return 'URL_NOT_HTTPS';
  if (url.username !== '' || url.password !== '') return 'URL_CREDENTIALS';
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
  if (!allowsLocal && !receiverPorts.includes(port ?? 0)) return 'PORT_NOT_ALLOWED';
  const address = hostOf(url);
  if (isIP(address) !== 0 && !isAllowedAddress(address, allowsLocal)) return 'ADDRESS_NOT_ALLOWED';
  return isLocalName(address) && !allowsLocal ? 'ADDRESS_NOT_ALLOWED' : undefined;
}

/** The host without the brackets of IPv6. (`URL` has already normalised other spellings of IPv4, such as `0x7f.1`.) */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a connection may be made to an address. Never to a link-local one, nor to the metadata service of a cloud. */
export function isAllowedAddress(text: string, allowsLocal: boolean): boolean {
  const address = parseAddress(text);
  if (address === undefined || isOfMetadata(address)) return false;
  const range = address.range();
  if (allowsLocal && localRanges.has(range)) return true;
  if (range !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(globalIpv6, globalIpv6Bits);
}

/** In an IPv6 address the last 32 bits count as well, because a network may translate any prefix to IPv4 (RFC 6052). */
function isOfMetadata(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return metadataIpv4.has(address.toString());
  const end = ipaddr.fromByteArray(address.toByteArray().slice(-4)).toString();
  return metadataIpv4.has(end) || metadataIpv6.some((range) => address.match(range));
}

function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}
