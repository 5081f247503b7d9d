import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ErrorName } from '../errors.ts';
import { malformed, type HeaderValue, type SigningHeader } from '../auth/signing-headers.ts';

/**
 * The longest value of each header that is parsed, in characters. It is checked before parsing, because anyone may send
 * 16 KiB, and the time of some parsers grows faster than their input.
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

/** Stands in `X-Forwarded-For` for an unknown client. Source: RFC 7239, part 6.2. */
const unknownClient = 'unknown';

/**
 * A header that a request is authenticated by.
 * @param rawHeaders names and values alternately, as in `IncomingMessage.rawHeaders`. Source: Node.js documentation, "http".
 * @returns undefined if it did not come; `malformed` if it came several times or is too long.
 */
export function signingHeader(rawHeaders: readonly string[], name: SigningHeader): HeaderValue {
  const [value, ...others] = headerValues(rawHeaders, name);
  return others.length > 0 || isTooLong(name, value) ? malformed : value;
}

/** @returns undefined if it did not come, or is too long to be parsed. */
export function headerToParse(
  headers: IncomingHttpHeaders,
  name: 'x-locale' | 'prefer' | 'content-type',
): string | undefined {
  // Node joins a header that comes several times, except that it keeps the first `Content-Type`.
  const value = headers[name] as string | undefined;
  return isTooLong(name, value) ? undefined : value;
}

/**
 * The lines of `X-Forwarded-For`. If they are too long, the right-most whole entries are kept, because proxies append. One
 * entry that is no address replaces the rest, so a client whose address was there is unknown.
 */
export function forwardedFor(rawHeaders: readonly string[]): readonly string[] {
  const lines = headerValues(rawHeaders, 'x-forwarded-for');
  const charsMax = headerCharsMax['x-forwarded-for'];
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  if (chars <= charsMax) return lines;
  const [, ...whole] = lines.join(',').slice(-charsMax).split(',');
  return [unknownClient, ...whole];
}

/** The elements of a list that commas separate; a comma inside a quoted string does not. Source: RFC 9110, part 5.6.1. */
export function listElements(text: string): string[] {
  return (text.match(/(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^",])+/g) ?? []).map((element) => element.trim());
}

const hostForm = /^(?:\[[\w:.%~-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** Why a request is refused by its `Host`; undefined where it is not. Sources: RFC 9112, part 3.2; RFC 3986, part 3.2.2. */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): ErrorName | undefined {
  const values = headerValues(rawHeaders, 'host');
  if (values.length > 1 || values.some((value) => !hostForm.test(value))) return 'HOST_MALFORMED';
  return values.length === 0 && httpVersion === '1.1' ? 'HOST_MISSING' : undefined;
}

function isTooLong(name: keyof typeof headerCharsMax, value: string | undefined): boolean {
  return value !== undefined && value.length > headerCharsMax[name];
}

/**
 * Every value of a header: none, one or, if it was repeated, several. Node's own way would make lists of all headers of the
 * request, and only few are needed.
 * @param name in lower case.
 */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1];
    const candidate = rawHeaders[index];
    if (value !== undefined && candidate?.length === name.length && candidate.toLowerCase() === name)
      values.push(value);
  }
  return values;
}
