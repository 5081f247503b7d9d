import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { unansweredMax } from '../../src/http/connections.ts';
import { listen } from '../../src/http/server.ts';
import { exchangeBytes } from '../support/raw-http.ts';
import { waitFor } from '../support/wait-for.ts';

const patient = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000, lingerMs: 100 };
const impatient = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50, lingerMs: 1_000 };
/** Far more than the system takes for a client that does not read. */
const largeAnswer = Buffer.alloc(4 * 1024 * 1024, 'x');
const get = (target: string, ...headers: string[]) =>
  `${[`GET ${target} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;

/** A server that counts what it handles, and how many at once. */
async function startServer(handler: RequestListener, takeTimeout = 20_000, times = patient) {
  const seen = { handled: [] as string[], atOnceMax: 0, sockets: new Set<Socket>() };
  let atOnce = 0;
  const server = await listen(
    (req, res) => {
      seen.handled.push(req.url ?? '');
      seen.sockets.add(req.socket);
      atOnce += 1;
      seen.atOnceMax = Math.max(seen.atOnceMax, atOnce);
      res.once('close', () => (atOnce -= 1));
      handler(req, res);
    },
    '127.0.0.1',
    0,
    { times: { ...times, takeTimeout, takeCheckingInterval: 20 } },
  );
  onTestFinished(() => server.close());
  return { ...seen, seen, baseUrl: `http://127.0.0.1:${server.port}`, port: server.port };
}

/** Sends, and reads nothing. */
function sendUnread(port: number, sent: string): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(sent);
  return socket;
}

const statusesIn = (sent: string): string[] => [...sent.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

const smallHeaders = Array.from({ length: 1_000 }, (_, index) => `${(index + 1_000).toString(36)}x: y`);

test.each([
  ['more requests than may be unanswered', get('/').repeat(2_000)],
  ['requests with many small headers', get('/', ...smallHeaders).repeat(10)],
  [
    'requests with bodies',
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(60_000)}`.repeat(20),
  ],
])('%s that wait behind one end their connection before they fill the memory', async (_, packet) => {
  const { port, handled, sockets } = await startServer(() => undefined);
  sendUnread(port, packet);
  await waitFor(() => sockets.size > 0 && [...sockets].every((socket) => socket.closed));
  expect(handled).toHaveLength(1);
});

test('a client that takes no answer loses its connection, and costs no more than the answer that it does not take', async () => {
  const { port, handled, sockets } = await startServer((_req, res) => res.end(largeAnswer), 100);
  sendUnread(port, get('/').repeat(unansweredMax));
  await waitFor(() => sockets.size > 0 && [...sockets].every((socket) => socket.closed));
  expect(handled.length).toBeLessThan(unansweredMax / 2);
});

test('so does one that takes a little now and then', async () => {
  const { port, sockets } = await startServer((_req, res) => res.end(Buffer.alloc(16 * largeAnswer.length)), 300);
  const socket = sendUnread(port, get('/'));
  const reading = setInterval(() => void socket.read(), 20);
  await waitFor(() => sockets.size > 0 && [...sockets].every(({ closed }) => closed));
  clearInterval(reading);
});

test('an answer may be long in the making', async () => {
  const making = Promise.withResolvers<undefined>();
  const { baseUrl, port, handled, sockets } = await startServer((req, res) => {
    if (req.url === '/long') void making.promise.then(() => res.end('late'));
    else res.end(largeAnswer);
  }, 50);
  const answering = exchangeBytes(baseUrl, Buffer.from(get('/long', 'Connection: close')));
  await waitFor(() => handled.length === 1);
  // One that was begun later, and is not taken, has ended by then.
  sendUnread(port, get('/untaken'));
  await waitFor(() => [...sockets].some(({ closed }) => closed));
  making.resolve(undefined);
  const answer = await answering;
  expect([answer.status, answer.body]).toEqual([200, 'late']);
});

test('requests that are sent at once are answered one at a time, in their order', async () => {
  const { baseUrl, seen } = await startServer((req, res) => void setImmediate().then(() => res.end(`<${req.url}>`)));
  const targets = Array.from({ length: unansweredMax }, (_, index) => `/${index}`);
  const sent = targets.map((target, index) => get(target, ...(index === 99 ? ['Connection: close'] : []))).join('');
  const { body } = await exchangeBytes(baseUrl, Buffer.from(sent));
  expect([...body.matchAll(/<(.+?)>/g)].map(([, target]) => target)).toEqual(targets);
  expect(seen).toMatchObject({ handled: targets, atOnceMax: 1 });
});

test('what comes after the last answer of a connection is not handled', async () => {
  const { baseUrl, handled } = await startServer((_req, res) => res.writeHead(200, { Connection: 'close' }).end());
  await exchangeBytes(baseUrl, Buffer.from(get('/first') + get('/second')));
  expect(handled).toEqual(['/first']);
});

test.each([
  ['no request at all', 'garbage\r\n\r\n'],
  ['a request whose body is broken', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('%s is refused after the requests before it are answered', async (_, broken) => {
  const { baseUrl, handled } = await startServer((req, res) => void setImmediate().then(() => res.end(req.url)));
  const { status, body } = await exchangeBytes(baseUrl, Buffer.from(get('/first') + get('/second') + broken));
  expect([status, ...statusesIn(body)]).toEqual([200, '200', '400']);
  expect(body).toMatch(/^\/first[^]*\/second[^]*"code":"RQ4002"/);
  expect(handled).toEqual(['/first', '/second']);
});

test('a body that breaks is refused at once, also where its request is being handled', async () => {
  const { baseUrl } = await startServer(() => undefined);
  const broken = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
  expect((await exchangeBytes(baseUrl, Buffer.from(broken))).status).toBe(400);
});

test('a client that waits to be told to send its body is told by whoever reads it', async () => {
  const { port } = await startServer((req, res) => {
    if (req.url === '/refused') {
      res.writeHead(401).end();
      return;
    }
    res.writeContinue();
    req.on('data', (data: Buffer) => res.end(data));
  });
  const head = ['Host: a', 'Expect: 100-continue', 'Content-Length: 4'].join('\r\n');
  const refused = await exchangeBytes(
    `http://127.0.0.1:${port}`,
    Buffer.from(`POST /refused HTTP/1.1\r\n${head}\r\n\r\n`),
  );
  expect(refused.status).toBe(401);
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n`);
  const [told] = (await once(socket, 'data')) as [Buffer];
  expect(told.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('body');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('HTTP/1.1 200 OK');
});

const head = 'POST /api HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\n';

/** Reads each request's body, and says what became of it, if it comes in time. */
async function startReader() {
  const bodies: string[] = [];
  const { port } = await startServer(
    (req, res) => {
      text(req).then(
        (body) => {
          bodies.push(body);
          res.end('read');
        },
        () => bodies.push('gone'),
      );
    },
    undefined,
    impatient,
  );
  return { port, bodies };
}

/** A connection, and what came on it so far. */
function open(port: number, options = {}) {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  const came = { text: '' };
  socket.on('error', () => undefined).on('data', (data: Buffer) => (came.text += data.toString()));
  return { socket, came };
}

test('a body that comes too late is answered 408 in the envelope, and is never read', async () => {
  const { port, bodies } = await startReader();
  const { socket, came } = open(port);
  socket.write(head);
  // As a client would that does not listen: it goes on to send.
  const sending = setInterval(() => {
    if (came.text !== '') socket.write('body');
  }, 1);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
  expect(came.text).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n[^]*"code":"RQ4002"/);
  expect(bodies).toEqual(['gone']);
});

test('headers that come too late are answered 408 as well', async () => {
  const { port, bodies } = await startReader();
  const answer = await exchangeBytes(`http://127.0.0.1:${port}`, Buffer.from('GET /api HTTP/1.1\r\nHost:'));
  expect([answer.status, answer.envelope?.code]).toEqual([408, 'RQ4002']);
  expect(bodies).toEqual([]);
});

