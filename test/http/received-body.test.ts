import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import {
  bodyOf,
  createBodyRoom,
  usualBodyBytesMax,
  type BodyRoom,
  type Received,
} from '../../src/http/received-body.ts';
import { listen } from '../../src/http/server.ts';
import { exchangeBytes } from '../support/raw-http.ts';
import { waitFor } from '../support/wait-for.ts';

const largePath = '/large';
const largeBytesMax = 512 * 1024;
const postTo = (path: string, ...headers: string[]): string =>
  `${[`POST ${path} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;
const post = postTo.bind(undefined, '/');
const largeChunked = postTo(largePath, 'Transfer-Encoding: chunked');
const chunked = post('Transfer-Encoding: chunked');
const chunk = (text: string, extension = ''): string => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const lastChunk = '0\r\n\r\n';

async function startServer(handler: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = await listen(
    (req, res) => {
      requests.push(req);
      handler(req, res);
    },
    '127.0.0.1',
    0,
    { bodyBytesMax: ({ url }) => (url === largePath ? largeBytesMax : undefined) },
  );
  onTestFinished(() => server.close());
  return { requests, port: server.port, baseUrl: `http://127.0.0.1:${server.port}` };
}

/** Answers with what was received of a body: its size, or why there is none. */
function tellOutcome(req: IncomingMessage, res: ServerResponse): void {
  void Promise.resolve(bodyOf(req)?.read()).then((received) => res.end(`<${described(received)}>`));
}

function described(received: Received | undefined): string {
  return received instanceof ServiceError ? received.errorName : String(received?.length);
}

/** Sends without end, until the service closes. */
function open(port: number, ...texts: string[]): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  for (const text of texts) socket.write(text);
  return socket;
}

describe('a body', () => {
  const tiny = chunk('x');
  test.each([
    ['of a few tiny chunks', chunked + tiny.repeat(250) + lastChunk, '250'],
    ['as large as it may be, in small pieces', chunked + chunk('x'.repeat(64)).repeat(1_024) + lastChunk, '65536'],
    ['of no bytes', chunked + lastChunk, '0'],
    ['of tiny chunks without end', chunked + tiny.repeat(20_000), 'BODY_FRAGMENTED'],
    ['with long chunk extensions', chunked + chunk('x', `;${'x'.repeat(15_000)}`).repeat(40), 'BODY_FRAGMENTED'],
    ['that grows too large', chunked + chunk('x'.repeat(1_000)).repeat(70), 'BODY_TOO_LARGE'],
    ['that is announced to be too large', post(`Content-Length: ${usualBodyBytesMax + 1}`), 'BODY_TOO_LARGE'],
    [
      'as large as its endpoint takes',
      largeChunked + chunk('x'.repeat(64)).repeat(largeBytesMax / 64) + lastChunk,
      String(largeBytesMax),
    ],
    ['that grows too large for its endpoint', largeChunked + chunk('x'.repeat(1_024)).repeat(513), 'BODY_TOO_LARGE'],
    [
      'of the larger size with long chunk extensions',
      largeChunked + chunk('x'.repeat(32), `;${'x'.repeat(15_000)}`).repeat(150),
      'BODY_FRAGMENTED',
    ],
  ])('%s is taken, or refused at once', async (_, text, outcome) => {
    const { baseUrl } = await startServer(tellOutcome);
    // Kept alive where it was taken: another request, which ends the connection, is answered as well.
    const next = post('Content-Length: 1', 'Connection: close') + 'x';
    const { status, body } = await exchangeBytes(baseUrl, Buffer.from(text + next));
    expect(status).toBe(200);
    expect([...body.matchAll(/<(.+?)>/g)].map(([, told]) => told)).toEqual(
      /\d/.test(outcome) ? [outcome, '1'] : [outcome],
    );
  });

  test.each([
    ['in chunks', chunked, chunk('0123456789')],
    ['without chunks', post(`Content-Length: ${usualBodyBytesMax}`), '0123456789'],
  ])('%s holds no more memory than twice its bytes', async (_, head, piece) => {
    const { port, requests } = await startServer(() => undefined);
    const socket = open(port, head);
    for (let sent = 10; sent <= 2_000; sent += 10) {
      const before = requests[0]?.socket.bytesRead ?? 0;
      socket.write(piece);
      await waitFor(() => (requests[0]?.socket.bytesRead ?? 0) > before, { intervalMs: 1 });
      await setImmediate();
      expect(bodyOf(requests[0]!)?.heldBytes).toBeLessThanOrEqual(Math.max(512, 2 * sent));
    }
    expect(bodyOf(requests[0]!)?.heldBytes).toBeGreaterThanOrEqual(2_000);
  });

  test('can be read as a stream as well', async () => {
    const { baseUrl } = await startServer((req, res) => {
      let text = '';
      req.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      req.on('end', () => res.end(`<${text}>`));
    });
    const text = post('Transfer-Encoding: chunked', 'Connection: close') + chunk('ab') + chunk('cd') + lastChunk;
    expect((await exchangeBytes(baseUrl, Buffer.from(text))).body).toContain('<abcd>');
  });

  test('of which no more will be read ends the connection of whoever reads it as a stream', async () => {
    const { port, requests } = await startServer((req) => req.resume());
    const socket = open(port, chunked + tiny.repeat(5_000));
    await waitFor(() => socket.closed);
    expect(requests).toHaveLength(1);
  });

  test('gives its memory back once its client is gone', async () => {
    const { port, requests } = await startServer(() => undefined);
    const socket = open(port, chunked + chunk('x'.repeat(10_000)));
    await waitFor(() => requests.length === 1 && bodyOf(requests[0]!)!.heldBytes >= 10_000);
    const received = bodyOf(requests[0]!)!.read();
    socket.destroy();
    expect(described(await received)).toBe('BODY_INCOMPLETE');
    expect(bodyOf(requests[0]!)?.heldBytes).toBe(0);
  });

  test('that had come, but is read only once its client is gone, is none', async () => {
    const { port, requests } = await startServer(() => undefined);
    const socket = open(port, post('Content-Length: 10') + '0123456789');
    await waitFor(() => requests.length === 1 && bodyOf(requests[0]!)!.heldBytes > 0);
    socket.destroy();
    await waitFor(() => bodyOf(requests[0]!)?.heldBytes === 0);
    expect(described(await bodyOf(requests[0]!)!.read())).toBe('BODY_INCOMPLETE');
  });
});

