import type { ServerResponse } from 'node:http';
import { catalogue, type ErrorName, type FieldFault, type ServiceError } from '../errors.ts';
import { localise } from './localise.ts';

/** The version of the response format. */
const formatVersion = '1.0';
/** The code of every success. */
export const successCode = '2000';
/** The longest text of a failure, in characters. There must be a limit, because some hold what the client sent. */
const failureTextCharsMax = 1_024;
/**
 * How many faults `fields` lists, and how many characters of each name. Few, because a proxy may answer 502 if all headers
 * together are over 4 KiB. Source: nginx documentation, `proxy_buffer_size`.
 */
export const namesMax = 8;
const nameCharsMax = 64;

/** The body of every answer under `/api/`. Source: docs/contract.md, "Envelope". */
export interface Envelope {
  readonly version: string;
  /** Server time, in milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
  /** Of a failure alone. */
  readonly error?: ErrorDetails;
}

/** Why a request failed: what the headers of {@link failureHeaders} say, not encoded. */
export interface ErrorDetails {
  readonly reason: ErrorName;
  readonly field: string | null;
  readonly value: string | null;
  /** Where several fields are wrong, each with its reason, the first one first; otherwise empty. */
  readonly fields: readonly FieldFault[];
}

export function successEnvelope(data: unknown, now: Date): Envelope {
  return {
    version: formatVersion,
    timestamp: now.getTime(),
    success: true,
    code: successCode,
    message: 'SUCCESS',
    data,
  };
}

/** @param locale the request's `X-LOCALE`; undefined where there is none. */
export function errorEnvelope(error: ServiceError, locale: string | undefined, now: Date): Envelope {
  return {
    version: formatVersion,
    timestamp: now.getTime(),
    success: false,
    ...failureOf(error, locale),
    data: null,
    error: detailsOf(error),
  };
}

/** The code of a failure, and its message as its client wants it. */
export function failureOf({ errorName, field, value }: ServiceError, locale: string | undefined) {
  const values = { field: field && plainText(field), value: value && plainText(value) };
  return { code: catalogue[errorName].code, message: localise(errorName, locale, values) };
}

/** Why, as a body says it. */
export function detailsOf({ errorName, field, value, faults }: ServiceError): ErrorDetails {
  return {
    reason: errorName,
    field: field === undefined ? null : plainText(field),
    value: value === undefined ? null : plainText(value),
    fields: severalOf(faults).map((fault) => ({ field: plainText(fault.field, nameCharsMax), reason: fault.reason })),
  };
}

/**
 * The headers of a failure, beside its envelope. Source: docs/contract.md, "Codes".
 * @param retryAfterSeconds where more is known of the wait than the error says.
 */
export function failureHeaders(
  error: ServiceError,
  retryAfterSeconds = error.retryAfterSeconds,
): Record<string, string> {
  const { errorName, field, value, rateLimit } = error;
  const faults = severalOf(error.faults);
  return {
    'X-Error-Reason': errorName,
    ...(field === undefined ? {} : { 'X-Error-Field': headerText(field) }),
    ...(value === undefined ? {} : { 'X-Error-Value': headerText(value) }),
    ...(faults.length === 0 ? {} : { 'X-Error-Fields': faultsText(faults) }),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(rateLimit === undefined ? {} : { RateLimit: rateLimit }),
  };
}

/** The faults to list; none if there is only one, which `field` tells by itself. */
function severalOf(faults: readonly FieldFault[]): readonly FieldFault[] {
  return faults.length < 2 ? [] : faults.slice(0, namesMax);
}

/** Each field and its reason, such as `amount AMOUNT_ZERO, currency CURRENCY_UNKNOWN`, in the order of the checks. */
function faultsText(faults: readonly FieldFault[]): string {
  return faults.map(({ field, reason }) => `${nameText(field)} ${reason}`.trimStart()).join(', ');
}

function plainText(text: string, charsMax = failureTextCharsMax): string {
  return encoded(text, charsMax, (character) => character);
}

/** A name in a list: percent-encoded, so that it has neither space nor comma, and cut where it is long. */
function nameText(name: string): string {
  return encoded(name, nameCharsMax, encodeURIComponent);
}

/** @returns what of the text fits, no character in part. */
function encoded(text: string, charsMax: number, encode: (character: string) => string): string {
  let result = '';
  // One code unit more than fits, so that a surrogate pair at the limit stays whole.
  for (const character of text.slice(0, charsMax + 1).toWellFormed()) {
    const longer = result + encode(character);
    if (longer.length > charsMax) break;
    result = longer;
  }
  return result;
}

/**
 * A client may call a field anything, but a header holds printable ASCII. The rest is percent-encoded, as in a URL, and `%` too,
 * so that who decodes it once has what was received. A space at either end would be taken off on the way.
 */
function headerText(text: string): string {
  const plain = encoded(text, failureTextCharsMax, (character) =>
    /[\x20-\x24\x26-\x7e]/.test(character) ? character : encodeURIComponent(character),
  );
  return plain.replaceAll(/^ | $/g, '%20');
}

/**
 * Ends an answer with an envelope; headers set before stay. Not by Express's methods, which would also look up settings,
 * compute an entity tag, check whether the client's copy is fresh, and parse the type.
 */
export function sendEnvelope(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  envelope: Envelope,
): void {
  const body = JSON.stringify(envelope);
  const length = Buffer.byteLength(body);
  const ownHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) };
  // For pure ASCII both are the same bytes, but latin1 spares Node the encoding, and a buffer of three times the length.
  const encoding = length === body.length ? 'latin1' : 'utf8';
  // All headers at once, because each one that is set by itself would be stored twice and looked up again.
  res.writeHead(status, { ...headers, ...ownHeaders }).end(body, encoding);
}
