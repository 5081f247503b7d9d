import type { ServiceError } from '../errors.ts';

/** The longest of these headers, in characters. There must be a limit, because some hold what the client sent. */
const charsMax = 1_024;

/** The headers of a failure, beside its envelope. Source: docs/contract.md, "Codes". */
export function failureHeaders(error: ServiceError): Record<string, string> {
  const { errorName, field, value, retryAfterSeconds, rateLimit } = error;
  return {
    'X-Error-Reason': errorName,
    ...(field === undefined ? {} : { 'X-Error-Field': headerText(field) }),
    ...(value === undefined ? {} : { 'X-Error-Value': headerText(value) }),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(rateLimit === undefined ? {} : { RateLimit: rateLimit }),
  };
}

/** A client may call a field anything, but a header holds printable ASCII. The rest is percent-encoded, as in a URL. */
function headerText(text: string): string {
  return text
    .slice(0, charsMax)
    .toWellFormed()
    .replaceAll(/[^\x20-\x7e]+/gu, encodeURIComponent)
    .slice(0, charsMax);
}
