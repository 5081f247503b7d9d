import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/http/server.ts';
import { createHealth } from '../../src/ops/health.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { startOpsServer } from '../../src/ops/server.ts';
import { addOverviewRoutes } from '../../src/ops/pages.ts';

const token = 'right-token-of-the-operator';
const health = createHealth(
  { mongodb: () => Promise.resolve(true) },
  {
    isStarting: () => false,
    isDraining: () => false,
    wrongSetting: () => undefined,
  },
);
const metrics = createMetrics();
const options = { health, metrics, log: pino({ level: 'silent' }) };
/** How many wrong tokens one address may present in a minute. */
const guessesMax = 30;

let open: RunningServer;
let guarded: RunningServer;
beforeAll(async () => {
  open = await startOpsServer({ ...options, token: undefined }, '127.0.0.1', 0);
  guarded = await startOpsServer({ ...options, token }, '127.0.0.1', 0);
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

function get({ port }: RunningServer, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; text: string; challenge: string | undefined; retryAfter: string | undefined }>(
    (resolve, reject) => {
      request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => (text += chunk));
        res.on('end', () => {
          const { 'www-authenticate': challenge, 'retry-after': retryAfter } = res.headers;
          resolve({ status: res.statusCode ?? 0, text, challenge, retryAfter });
        });
      })
        .on('error', reject)
        .end();
    },
  );
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('with a token', () => {
  it.each([`Bearer ${token}`, `bearer ${token}`, basic('anyone', token), basic('', token)])(
    'who presents it is let in: %s',
    async (authorization) => {
      expect((await get(guarded, '/metrics', { authorization })).status).toBe(200);
    },
  );

  it.each([
    ['none', undefined],
    ['another', 'Bearer wrong-token-of-somebody'],
    ['its beginning', `Bearer ${token.slice(0, -1)}`],
    ['more', `Bearer ${token}x`],
    ['another password', basic('admin', 'wrong')],
    ['the token as the user', basic(token, '')],
    ['no colon', `Basic ${Buffer.from(token).toString('base64')}`],
    ['another scheme', `Digest ${token}`],
    ['the bare token', token],
  ])('who presents %s is refused', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, challenge, text } = await get(guarded, '/metrics', headers);
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Basic /);
    expect(text).not.toContain('transfers_');
  });

  it('probes need none, and then learn no reasons; a wrong one is refused there too', async () => {
    expect(await get(guarded, '/livez')).toMatchObject({ status: 200 });
    expect(JSON.parse((await get(guarded, '/readyz')).text)).toEqual({ status: 'ready' });
    expect((await get(guarded, '/readyz', { authorization: 'Bearer wrong-token' })).status).toBe(401);
    const { text } = await get(guarded, '/readyz', { authorization: `Bearer ${token}` });
    expect(JSON.parse(text)).toMatchObject({ status: 'ready', draining: false, mongodb: 'up' });
    expect(text).toMatch(/"since":\{"mongodb":"\d{4}-/);
  });

  it('another site cannot act through the operator’s browser', async () => {
    const headers = { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' };
    expect(await get(guarded, '/queues', headers, 'POST')).toMatchObject({ status: 403, challenge: undefined });
    const own = { ...headers, origin: `http://127.0.0.1:${guarded.port}` };
    expect((await get(guarded, '/queues', own, 'POST')).status).toBe(404);
  });
});

describe('guesses of the token', () => {
  const authorization = `Bearer ${token}`;
  const servers: RunningServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function serverWithGuesses(before: (server: RunningServer) => Promise<unknown>): Promise<RunningServer> {
    const server = await startOpsServer({ ...options, token }, '127.0.0.1', 0);
    servers.push(server);
    await before(server);
    for (let time = 1; time <= guessesMax; time += 1) {
      expect((await get(server, '/metrics', { authorization: `Bearer guess-${time}` })).status).toBe(401);
    }
    return server;
  }

  it('are limited; then a right one that was never seen there is answered as a wrong one, and the probes still', async () => {
    const own = await serverWithGuesses(() => Promise.resolve());
    expect((await get(own, '/metrics')).status).toBe(401);
    const answers = [];
    for (const guess of ['Bearer another', authorization, basic('admin', token)]) {
      const { status, retryAfter, challenge, text } = await get(own, '/metrics', { authorization: guess });
      expect(Number(retryAfter)).toBeGreaterThan(0);
      answers.push({ status, challenge, text });
    }
    expect(answers).toEqual(Array(3).fill({ ...answers[0], status: 429, challenge: undefined }));
    expect((await get(own, '/livez')).status).toBe(200);
    expect((await get(own, '/readyz')).status).toBe(200);
  });

  it('do not lock out who presented the right one from there before; a wrong one stays refused', async () => {
    const own = await serverWithGuesses((server) => get(server, '/metrics', { authorization }));
    expect((await get(own, '/metrics', { authorization: 'Bearer another' })).status).toBe(429);
    expect((await get(own, '/metrics', { authorization })).status).toBe(200);
    expect((await get(own, '/metrics', { authorization: basic('anyone', token) })).status).toBe(200);
    expect((await get(own, '/metrics', { authorization: `Bearer ${token.slice(0, -1)}` })).status).toBe(429);
  });
});

describe('a request that fails', () => {
  const failing: RunningServer[] = [];
  afterAll(() => Promise.all(failing.map((server) => server.close())));

  it('shows no stack, no path and no reason', async () => {
    const overview = () => Promise.reject(new Error('the reason'));
    const server = await startOpsServer({ ...options, token: undefined }, '127.0.0.1', 0);
    server.show({
      overview,
      addRoutes(app) {
        addOverviewRoutes(app, overview, () => []);
      },
    });
    failing.push(server);
    for (const path of ['/', '/scaling', '/metrics']) {
      expect(await get(server, path)).toMatchObject({ status: 500, text: 'This failed; the log says why.\n' });
    }
  });
});

describe('without a token, on loopback', () => {
  it.each(['127.0.0.1', 'localhost:3001', '[::1]:3001'])('Host %s is answered', async (host) => {
    expect((await get(open, '/metrics', { host })).status).toBe(200);
  });

  it('a name that another site made to point here is refused', async () => {
    expect((await get(open, '/metrics', { host: 'rebound.example' })).status).toBe(403);
  });

  it('what is not there is a 404, and a process that does not show the service has no page', async () => {
    for (const path of ['/', '/queues', '/scaling', '/nothing']) expect((await get(open, path)).status).toBe(404);
  });
});