test('a connection of which the client has read the refusal is not kept, though the client keeps it', async () => {
  const { port } = await startReader();
  const { socket, came } = open(port, { allowHalfOpen: true });
  socket.write('no HTTP\r\n\r\n');
  await once(socket, 'end');
  expect(came.text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  // Its own side stays open until the server's is destroyed: a write then fails.
  const sending = setInterval(() => socket.write('more'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(sending);
});

test('an earlier request is answered before a CONNECT behind it, which is refused in the envelope', async () => {
  const { port, bodies } = await startReader();
  const bytes = `${head}bodyCONNECT /api HTTP/1.1\r\nHost: test\r\n\r\nmore`;
  const { status, body } = await exchangeBytes(`http://127.0.0.1:${port}`, Buffer.from(bytes));
  expect([status, bodies]).toEqual([200, ['body']]);
  expect(body).toMatch(/^readHTTP\/1.1 400 Bad Request\r\n[^]*"code":"RQ4002"/);
});

test('a client that resets the connection after a CONNECT harms nobody', async () => {
  const { port } = await startReader();
  const { socket } = open(port);
  socket.write('CONNECT /api HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(socket, 'data');
  socket.resetAndDestroy();
  const bytes = Buffer.from(`${head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}body`);
  expect((await exchangeBytes(`http://127.0.0.1:${port}`, bytes)).body).toBe('read');
});

test('the connection ends with the answer to a request for another protocol: what came with it may be lost', async () => {
  const { port, bodies } = await startReader();
  const upgrade = head.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  const answer = await exchangeBytes(`http://127.0.0.1:${port}`, Buffer.from(`${upgrade}body${head}lost`));
  expect([answer.status, answer.headers['connection'], bodies]).toEqual([200, 'close', ['body']]);
});

test('an idle connection is kept for as long as was said, and the client is told so', async () => {
  const server = await listen((_req, res) => res.end(), '127.0.0.1', 0, { keepAliveMs: 65_000 });
  onTestFinished(() => server.close());
  const { headers } = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});
