import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { shown } from './compare.ts';

export interface Received {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** By `performance.now()`. */
  readonly cameAtMs: number;
  /** Unix time in milliseconds, by this machine. */
  readonly cameAt: number;
  answeredAtMs?: number;
}

export interface Judged {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** What came before. */
  readonly received: readonly Received[];
  /** Whether the case says which timestamps are refused. */
  readonly isClockPlayed: boolean;
}

const windowSeconds = 60;
const nonceForm = /^[!-~]([ -~]{0,126}[!-~])?$/;

/** What the service would refuse of a request, whatever it asks for. */
export function faultsOf(request: Received, { apiKey, apiSecret, received, isClockPlayed }: Judged): string[] {
  const { method, target, headers, body } = request;
  const [key, nonce, type] = [headers['x-api-key'], headers['x-nonce'], headers['content-type']].map(String) as [
    string,
    string,
    string,
  ];
  const isKnown = received.some((other) => other.headers['x-nonce'] === headers['x-nonce']);
  const faults = [
    ...(key === apiKey ? [] : [`X-Api-Key is ${shown(key)}`]),
    ...(nonceForm.test(nonce) ? [] : [`X-Nonce is ${shown(nonce)}`]),
    ...(isKnown ? [`X-Nonce ${nonce} was used before`] : []),
    ...(/^\d{1,12}$/.test(String(headers['x-timestamp'])) ? [] : ['X-Timestamp is no Unix time in seconds']),
    ...(isClockPlayed || isWithinWindow(request, 0) ? [] : ['X-Timestamp is more than 60 s off']),
    ...(headers['x-signature'] === signatureOf(request, apiSecret) ? [] : ['X-Signature is not of what came']),
    ...(body.length === 0 || /^application\/json\b/.test(type) ? [] : [`Content-Type of the body is ${type}`]),
  ];
  return faults.map((fault) => `${method} ${target}: ${fault}.`);
}

/** @param clockOffMs of the server. */
export function isWithinWindow({ headers, cameAt }: Received, clockOffMs: number): boolean {
  return Math.abs(Number(headers['x-timestamp']) - (cameAt + clockOffMs) / 1000) <= windowSeconds;
}

function signatureOf({ method, path, headers, body }: Received, apiSecret: string): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const message = [method, path, headers['x-timestamp'], headers['x-nonce'], bodyHash].join('\n');
  return createHmac('sha256', apiSecret).update(message).digest('base64');
}
