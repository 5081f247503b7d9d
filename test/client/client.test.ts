import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../client/client.ts';
import { sign } from '../../client/sign.ts';

const CREDENTIALS = { apiKey: 'ak_test', apiSecret: 'secret' };

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  clientPort: number | undefined;
}

const received: Received[] = [];
const clients: Client[] = [];
let server: Server;
let baseUrl: string;
let respond: (url: string) => { status: number; text: string } | undefined;

beforeAll(async () => {
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      received.push({ method, url, headers, body: Buffer.concat(chunks), clientPort: req.socket.remotePort });
      const answer = respond(url);
      if (answer) res.writeHead(answer.status, { 'X-Answered': 'yes' }).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  received.length = 0;
  for (const client of clients.splice(0)) client.close();
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function connect(timeoutMs?: number): Client {
  respond = () => ({ status: 200, text: '{"success":true,"data":1}' });
  const client = createClient({ baseUrl, ...CREDENTIALS, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  clients.push(client);
  return client;
}

function expectedSignature({ method, headers, body }: Received, path: string): string {
  const [timestamp, nonce] = [String(headers['x-timestamp']), String(headers['x-nonce'])];
  return sign({ method, path, timestamp, nonce, body }, CREDENTIALS.apiSecret).signature;
}

describe('createClient', () => {
  it('signs the bytes it sends', async () => {
    await connect().request('POST', '/api/v1/x', { body: { amount: '1.00', note: '金额' } });
    const [request] = received;
    expect(request!.headers['x-signature']).toBe(expectedSignature(request!, '/api/v1/x'));
    expect(request!.headers['x-api-key']).toBe(CREDENTIALS.apiKey);
    expect(request!.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request!.body.toString())).toEqual({ amount: '1.00', note: '金额' });
  });

  it('sends text as it is, for clients that write their JSON themselves', async () => {
    const { sent } = await connect().request('POST', '/api/v1/x', { body: '{ "a" : 1 }' });
    expect(received[0]!.body.toString()).toBe('{ "a" : 1 }');
    expect(sent.canonicalMessage.split('\n').at(-1)).toBe(createHash('sha256').update('{ "a" : 1 }').digest('hex'));
  });

  it('leaves the query out of the signed path', async () => {
    await connect().request('GET', '/api/v1/wallets', { query: { page: 0, size: 5, status: undefined } });
    expect(received[0]!.url).toBe('/api/v1/wallets?page=0&size=5');
    expect(received[0]!.headers['x-signature']).toBe(expectedSignature(received[0]!, '/api/v1/wallets'));
    expect(received[0]!.headers['content-type']).toBeUndefined();
  });

  it('uses a fresh nonce each time, on a connection that is kept', async () => {
    const client = connect();
    await client.request('GET', '/a');
    await client.request('GET', '/a');
    expect(received[0]!.headers['x-nonce']).not.toBe(received[1]!.headers['x-nonce']);
    expect(received[0]!.clientPort).toBe(received[1]!.clientPort);
  });

  it('gives status, headers, envelope and text, whatever the status', async () => {
    const client = connect();
    respond = () => ({ status: 503, text: '{"success":false,"code":"SY5031"}' });
    const answer = await client.request('GET', '/a');
    expect(answer).toMatchObject({ status: 503, text: '{"success":false,"code":"SY5031"}' });
    expect(answer.headers['x-answered']).toBe('yes');
    expect(answer.envelope).toEqual({ success: false, code: 'SY5031' });
  });

  it('has no envelope where the answer is not JSON', async () => {
    const client = connect();
    respond = () => ({ status: 502, text: '<html>' });
    expect(await client.request('GET', '/a')).toMatchObject({ envelope: undefined, text: '<html>' });
  });

  it('gives up after its time-out', async () => {
    const client = connect(100);
    respond = () => undefined;
    await expect(client.request('GET', '/a')).rejects.toThrow(/abort|timeout/i);
  });
});

it('lets an idle connection go before the server closes it: no request meets that close', async () => {
  const brief = createServer((_, res) => res.end('{}'));
  // Said to the client in whole seconds; it takes one less.
  brief.keepAliveTimeout = 2_000;
  const endedByClient = new Promise<boolean>((resolve) => {
    brief.once('connection', (socket) => {
      socket.once('end', () => {
        resolve(true);
      });
      socket.once('close', () => {
        resolve(false);
      });
    });
  });
  await new Promise<void>((resolve) => brief.listen(0, '127.0.0.1', resolve));
  const { port } = brief.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, ...CREDENTIALS });
  clients.push(client);
  expect((await client.request('GET', '/')).status).toBe(200);
  expect(await endedByClient).toBe(true);
  brief.close();
});
