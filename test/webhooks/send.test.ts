import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createNameResolver } from '../../src/webhooks/resolve.ts';
import { createWebhookSender } from '../../src/webhooks/send.ts';
import { createAuthority } from '../support/certificates.ts';
import { waitFor } from '../support/wait-for.ts';
import { startReceiver } from './delivering.ts';

const never = new AbortController().signal;

/** Says what is to be done at the end of a test; of those that are run at once, each has one of its own. */
type AtEnd = TestContext['onTestFinished'];

function openSender(options: Partial<Parameters<typeof createWebhookSender>[0]> = {}, atEnd: AtEnd = onTestFinished) {
  const sender = createWebhookSender({ allowsLocal: true, ...options });
  atEnd(() => {
    sender.close();
  });
  return (url: string, body = '{}') => sender.send(url, { 'webhook-id': 'ev_1' }, body, never);
}

/** A server that says what it likes. */
async function rawServer(talk: (socket: Socket) => void, atEnd: AtEnd = onTestFinished) {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  return { connections, port: (server.address() as AddressInfo).port };
}

const head = 'HTTP/1.1 200 OK\r\n';
/** The most that a message may take here, and a name server's answer. */
const sendMaxMs = 1_000;
const queryMs = { timeout: 200, tries: 2 };
/** Far more often than a message is given up. */
const pieceEveryMs = 100;
const steadily = (socket: Socket, texts: string | string[]): void => {
  let count = 0;
  const timer = setInterval(() => socket.write(texts[count++ % texts.length] ?? ''), pieceEveryMs);
  socket.on('close', () => {
    clearInterval(timer);
  });
};
const onRequest = (answer: (socket: Socket) => void) => (socket: Socket) => {
  socket.once('data', () => {
    answer(socket);
  });
};

describe('a receiver', () => {
  it.each<[string, (socket: Socket) => void, object]>([
    ['closes at once', (socket) => socket.destroy(), { status: null, error: 'CONNECTION_FAILED' }],
    ['closes after the request', onRequest((socket) => socket.end()), { status: null, error: 'CONNECTION_FAILED' }],
    [
      'speaks no HTTP',
      onRequest((socket) => socket.end('220 ready\r\n')),
      { status: null, error: 'CONNECTION_FAILED' },
    ],
    [
      'has headers without end',
      onRequest((socket) => socket.write(`${head}x: ${'a'.repeat(20_000)}\r\n\r\n`)),
      { status: null, error: 'ANSWER_TOO_LARGE' },
    ],
    [
      'answers only informational',
      onRequest((socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')),
      { status: null, error: 'CONNECTION_FAILED' },
    ],
    [
      'redirects, which is not followed',
      onRequest((socket) => socket.end('HTTP/1.1 302 x\r\nLocation: /\r\n\r\n')),
      { status: 302, error: 'REDIRECT' },
    ],
    [
      'ends its body too early',
      onRequest((socket) => socket.end(`${head}content-length: 9\r\n\r\nab`)),
      { status: 200, error: null },
    ],
  ])('that %s is told as such', async (_, talk, outcome) => {
    const { port } = await rawServer(talk);
    expect(await openSender()(`http://127.0.0.1:${port}/`)).toMatchObject(outcome);
  });
});

it('a certificate has to be of an authority that is known, and of the name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  const authority = createAuthority(folder, 'authority');
  const { certFile, keyFile } = authority.sign('receiver', 'DNS:receiver.example');
  const received: (string | undefined)[] = [];
  const server = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    received.push(request.headers.host);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const trusting = openSender({ ca: authority.pem, resolve });
  const failed = { status: null, error: 'TLS_FAILED' };
  expect(await trusting(`https://receiver.example:${port}/`)).toMatchObject({ status: 200, error: null });
  expect(await trusting(`https://other.example:${port}/`)).toMatchObject(failed);
  expect(await openSender({ resolve })(`https://receiver.example:${port}/`)).toMatchObject(failed);
  expect(received).toEqual([`receiver.example:${port}`]);
});

describe('a name', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', 'fd00::1'])(
    'that leads to %s is refused',
    async (address) => {
      for (const addresses of [[], [address], ['1.1.1.1', address]]) {
        const send = openSender({ allowsLocal: false, resolve: () => Promise.resolve(addresses) });
        const refused = { status: null, error: 'ADDRESS_NOT_ALLOWED' };
        expect(await send('https://rebound.example/')).toMatchObject(refused);
      }
    },
  );

  it('that nobody knows is not found', async () => {
    const send = openSender({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await send('http://nowhere.example/')).toMatchObject({ status: null, error: 'NAME_NOT_FOUND' });
  });

  it('is asked for once a connection, which goes to the address that was looked at; each new one looks again', async () => {
    const receiver = await startReceiver((_, response) => void response.writeHead(200, { connection: 'close' }).end());
    onTestFinished(() => receiver.close());
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const send = openSender({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    const url = `http://rebound.example:${new URL(receiver.url).port}/`;
    expect(await send(url)).toMatchObject({ status: 200, error: null });
    expect(answers).toHaveLength(1);
    expect(await send(url)).toMatchObject({ status: null, error: 'ADDRESS_NOT_ALLOWED' });
    expect(receiver.received).toHaveLength(1);
  });
});

// Limits of time, which are waited for at once.
describe.concurrent('what takes too long', () => {
  it(
    'is a receiver that takes longer than a message may, in whatever way, is given up, and its connection closed',
    { timeout: 30_000 },
    async ({ onTestFinished: atEnd }) => {
      const ways = [
        (socket: Socket) => socket.resume(),
        (socket: Socket) => socket.pause(),
        onRequest((socket) => {
          steadily(socket, head);
        }),
        onRequest((socket) => {
          steadily(socket, ['HTTP/1.1 103 Early Hints\r\n\r\n']);
        }),
        onRequest((socket) => {
          socket.write(head);
          steadily(socket, ['x: y\r\n']);
        }),
        onRequest((socket) => {
          socket.write(`${head}\r\n`);
          steadily(socket, ['a']);
        }),
      ];
      const send = openSender({ sendMaxMs }, atEnd);
      const large = JSON.stringify('a'.repeat(20_000_000));
      const servers = await Promise.all(ways.map((talk) => rawServer(talk, atEnd)));
      const results = await Promise.all(
        servers.map(({ port }, way) => send(`http://127.0.0.1:${port}/`, way === 1 ? large : '{}')),
      );
      expect(results.map(({ status, error }) => [status, error])).toEqual(ways.map(() => [null, 'TIMEOUT']));
      // One that never reads does not learn of it.
      const told = servers.filter((_, way) => way !== 1).flatMap(({ connections }) => connections);
      await waitFor(() => told.every(({ destroyed, readableEnded }) => destroyed || readableEnded));
    },
  );

  it(
    'is a name whose name server hangs keeps nobody else waiting, and is given up',
    { timeout: 30_000 },
    async ({ onTestFinished: atEnd }) => {
      const asked = createSocket('udp4');
      await new Promise<void>((resolve) => asked.bind(0, '127.0.0.1', resolve));
      atEnd(() => void asked.close());
      const resolve = createNameResolver([`127.0.0.1:${asked.address().port}`], queryMs);
      let givenUp = 0;
      const hanging = Array.from({ length: 32 }, (_, index) =>
        resolve(`hangs-${index}.example`).catch(() => void (givenUp += 1)),
      );
      await lookup('localhost');
      expect(givenUp).toBe(0);
      await Promise.all(hanging);
      expect(givenUp).toBe(32);
    },
  );
});
