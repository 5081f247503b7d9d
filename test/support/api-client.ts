import { once } from 'node:events';
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { signingHeaders } from './signing.ts';

// A plain client beside the published one, which repeats what failed, throws what was refused and sends only what the API
// describes: tests look at each single answer, of requests that are wrong as well (a GET with a body, headers replaced).

const timeoutMs = 15_000;
const socketsMaxByDefault = 256;
/** An idle connection is let go before the server closes it, or a request could meet that close. A server that says earlier is heeded. */
const idleSocketMs = 30_000;

export interface ClientOptions {
  /** Such as http://127.0.0.1:3000. */
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Connections kept open; further requests wait for one. */
  socketsMax?: number;
}

export interface RequestOptions {
  query?: Record<string, string | number> | string;
  /** An object is sent as JSON; text is sent, and signed, as it is. */
  body?: object | string;
  /** Added to the signed ones, or in their place. */
  headers?: OutgoingHttpHeaders;
}

export interface Answer<Data = unknown> {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined where the body is not JSON. */
  envelope: Envelope<Data> | undefined;
  text: string;
}

/** Status, code, reason, field and value of a refusal. */
export function refusalOf({ status, envelope, headers }: Answer): unknown[] {
  const told = ['reason', 'field', 'value'].map((name) => headers[`x-error-${name}`]);
  return [status, envelope?.code, ...told];
}

export interface Envelope<Data = unknown> {
  version: string;
  timestamp: number;
  success: boolean;
  code: string;
  message: string;
  data: Data;
  /** Of a failure alone. */
  error?: unknown;
}

export interface Client {
  /** Sends one signed request with a fresh nonce. Rejects on a broken connection or time-out, never on a status. */
  request<Data = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Data>>;
  close(): void;
}

/** A client that signs every request; connections are kept alive until close(). */
export function createClient({ baseUrl, socketsMax = socketsMaxByDefault, ...key }: ClientOptions): Client {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, timeout: idleSocketMs, maxSockets: socketsMax });
  return {
    async request<Data>(method: string, path: string, { query = {}, body = '', ...options }: RequestOptions = {}) {
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      const pairs = new URLSearchParams(query as Record<string, string> | string).toString();
      const headers = {
        ...signingHeaders(key, { method, path, body: sent }),
        ...(sent !== '' && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
        ...options.headers,
      };
      const signal = AbortSignal.timeout(timeoutMs);
      const target = pairs === '' ? path : `${path}?${pairs}`;
      const request = httpRequest({ agent, host: hostname, port, method, path: target, headers, signal });
      request.on('error', () => undefined).end(sent);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const text = await textOf(response);
      return { status: response.statusCode ?? 0, headers: response.headers, text, envelope: parse<Data>(text) };
    },
    close() {
      agent.destroy();
    },
  };
}

function parse<Data>(text: string): Envelope<Data> | undefined {
  try {
    return JSON.parse(text) as Envelope<Data>;
  } catch {
    return undefined;
  }
}