describe('an answer that is given while a body is unread', () => {
  test.each([
    ['that is announced', post('Content-Length: 1000')],
    ['in chunks', chunked + chunk('x')],
    ['that HTTP/1.0 announces', 'POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 1000\r\n\r\n'],
    ['that waits to be asked for', post('Content-Length: 1000', 'Expect: 100-continue')],
  ])('ends the connection, with a body %s', async (_, text) => {
    const { port, baseUrl, requests } = await startServer((_req, res) => res.end('<answer>'));
    const { headers, body } = await exchangeBytes(baseUrl, Buffer.from(text));
    expect([headers['connection'], body.match(/<answer>/g)?.length]).toEqual(['close', 1]);
    // Nothing after it is a request any more.
    open(port, `${text}${'x'.repeat(1_000)}${post('Content-Length: 0').repeat(100)}`);
    await waitFor(() => requests.length > 1 && requests.every(({ socket }) => socket.destroyed));
    expect(requests).toHaveLength(2);
  });

  test('ends the reading too, though the client does not take it, and goes on to send', async () => {
    const { port, requests } = await startServer((_req, res) => res.end(Buffer.alloc(16 * 1024 * 1024)));
    const socket = open(port, chunked).pause();
    await waitFor(() => requests.length === 1);
    socket.write(chunk('x'.repeat(1_000)).repeat(16_000));
    await waitFor(() => requests[0]!.socket.isPaused());
    const { bytesRead } = requests[0]!.socket;
    // More than the system holds by itself was sent, so whoever still reads would be seen to.
    await setImmediate();
    expect(requests[0]!.socket.bytesRead).toBe(bytesRead);
    expect(bytesRead).toBeLessThan(1024 * 1024);
  });

  test('leaves the connection open where the body had come', async () => {
    const { baseUrl, requests } = await startServer((_req, res) => void setImmediate().then(() => res.end()));
    const last = post('Content-Length: 2', 'Connection: close') + 'ab';
    await exchangeBytes(baseUrl, Buffer.from(`${post('Content-Length: 2')}ab${chunked}${lastChunk}${last}`));
    expect(requests).toHaveLength(3);
  });
});

describe('large bodies on their way', () => {
  const halfOf = (size: number): string => largeChunked + chunk('x'.repeat(size / 2 + 1));

  /** A body that comes at a rate. */
  function coming(rate: number, room: BodyRoom) {
    const body = {
      isRefused: false,
      rateAt: () => rate,
      giveWay: () => {
        body.isRefused = true;
        room.end(body);
        room.give(10);
      },
    };
    return body;
  }

  test('share one bound, and the slowest of them give way, one after the other', () => {
    const room = createBodyRoom(100);
    const bodies = [3, 1, 2].map((rate) => coming(rate, room));
    for (const body of bodies) expect(room.take(body, 10)).toBe(true);
    expect(room.take(coming(4, room), 70)).toBe(true);
    expect(bodies.map(({ isRefused }) => isRefused)).toEqual([false, false, false]);
    expect(room.take(coming(4, room), 11)).toBe(true);
    expect(bodies.map(({ isRefused }) => isRefused)).toEqual([false, true, true]);
  });

  test('are refused themselves where they are the slowest', () => {
    const room = createBodyRoom(100);
    const faster = coming(2, room);
    expect(room.take(faster, 100)).toBe(true);
    expect(room.take(coming(1, room), 1)).toBe(false);
    expect(room.take(faster, 1)).toBe(false);
    expect(faster.isRefused).toBe(false);
  });

  test('keep their memory once they have come, until it is given back', () => {
    const room = createBodyRoom(100);
    const complete = coming(1, room);
    expect(room.take(complete, 100)).toBe(true);
    room.end(complete);
    expect(room.take(coming(2, room), 1)).toBe(false);
    room.give(100);
    expect(room.take(coming(2, room), 100)).toBe(true);
  });

  test('that are half sent keep nobody else out, whoever they are of and however many', async () => {
    const outcomes: string[] = [];
    const { port, baseUrl, requests } = await startServer((req, res) => {
      void Promise.resolve(bodyOf(req)?.read()).then((received) => {
        outcomes.push(described(received));
        if (!res.destroyed) res.end(`<${described(received)}>`);
      });
    });
    // Of 512 KiB each, 64 of which are all that there is.
    for (let index = 0; index < 100; index += 1) open(port, halfOf(largeBytesMax));
    await waitFor(() => outcomes.length >= 36 && requests.length === 100);
    expect(new Set(outcomes)).toEqual(new Set(['TOO_MANY_BODIES']));
    const whole = postTo(largePath, `Content-Length: ${largeBytesMax}`, 'Connection: close');
    const answer = await exchangeBytes(baseUrl, Buffer.from(whole + 'x'.repeat(largeBytesMax)));
    expect(answer.body).toBe(`<${largeBytesMax}>`);
    const small = post('Content-Length: 4000', 'Connection: close') + 'x'.repeat(4_000);
    expect((await exchangeBytes(baseUrl, Buffer.from(small))).body).toBe('<4000>');
  });
});
