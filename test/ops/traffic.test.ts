import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/server.ts';
import { createHealth } from '../../src/ops/health.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { startOpsServer } from '../../src/ops/server.ts';
import { createTraffic } from '../../src/ops/traffic.ts';
import { exchangeBytes } from '../support/raw-http.ts';
import { waitFor } from '../support/wait-for.ts';

/** Beyond what one address may be ahead of its rate. */
const floodBytes = 1_100_000;
const unreadBody = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(12_000)}`;
const ask = Buffer.from('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');

/** Connects again and again, and sends a body that nobody asked for, until the service reads no more. */
async function flood(port: number, localAddress = '127.0.0.1'): Promise<{ sent: number; refused: number }> {
  const seen = { sent: 0, refused: 0 };
  while (seen.refused < 3) {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let answer = '';
    socket.on('error', () => undefined).on('data', (data) => (answer += String(data)));
    socket.write(unreadBody);
    await waitFor(() => socket.closed);
    seen.sent += unreadBody.length;
    if (answer === '') seen.refused += 1;
    if (seen.sent > 10 * floodBytes) throw new Error('the service reads whatever comes');
  }
  return seen;
}

async function startOps(token?: string) {
  const up = { isStarting: () => false, isDraining: () => false, wrongSetting: () => undefined };
  const health = createHealth({ mongodb: () => Promise.resolve(true) }, up);
  const log = pino({ level: 'silent' });
  const server = await startOpsServer({ health, metrics: createMetrics(), log, token }, '127.0.0.1', 0);
  onTestFinished(() => server.close());
  return server;
}

test('who floods the operations port is not read from, and everybody else is answered', async () => {
  const { port } = await startOps();
  const { sent } = await flood(port, '127.0.0.2');
  expect(sent).toBeGreaterThan(floodBytes / 2);
  expect((await exchangeBytes(`http://127.0.0.1:${port}`, ask)).status).toBe(200);
});

test('who floods it from the operator’s address does not lock out the right token', async () => {
  const token = 'right-token-of-the-operator';
  const { port } = await startOps(token);
  const askWith = (authorization: string) =>
    exchangeBytes(
      `http://127.0.0.1:${port}`,
      Buffer.from(
        `GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${authorization}\r\nConnection: close\r\n\r\n`,
      ),
    );
  expect((await askWith(token)).status).toBe(200);
  for (let sent = 0; sent < 2 * floodBytes; sent += unreadBody.length) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(unreadBody);
    await waitFor(() => socket.closed);
  }
  expect((await askWith('wrong-token')).status).toBe(429);
  expect((await askWith(token)).status).toBe(200);
});

test('requests of a connection that stays open count as well', async () => {
  const { port } = await startOps();
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  socket.on('error', () => undefined).on('data', (data) => (answers += String(data)));
  const requests = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50);
  for (let sent = 50; sent <= 5_000 && !socket.closed; sent += 50) {
    socket.write(requests);
    await waitFor(() => socket.closed || answers.split('HTTP/1.1 200').length > sent);
  }
  expect(socket.closed).toBe(true);
  expect(answers).toContain('HTTP/1.1 429');
  expect(answers).toContain('Retry-After: 1');
});

test('an address may connect again when what it sent is paid for', async () => {
  let now = 0;
  const traffic = createTraffic({ hasToken: () => false, isKnown: () => false }, () => now);
  const sockets: Socket[] = [];
  const { port } = await listen((_req, res) => res.end(), '127.0.0.1', 0, {
    mayConnect: (socket) => {
      sockets.push(socket);
      return traffic.mayConnect(socket);
    },
  }).then((server) => {
    onTestFinished(() => server.close());
    return server;
  });
  await flood(port);
  const ahead = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  expect(ahead).toBeGreaterThan(1024 * 1024);
  now += ((ahead - 1024 * 1024) / (256 * 1024)) * 1_000;
  expect((await exchangeBytes(`http://127.0.0.1:${port}`, ask)).status).toBe(200);
});
