import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** What a signature covers. Source: docs/contract.md, "Signature". */
export interface SignedParts {
  /** In upper case. */
  readonly method: string;
  /** The raw request target up to `?`, as it was received. */
  readonly path: string;
  /** The text of `X-Timestamp`. */
  readonly timestamp: string;
  /** The text of `X-Nonce`. */
  readonly nonce: string;
  /** The bytes of the body as received; empty where there is none. */
  readonly body: Uint8Array;
}

/** The five lines that are signed, without a newline at the end. */
export function canonicalMessage({ method, path, timestamp, nonce, body }: SignedParts): string {
  return [method, path, timestamp, nonce, bodyHash(body)].join('\n');
}

/** The lower-case hexadecimal SHA-256. */
export function bodyHash(body: Uint8Array): string {
  return hash('sha256', body, 'hex');
}

/** @returns standard base64, padded. @param secret its UTF-8 bytes are the HMAC key. */
export function sign(message: string, secret: string): string {
  return createHmac('sha256', secret).update(message).digest('base64');
}

/** Whether `signature` is exactly that of one of the secrets. The time taken does not show how close a wrong one came. */
export function isSignedByOneOf(secrets: readonly string[], message: string, signature: string): boolean {
  const received = Buffer.from(signature);
  let matches = 0;
  for (const secret of secrets) {
    const expected = Buffer.from(sign(message, secret));
    if (received.length === expected.length && timingSafeEqual(received, expected)) matches += 1;
  }
  return matches > 0;
}
