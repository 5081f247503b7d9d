import type { IncomingHttpHeaders } from 'node:http';
import { malformed, type HeaderValue, type SigningHeader } from '../auth/signing-headers.ts';

/**
 * The longest value that is read of each header that is parsed, in characters. Anyone may send 16 KiB, and some parsers
 * take a time that grows faster than what they are given; so the length is looked at first.
 */
export const headerCharsMax = {
  /** A key has 29. */
  'x-api-key': 64,
  'x-timestamp': 12,
  'x-nonce': 128,
  /** A signature has 44. */
  'x-signature': 64,
  /** Of all lines together: some twenty IPv6 addresses with their ports. */
  'x-forwarded-for': 1_024,
  /** What the standard of language tags asks of a buffer. Source: RFC 5646, part 4.4.1. */
  'x-locale': 35,
  prefer: 256,
  'content-type': 256,
} as const;

/** Stands in `X-Forwarded-For` for whoever is not known. Source: RFC 7239, part 6.2. */
const unknownClient = 'unknown';

/**
 * A header that a request is authenticated by.
 * @param rawHeaders names and values by turns, as `IncomingMessage.rawHeaders` has them. Source: Node.js documentation, "http".
 * @returns undefined where it did not come; `malformed` where it came several times, or is too long.
 */
export function signingHeader(rawHeaders: readonly string[], name: SigningHeader): HeaderValue {
  let value: string | undefined;
  // Without a list of values: every request is asked for four of these.
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (!isNamed(rawHeaders[index], name)) continue;
    if (value !== undefined) return malformed;
    value = rawHeaders[index + 1];
  }
  return isTooLong(name, value) ? malformed : value;
}

/** @returns undefined where it did not come, or is too long to be parsed. */
export function parsedHeader(
  headers: IncomingHttpHeaders,
  name: 'x-locale' | 'prefer' | 'content-type',
): string | undefined {
  // Node joins what comes several times; of `Content-Type` it keeps the first.
  const value = headers[name] as string | undefined;
  return isTooLong(name, value) ? undefined : value;
}

/**
 * The lines of `X-Forwarded-For`. Proxies append, so of what is too long the right-most whole entries are kept; what was
 * left of them is one entry that is no address. A client whose address would have to be read from there is not known.
 */
export function forwardedFor(rawHeaders: readonly string[]): readonly string[] {
  const lines = headerValues(rawHeaders, 'x-forwarded-for');
  const charsMax = headerCharsMax['x-forwarded-for'];
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  if (chars <= charsMax) return lines;
  const [, ...whole] = lines.join(',').slice(-charsMax).split(',');
  return [unknownClient, ...whole];
}

function isTooLong(name: keyof typeof headerCharsMax, value: string | undefined): boolean {
  return value !== undefined && value.length > headerCharsMax[name];
}

/**
 * Every value that came under a header's name: none, one, or, where a header was repeated, several. Node would make all
 * headers of a request into lists for that, and few are asked for.
 * @param name in lower case.
 */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1];
    if (value !== undefined && isNamed(rawHeaders[index], name)) values.push(value);
  }
  return values;
}

function isNamed(candidate: string | undefined, name: string): boolean {
  return candidate?.length === name.length && candidate.toLowerCase() === name;
}
