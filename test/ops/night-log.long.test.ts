import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import { withDatabase } from '../support/database.ts';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

// What the log says of a night in which Redis dies, MongoDB dies, and MongoDB freezes, while requests come. One web and one
// worker, which sends webhooks too.

const outageMs = 8_000;
const stopTimeoutMs = 20_000;
/** What a process may need to find out that a server answers again. */
const noticedWithinMs = 30_000;
const processes = ['web', 'worker'] as const;

interface Line {
  name: (typeof processes)[number];
  time: string;
  level: number;
  msg: string;
  event?: string;
  server?: string;
  why?: string;
  work?: string;
  step?: string;
  awayMs?: number;
}

interface Outage {
  server: 'redis' | 'mongodb';
  began: number;
  ended: number;
}

let folder: string;
let engine: Child<EngineReady>;
let redis: OwnRedis;
let service: ServiceProcesses;
let workspace: TestWorkspace;
/** Its key may make one request a second. */
let limited: TestWorkspace;
let wallets: [string, string];
let lines: Line[];
const outages: Outage[] = [];

const startEngine = (port: number) =>
  startEngineProcess({ port, file: join(folder, 'db.sqlite'), exitsWithParent: true, onLine: () => undefined });

async function create(): Promise<number> {
  const [sourceWalletId, targetWalletId] = wallets;
  const body = { sourceWalletId, targetWalletId, amount: '0.01', currency: 'USD' };
  return (await workspace.client.request('POST', '/api/v1/transfer/command/create', { body })).status;
}

const parsed = () => service.logs.map((text) => JSON.parse(text) as Line);
const of = (name: Line['name']) => lines.filter((line) => line.name === name);
const ms = (time: string | undefined) => Date.parse(time ?? '');
const recoveries = (server: string) => parsed().filter((line) => line.event === 'recovered' && line.server === server);

/** Ends once both processes have said that the server answers again, and a create is accepted. */
async function outage(server: Outage['server'], begin: () => Promise<unknown>, end: () => Promise<unknown>) {
  const before = recoveries(server).length;
  const began = Date.now();
  await begin();
  await delay(outageMs);
  await end();
  outages.push({ server, began, ended: Date.now() });
  await waitFor(() => recoveries(server).length >= before + processes.length, { timeoutMs: noticedWithinMs });
  await waitFor(async () => (await create()) === 200, { timeoutMs: noticedWithinMs });
}

function signal(name: NodeJS.Signals): Promise<void> {
  engine.kill(name);
  return Promise.resolve();
}

async function spendNight(): Promise<void> {
  await outage(
    'redis',
    () => redis.kill(),
    () => redis.restart(),
  );
  const port = (await engine.ready).port;
  await outage(
    'mongodb',
    () => {
      engine.kill('SIGKILL');
      return engine.exited;
    },
    async () => {
      engine = await startEngine(port);
      await engine.ready;
    },
  );
  await outage(
    'mongodb',
    () => signal('SIGSTOP'),
    () => signal('SIGCONT'),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'night-'));
  engine = await startEngine(0);
  redis = await startRedis({ persistent: true });
  service = await startServiceProcesses({
    mongodbUri: withDatabase((await engine.ready).uri, 'night'),
    redisUrl: redis.url,
    env: { WEBHOOK_ALLOW_LOCAL: 'true' },
  });
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('1000'), await workspace.wallet()];
  const body = { url: 'http://127.0.0.1:9/nobody-there', events: ['transfer.completed'] };
  expect((await workspace.client.request('POST', '/api/v1/webhooks', { body })).status).toBe(200);
  const headers = { 'X-Nonce': 'nonce-of-a-forger', 'X-Signature': `${'A'.repeat(43)}=` };
  expect((await workspace.client.request('GET', '/api/v1/wallets', { headers })).status).toBe(401);
  limited = await createWorkspace(service);
  await service.admin('key', 'rate', '--key', limited.apiKey, '--per-second', '1', '--burst', '1');
  await Promise.all(Array.from({ length: 30 }, () => limited.client.request('GET', '/api/v1/wallets')));

  const over = new AbortController();
  const asking = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      await create().catch(() => undefined);
      await delay(100);
    }
  });
  await spendNight();
  over.abort();
  await Promise.all(asking);
  for (const member of [...service.webs, ...service.workers]) await member.stop(stopTimeoutMs);
  lines = parsed();
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
  await engine.stop(stopTimeoutMs);
  await rm(folder, { recursive: true, force: true });
});

describe.each(processes)('the log of the %s process', (name) => {
  it('is in the order of its times', () => {
    const times = of(name).map(({ time }) => ms(time));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('says once that a server is away, and once that it answers again and for how long it did not', () => {
    for (const server of ['redis', 'mongodb']) {
      const states = of(name).filter((line) => line.server === server && line.event !== undefined);
      const title = server === 'redis' ? 'Redis' : 'MongoDB';
      const expected = outages.flatMap((each) =>
        each.server === server ? [`${title} is away`, `${title} answers again`] : [],
      );
      expect(states.map(({ msg }) => msg)).toEqual(expected);
      const inTurn = outages.filter((each) => each.server === server);
      for (const [index, { began, ended }] of inTurn.entries()) {
        const [away, again] = states.slice(2 * index, 2 * index + 2);
        const seen = ms(away?.time);
        expect(seen).toBeGreaterThanOrEqual(began);
        expect(seen).toBeLessThanOrEqual(ended);
        expect(again?.awayMs).toBeGreaterThan(1_000);
        expect(again?.awayMs).toBeLessThan(ended - began + noticedWithinMs);
      }
    }
  });

  it('says nothing of what fails while a server is known to be away, and little of each outage', () => {
    const failures = of(name).filter(({ level, event }) => level >= 40 && event === undefined);
    const server = (line: Line) => line.server ?? 'any';
    for (const { began, ended, server: gone } of outages) {
      const states = of(name).filter((line) => line.server === gone && line.event !== undefined);
      const [away] = states.filter(({ time }) => ms(time) >= began && ms(time) <= ended);
      const during = failures.filter(({ time }) => ms(time) > ms(away?.time) && ms(time) < ended);
      expect.soft(during.filter((line) => ['any', gone].includes(server(line))).map(({ msg }) => msg)).toEqual([]);
    }
    expect(of(name).length).toBeLessThan(60);
  });

  it('has each end of work that failed after its failures', () => {
    const failing = new Set<string>();
    for (const { work, event } of of(name)) {
      if (work === undefined) continue;
      if (event === undefined) failing.add(work);
      else expect(failing, `${work} works again`).toContain(work);
    }
  });
});

describe('a refused request is logged as what it is', () => {
  const refused = (msg: string) => of('web').filter((line) => line.msg === msg);

  it('over its rate, and not as a failed signature', () => {
    const [first] = refused('request over its rate');
    expect(first).toMatchObject({ level: 40, why: 'KEY_RATE_EXCEEDED', keyId: limited.apiKey });
  });

  it('failed at a step of authentication', () => {
    const found = refused('request refused by the authentication pipeline');
    expect(found).toMatchObject([{ step: 'signature', why: 'SIGNATURE_MISMATCH', keyId: workspace.apiKey }]);
  });
});
