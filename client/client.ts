import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { sign } from './sign.ts';

const TIMEOUT_MS = 15_000;
const SOCKETS_MAX = 256;
/** An idle connection is let go before the server closes it, or a request could meet that close. A server that says earlier is heeded. */
const IDLE_SOCKET_MS = 30_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export interface ClientOptions {
  /** Such as http://127.0.0.1:3000; a path in it is not used. */
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** For one request, from its start to the end of its answer. */
  timeoutMs?: number;
  /** Connections kept open; further requests wait for one. */
  socketsMax?: number;
}

export interface RequestOptions {
  query?: Record<string, string | number | undefined>;
  /** An object is sent as JSON; text and bytes are sent, and signed, as they are. */
  body?: object | string | Uint8Array;
  /** Added to the signed ones, or in their place. */
  headers?: OutgoingHttpHeaders;
}

export interface Envelope<Data = unknown> {
  version: string;
  timestamp: number;
  success: boolean;
  code: string;
  message: string;
  data: Data;
}

export interface Answer<Data = unknown> {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined where the body is not JSON. */
  envelope: Envelope<Data> | undefined;
  text: string;
  /** What was sent and signed, for showing. */
  sent: { method: string; target: string; headers: OutgoingHttpHeaders; body: string; canonicalMessage: string };
}

export interface Client {
  /** Sends one signed request with a fresh nonce. Rejects on a broken connection or time-out, never on a status. */
  request<Data = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Data>>;
  close(): void;
}

/** A client that signs every request; connections are kept alive until close(). */
export function createClient({ baseUrl, apiKey, apiSecret, ...limits }: ClientOptions): Client {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS, maxSockets: limits.socketsMax ?? SOCKETS_MAX });
  const timeoutMs = limits.timeoutMs ?? TIMEOUT_MS;

  return {
    async request<Data>(method: string, path: string, options: RequestOptions = {}) {
      const body = bytesOf(options.body);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const nonce = randomUUID();
      const { canonicalMessage, signature } = sign({ method, path, timestamp, nonce, body }, apiSecret);
      const headers: OutgoingHttpHeaders = {
        'X-Api-Key': apiKey,
        'X-Timestamp': timestamp,
        'X-Nonce': nonce,
        'X-Signature': signature,
        ...(body.length > 0 ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {}),
        ...options.headers,
      };
      const target = path + queryOf(options.query);
      const {
        status,
        headers: answered,
        text,
      } = await exchange(
        { agent, host: hostname.replace(/^\[|\]$/g, ''), port, method, path: target, headers },
        body,
        timeoutMs,
      );
      const sent = { method, target, headers, body: body.toString('utf8'), canonicalMessage };
      return { status, headers: answered, text, envelope: parse<Data>(text), sent };
    },
    close() {
      agent.destroy();
    },
  };
}

function exchange(
  options: { agent: Agent; host: string; port: string; method: string; path: string; headers: OutgoingHttpHeaders },
  body: Buffer,
  timeoutMs: number,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const req = httpRequest({ ...options, signal: AbortSignal.timeout(timeoutMs) }, (res) => {
      const chunks: Buffer[] = [];
      let size = 0;
      res.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > ANSWER_BYTES_MAX) res.destroy(new Error(`The answer is larger than ${ANSWER_BYTES_MAX} bytes.`));
        else chunks.push(chunk);
      });
      res.once('error', reject);
      res.once('end', () => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    req.once('error', reject);
    req.end(body);
  });
}

function bytesOf(body: RequestOptions['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body), 'utf8');
}

function queryOf(query: RequestOptions['query']): string {
  const given = Object.entries(query ?? {}).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function parse<Data>(text: string): Envelope<Data> | undefined {
  try {
    return JSON.parse(text) as Envelope<Data>;
  } catch {
    return undefined;
  }
}
