import { hasIdForm } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import { bodyHash, type SignedParts } from './signature.ts';

export type SigningHeader = 'x-api-key' | 'x-timestamp' | 'x-nonce' | 'x-signature';

/** Stands for a header without one usable value: it came several times, or is longer than its limit. */
export const malformed = Symbol('malformed header');

/** Undefined where the header did not come. */
export type HeaderValue = string | typeof malformed | undefined;

const timestampToleranceSeconds = 60;
const timestampForm = /^[1-9][0-9]{0,11}$/;
const nonceForm = /^[\x20-\x7e]{1,128}$/;
const signatureForm = /^[A-Za-z0-9+/]{43}=$/;
/** How much of a path is shown to a client, to compare with what it signed. */
const shownPathCharsMax = 512;

/** An empty header counts as missing. Source: docs/contract.md, "The eight steps". */
export function isMissing(value: HeaderValue): value is '' | undefined {
  return value === undefined || value === '';
}

/** What a log may show of `X-Api-Key`: null unless it has the form of a key, because it may be a secret in the wrong place. */
export function shownKeyId(value: HeaderValue): string | null {
  return typeof value === 'string' && hasIdForm('apiKey', value) ? value : null;
}

/** @throws ServiceError TIMESTAMP_MISSING, TIMESTAMP_MALFORMED, TIMESTAMP_OFF. */
export function readTimestamp(value: HeaderValue, now: Date): string {
  if (isMissing(value)) throw new ServiceError('TIMESTAMP_MISSING');
  if (value === malformed || !timestampForm.test(value)) throw new ServiceError('TIMESTAMP_MALFORMED');
  const nowSeconds = Math.floor(now.getTime() / 1000);
  if (Math.abs(nowSeconds - Number(value)) <= timestampToleranceSeconds) return value;
  throw new ServiceError('TIMESTAMP_OFF', { value: String(nowSeconds) });
}

/** @throws ServiceError NONCE_MISSING, NONCE_MALFORMED. */
export function readNonce(value: HeaderValue): string {
  if (isMissing(value)) throw new ServiceError('NONCE_MISSING');
  if (value === malformed || !nonceForm.test(value)) throw new ServiceError('NONCE_MALFORMED');
  return value;
}

/** The error for a wrong signature. It shows what was received, and nothing that its sender did not send. */
export function wrongSignature(
  value: HeaderValue,
  { method, path, body }: Pick<SignedParts, 'method' | 'path' | 'body'>,
): ServiceError {
  if (isMissing(value)) return new ServiceError('SIGNATURE_MISSING');
  if (value === malformed || !signatureForm.test(value)) return new ServiceError('SIGNATURE_MALFORMED');
  const received = [method, path.slice(0, shownPathCharsMax), bodyHash(body)].join(' ');
  return new ServiceError('SIGNATURE_MISMATCH', { value: received });
}
