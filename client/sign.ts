import { createHash, createHmac } from 'node:crypto';

export interface SigningInput {
  method: string;
  /** As sent: no scheme, no host, no query string; never decoded or normalised. */
  path: string;
  /** Unix time in seconds, as the X-Timestamp header has it. */
  timestamp: string;
  nonce: string;
  /** Exactly the bytes sent; empty for a request without a body. */
  body: string | Uint8Array;
}

export interface Signature {
  canonicalMessage: string;
  signature: string;
}

/** Signs one request: Base64(HMAC-SHA256(method \n path \n timestamp \n nonce \n sha256(body), secret)). */
export function sign(input: SigningInput, apiSecret: string): Signature {
  const canonicalMessage = canonicalMessageOf(input);
  const signature = createHmac('sha256', apiSecret).update(canonicalMessage).digest('base64');
  return { canonicalMessage, signature };
}

/** The five lines that are signed, joined by a newline, without one at the end. */
function canonicalMessageOf({ method, path, timestamp, nonce, body }: SigningInput): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return [method.toUpperCase(), path, timestamp, nonce, bodyHash].join('\n');
}
