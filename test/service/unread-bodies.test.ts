import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchangeBytes } from '../support/raw-http.ts';
import { startService, type RunningService } from '../support/service.ts';

const ports = ['API', 'operations of the web process', 'operations of a worker'] as const;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const paths = [
  '/',
  '/docs',
  '/openapi.json',
  '/livez',
  '/metrics',
  '/queues/api/queues',
  '/nothing',
  '/api/v1/wallets',
];
/** None of these bodies ever ends. */
const framings: readonly (readonly [version: string, header: string, body: string])[] = [
  ['1.1', 'Content-Length: 1000', 'x'],
  ['1.1', 'Content-Length: 1000\r\nExpect: 100-continue', ''],
  ['1.1', 'Transfer-Encoding: chunked', '3e8\r\nx'],
  ['1.1', 'Transfer-Encoding: chunked', '1\r\nx\r\n'.repeat(1_000)],
  ['1.1', 'Transfer-Encoding: chunked', '1;name=value\r\nx\r\n'],
  ['1.1', 'Content-Length: 1000\r\nUpgrade: h2c\r\nConnection: Upgrade', 'x'],
  ['1.0', 'Connection: keep-alive\r\nContent-Length: 1000', 'x'],
];

let service: RunningService;
let urls: Readonly<Record<(typeof ports)[number], string>>;

beforeAll(async () => {
  service = await startService();
  const worker = await service.workers[0]!.ready;
  urls = {
    API: service.baseUrl,
    'operations of the web process': service.opsUrl,
    'operations of a worker': `http://127.0.0.1:${worker.opsPort}`,
  };
});
afterAll(() => service.stop());

it.each(ports)('an answer that is given while a body is unread ends the connection: port %s', async (port) => {
  const kept: string[] = [];
  for (const path of paths) {
    const cases = methods.flatMap((method) => framings.map((framing) => ({ method, framing })));
    await Promise.all(
      cases.map(async ({ method, framing: [version, header, body] }) => {
        const head = `${method} ${path} HTTP/${version}\r\nHost: 127.0.0.1\r\n${header}\r\n\r\n`;
        const answer = await exchangeBytes(urls[port], Buffer.from(head + body));
        const said = answer.headers['connection'];
        if (!(answer.status >= 200) || said !== 'close')
          kept.push(`${method} ${path} ${header}: ${answer.status} ${said}`);
      }),
    );
  }
  expect(kept).toEqual([]);
});

it.each(ports)('a body that has come leaves the connection open: port %s', async (port) => {
  const head = 'POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n';
  const last = `${head}Connection: close\r\nContent-Length: 1\r\n\r\nx`;
  const { status, body } = await exchangeBytes(
    urls[port],
    Buffer.from(`GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${last}`),
  );
  expect(status).toBe(port === 'API' ? 404 : 200);
  expect(body).toContain('HTTP/1.1 404 ');
});
