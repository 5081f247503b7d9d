import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What a webhook may be sent to. */
export interface TargetRules {
  readonly ports: readonly number[];
  /** For local use: plain HTTP, any port, loopback and private addresses as well. */
  readonly allowsLocal: boolean;
}

/** Why a URL or an address is refused, as a symbol. */
export type TargetRefusal =
  'URL_MALFORMED' | 'URL_TOO_LONG' | 'URL_NOT_HTTPS' | 'URL_CREDENTIALS' | 'PORT_NOT_ALLOWED' | 'ADDRESS_NOT_ALLOWED';

export const urlLengthMax = 2_048;
const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
/** The only IPv6 addresses that are allocated for public use. Source: IANA, "IPv6 Global Unicast Address Assignments". */
const globalIpv6 = ipaddr.IPv6.parse('2000::');
const globalIpv6Bits = 3;
const localRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal']);

/** Checks only the URL. The addresses of a name are checked with each connection. @returns why it is refused. */
export function refusalOfUrl(text: string, rules: TargetRules): TargetRefusal | undefined {
  if (text.length > urlLengthMax) return 'URL_TOO_LONG';
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return 'URL_MALFORMED';
  if (url.protocol !== 'https:' && !(rules.allowsLocal && url.protocol === 'http:')) return 'URL_NOT_HTTPS';
  if (url.username !== '' || url.password !== '') return 'URL_CREDENTIALS';
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
  if (!rules.allowsLocal && !rules.ports.includes(port ?? 0)) return 'PORT_NOT_ALLOWED';
  const address = hostOf(url);
  if (isIP(address) !== 0 && !isAllowedAddress(address, rules)) return 'ADDRESS_NOT_ALLOWED';
  return isLocalName(address) && !rules.allowsLocal ? 'ADDRESS_NOT_ALLOWED' : undefined;
}

/** The host without the brackets of IPv6. (`URL` has already normalised other spellings of IPv4, such as `0x7f.1`.) */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a connection may be made to an address. Never to a link-local one, where clouds keep credentials. */
export function isAllowedAddress(text: string, { allowsLocal }: TargetRules): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  if (allowsLocal && localRanges.has(range)) return true;
  if (range !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(globalIpv6, globalIpv6Bits);
}

function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}
