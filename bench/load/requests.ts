import { createHash, createHmac, randomUUID } from 'node:crypto';

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface RequestParts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: string;
  /** JSON; absent for a request without a body. */
  readonly body?: string;
  /** The header of that name. */
  readonly prefer?: string;
}

/**
 * A signed request, byte for byte as it is sent. Made before the load starts, so that the generator takes as little as
 * possible of the cores it shares with the servers.
 * @param sentAt when it will be sent: its timestamp must then be valid.
 */
export function signedRequest(parts: RequestParts, credentials: Credentials, host: string, sentAt: Date): Buffer {
  const { method, path, query = '', body = '', prefer } = parts;
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const nonce = randomUUID();
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const signature = createHmac('sha256', credentials.apiSecret)
    .update([method, path, timestamp, nonce, bodyHash].join('\n'))
    .digest('base64');
  const lines = [
    `${method} ${path}${query} HTTP/1.1`,
    `Host: ${host}`,
    `X-Api-Key: ${credentials.apiKey}`,
    `X-Timestamp: ${timestamp}`,
    `X-Nonce: ${nonce}`,
    `X-Signature: ${signature}`,
    ...(prefer === undefined ? [] : [`Prefer: ${prefer}`]),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
