import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { usualTakeTimes } from '../../src/http/connections.ts';
import { listen } from '../../src/http/server.ts';
import { exchangeBytes } from '../support/raw-http.ts';

const head = 'POST /api HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\n';

/** Reads each request's body, and says what became of it. */
async function startServer() {
  const bodies: string[] = [];
  const times = {
    ...usualTakeTimes,
    headersTimeout: 200,
    requestTimeout: 400,
    connectionsCheckingInterval: 50,
    lingerMs: 1_000,
  };
  const server = await listen(
    (req, res) => {
      text(req).then(
        (body) => {
          bodies.push(body);
          res.end('read');
        },
        () => bodies.push('gone'),
      );
    },
    '127.0.0.1',
    0,
    { times },
  );
  onTestFinished(() => server.close());
  return { port: server.port, bodies };
}

test('a body that comes too late is answered 408 in the envelope, and is never read', async () => {
  const { port, bodies } = await startServer();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write(head);
  // As a client would that does not listen: it goes on to send.
  const sending = setInterval(() => {
    if (answer !== '') socket.write('body');
  }, 1);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(answer).toContain('"code":"RQ4002"');
  expect(bodies).toEqual(['gone']);
});

test('headers that come too late are answered 408 as well', async () => {
  const { port, bodies } = await startServer();
  const answer = await exchangeBytes(`http://127.0.0.1:${port}`, Buffer.from('GET /api HTTP/1.1\r\nHost:'));
  expect([answer.status, answer.envelope?.code]).toEqual([408, 'RQ4002']);
  expect(bodies).toEqual([]);
});

test('a connection of which the client has read the refusal is not kept, though the client keeps it', async () => {
  const { port } = await startServer();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write('no HTTP\r\n\r\n');
  await once(socket, 'end');
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  // Its own side stays open until the server's is destroyed: a write then fails.
  const sending = setInterval(() => socket.write('more'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
});

test('an earlier request is answered before a CONNECT behind it, which is refused in the envelope', async () => {
  const { port, bodies } = await startServer();
  const bytes = `${head}bodyCONNECT /api HTTP/1.1\r\nHost: test\r\n\r\nmore`;
  const { status, body } = await exchangeBytes(`http://127.0.0.1:${port}`, Buffer.from(bytes));
  expect([status, bodies]).toEqual([200, ['body']]);
  expect(body).toMatch(/^readHTTP\/1.1 400 Bad Request\r\n[^]*"code":"RQ4002"/);
});

test('a client that resets the connection after a CONNECT harms nobody', async () => {
  const { port } = await startServer();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('CONNECT /api HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(socket, 'data');
  socket.resetAndDestroy();
  const bytes = Buffer.from(`${head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}body`);
  expect((await exchangeBytes(`http://127.0.0.1:${port}`, bytes)).body).toBe('read');
});

test('the connection ends with the answer to a request for another protocol: what came with it may be lost', async () => {
  const { port, bodies } = await startServer();
  const upgrade = head.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  const answer = await exchangeBytes(`http://127.0.0.1:${port}`, Buffer.from(`${upgrade}body${head}lost`));
  expect([answer.status, answer.headers['connection'], bodies]).toEqual([200, 'close', ['body']]);
});

test('an idle connection is kept for as long as was said, and the client is told so', async () => {
  const handler: RequestListener = (_req, res) => res.end();
  for (const [keepAliveMs, told] of [
    [620_000, 'timeout=620'],
    [65_000, 'timeout=65'],
  ] as const) {
    const server = await listen(handler, '127.0.0.1', 0, { keepAliveMs });
    onTestFinished(() => server.close());
    const { headers } = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(headers.get('keep-alive')).toBe(told);
  }
});
