import { createHash, createHmac, randomUUID } from 'node:crypto';

// The tests' own signer. The server's would agree with its mistakes, and the client package's is asynchronous, which the
// fuzzer's judgement of each answer is not.

export interface SigningInput {
  method: string;
  /** As sent, without the query string. */
  path: string;
  /** Unix time in seconds, as the X-Timestamp header has it. */
  timestamp: string;
  nonce: string;
  /** Exactly the bytes sent; empty for a request without a body. */
  body: string | Uint8Array;
}

/** The value of X-Signature. Source: API contract, part 5.2. */
export function sign({ method, path, timestamp, nonce, body }: SigningInput, apiSecret: string): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const message = [method.toUpperCase(), path, timestamp, nonce, bodyHash].join('\n');
  return createHmac('sha256', apiSecret).update(message).digest('base64');
}

/** The four headers of a signed request: as of now and with a fresh nonce, unless `parts` says otherwise. */
export function signingHeaders(
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  parts: Pick<SigningInput, 'method' | 'path'> & Partial<SigningInput>,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = { timestamp, nonce: randomUUID(), body: '', ...parts };
  return {
    'X-Api-Key': apiKey,
    'X-Timestamp': signed.timestamp,
    'X-Nonce': signed.nonce,
    'X-Signature': sign(signed, apiSecret),
  };
}
