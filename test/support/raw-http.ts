import { connect } from 'node:net';
import { once } from 'node:events';
import { undescribed } from './described-answers.ts';
import { signingHeaders } from './signing.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Undefined where the body is not JSON. */
  envelope: { code: string; message: string; success: boolean; data: unknown; error?: unknown } | undefined;
}

export interface RawRequest {
  method: string;
  /** The request target exactly as it is sent. */
  target: string;
  /** Lines such as `X-Nonce: 1`, as they are sent; Host and Connection are added. */
  headers: readonly string[];
  body?: Uint8Array | string;
}

const answerTimeoutMs = 10_000;

/**
 * Sends one request byte for byte, on a connection of its own, and reads the answer to its end. Throws where the answer is
 * not as the description of the API has it.
 */
export async function exchangeRaw(baseUrl: string, request: RawRequest): Promise<RawAnswer> {
  const head = [`${request.method} ${request.target} HTTP/1.1`, 'Host: test', 'Connection: close', ...request.headers];
  const answer = await exchangeBytes(
    baseUrl,
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytesOf(request)]),
  );
  const fault = undescribed(request.method, request.target, {
    ...answer,
    header: (name) => answer.headers[name.toLowerCase()],
  });
  if (fault !== undefined) throw new Error(fault);
  return answer;
}

/** Sends bytes that need not be a request at all. */
export async function exchangeBytes(baseUrl: string, bytes: Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error('no answer in time')));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The service may answer, and close, before it has read everything.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return parseAnswer(Buffer.concat(chunks));
}

/** Header lines that sign a request for `path`; each may be replaced. */
export function signedHeaders(...[key, parts]: Parameters<typeof signingHeaders>): string[] {
  const { length } = bytesOf(parts);
  const headers = { ...signingHeaders(key, parts), ...(length > 0 && { 'Content-Length': length }) };
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function bytesOf({ body }: { body?: Uint8Array | string }): Buffer {
  return Buffer.from(body ?? '');
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = bytes.subarray(end + 4).toString();
  return { status: Number(statusLine.split(' ')[1]), headers, body, envelope: parseEnvelope(body) };
}

function parseEnvelope(body: string): RawAnswer['envelope'] {
  try {
    return JSON.parse(body) as RawAnswer['envelope'];
  } catch {
    return undefined;
  }
}
