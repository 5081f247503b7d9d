import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import { freePort } from '../../local/free-port.ts';
import { leastIdAt } from '../../src/domain/ids.ts';
import { bucketOf } from '../../src/domain/bucket.ts';
import { problems } from '../../src/ops/problems/table.ts';
import { openPostingPause } from '../../src/storage/posting-pause.ts';
import { clockOffBy } from '../faults/harness/clock-off-by.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { readAlertRules } from '../support/alert-rules.ts';
import { createAuthority } from '../support/certificates.ts';
import { parseMetrics, type Sample } from '../support/metrics-text.ts';
import { neglectWebhook } from '../support/neglected-webhook.ts';
import { withDatabase } from '../support/database.ts';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import type { MemberProcess } from '../support/members.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { insertExpiredHold, insertFaultyScheduled } from '../support/pending-order.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

const opsToken = 'token-of-the-alerts-test';
const stopTimeoutMs = 20_000;
/** Each look is at every process, and each of the tests that run at once has its own. */
const lookEveryMs = 1_000;
/** A process that takes longer shows nothing, as to Prometheus. */
const scrapeTimeoutMs = 3_000;
const maxTimeMsExpired = 50;
/** Lasts until it is cleared. */
const always = 1_000_000;

const rules = await readAlertRules();
const provoked = new Set<string>();
// Servers of this file's own, to be broken as it needs.
const folder = mkdtempSync(join(tmpdir(), 'test-alerts-'));
const authority = createAuthority(folder, 'authority');
let engine: Child<EngineReady>;
let mongo: MongoClient;
let redis: OwnRedis;
let tlsUrl: string;
let service: ServiceProcesses;
/** In different buckets: a load that is in one asks for no second worker. */
let payers: Payer[];

beforeAll(async () => {
  engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
  const mongodbUri = withDatabase((await engine.ready).uri, 'alerts');
  mongo = new MongoClient(mongodbUri);
  const tlsPort = await freePort();
  const { certFile, keyFile } = authority.sign('redis', 'IP:127.0.0.1', 1);
  const certificate = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', authority.file];
  redis = await startRedis({ args: ['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', ...certificate] });
  tlsUrl = `rediss://127.0.0.1:${tlsPort}`;
  const env = {
    OPS_TOKEN: opsToken,
    KEY_RATE_PER_SECOND: '10000',
    BACKLOG_MAX: '1400',
    WEBHOOK_ALLOW_LOCAL: 'true',
  };
  service = await startServiceProcesses({ workers: 1, mongodbUri, redisUrl: redis.url, env });
  payers = [await createPayer()];
  while (new Set(payers.map(bucketOfPayer)).size < 2) payers.push(await createPayer());
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
  await mongo.close();
  await engine.stop(stopTimeoutMs);
  rmSync(folder, { recursive: true });
});

/** Where figures are read besides the service's processes, and those of it where they are not. */
const moreTargets = new Set<string>();
let leftOut = new Set<string>();
const urlOf = (opsPort: number) => `http://127.0.0.1:${opsPort}`;

async function opsUrls(): Promise<string[]> {
  const all = await Promise.all([...service.webs, ...service.workers].map(({ ready }) => ready));
  return [...all.map(({ opsPort }) => urlOf(opsPort)), ...moreTargets].filter((url) => !leftOut.has(url));
}

async function endWorker(worker: MemberProcess): Promise<void> {
  expect((await worker.stop(stopTimeoutMs)).code).toBe(0);
  service.workers.splice(service.workers.indexOf(worker), 1);
}

interface Payer extends TestWorkspace {
  wallets: [string, string];
}

async function createPayer(): Promise<Payer> {
  const workspace = await createWorkspace(service);
  return { ...workspace, wallets: [await workspace.wallet('100000'), await workspace.wallet('100000')] };
}

const headers = { Authorization: `Bearer ${opsToken}` };

async function samplesOf(url: string): Promise<Sample[]> {
  const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(scrapeTimeoutMs) }).catch(
    () => undefined,
  );
  if (answer === undefined) return [];
  return [...parseMetrics(await answer.text()).values()].flatMap(({ samples }) => samples);
}

/** The values of a metric at all processes, of the series that have these labels. */
type Figures = (name: string, labels?: Readonly<Record<string, string>>) => number[];

async function readFigures(): Promise<Figures> {
  const samples = (await Promise.all((await opsUrls()).map(samplesOf))).flat();
  return (name, labels = {}) =>
    samples.flatMap((sample) =>
      sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels.get(label) === text)
        ? sample.value
        : [],
    );
}

const most = (values: readonly number[]): number => Math.max(-Infinity, ...values);

/**
 * What the alerts' rules ask of the figures, but for how long; those about rates are the page's too, word for word. That a rule
 * fires for such figures is shown by alert-timing.test.ts.
 */
const figuresOf: Readonly<Record<string, (figures: Figures) => boolean>> = {
  ApiGone: (figures) => !figures('transfers_starting', { process: 'web' }).includes(0),
  BacklogOld: (figures) => most(figures('transfers_oldest_pending_age_seconds')) > 15,
  'CertificateExpires redis': (figures) =>
    figures('transfers_certificate_expiry_timestamp_seconds', { server: 'redis' }).some(
      (expiry) => expiry < Date.now() / 1_000 + 14 * 86_400,
    ),
  ClockOff: (figures) => figures('transfers_clock_offset_seconds').some((offset) => Math.abs(offset) > 1),
  DueLate: (figures) => most(figures('transfers_due_late')) > 0,
  NoWorkers: (figures) => most(figures('transfers_workers_alive')) === 0,
  OrdersStuck: (figures) =>
    most([...figures('transfers_stuck_orders'), ...figures('transfers_orders_unknown_type_total')]) > 0,
  PostingPaused: (figures) => most(figures('transfers_posting_paused')) > 0,
  'ProcessesLost worker': (figures) => most(figures('transfers_processes_lost', { process: 'worker' })) > 2,
  ScrapeFails: (figures) =>
    most(figures('transfers_workers_alive')) > figures('transfers_build_info', { process: 'worker' }).length,
  'ServerDown mongodb': (figures) => most(figures('transfers_server_up', { server: 'mongodb' })) === 0,
  'ServerDown redis': (figures) => most(figures('transfers_server_up', { server: 'redis' })) === 0,
  ServiceUnread: (figures) =>
    Math.min(...figures('transfers_server_up')) === 1 && figures('transfers_pending_orders').length === 0,
  WebhooksBehind: (figures) => most(figures('transfers_webhook_unattended_seconds')) > 900,
};

const bucketOfPayer = ({ workspaceId }: Payer) => bucketOf(workspaceId);

const create = (headers = {}, { client, wallets: [sourceWalletId, targetWalletId] } = payers[0]!) =>
  client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', {
    body: { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' },
    headers,
  });
const createMany = (count: number, headers = {}, payer = payers[0]!) =>
  Promise.all(Array.from({ length: count }, () => create(headers, payer)));

/** The page of the whole service, as its first web process shows it now. */
async function overviewPage(): Promise<string> {
  return (await fetch(`${service.opsUrl}/`, { headers })).text();
}

/** Waits until the figures of all these alerts are as they have to be, and the page has told each of them that it tells. */
async function expectHolding(names: string[], timeoutMs = 60_000): Promise<void> {
  const alertsOf = names.map((name) => name.split(' ')[0] ?? '');
  const untold = new Map(
    problems.flatMap(({ name, what, page }) =>
      'seen' in page && alertsOf.includes(name) ? [[name, what] as const] : [],
    ),
  );
  const unseen = new Set(names.filter((name) => name in figuresOf));
  await waitFor(
    async () => {
      if (untold.size > 0) {
        const page = (await overviewPage()).replaceAll('&#39;', "'");
        // By itself, or as what follows from another.
        for (const [name, what] of untold) if (page.includes(what)) untold.delete(name);
      }
      const figures = await readFigures();
      for (const name of unseen) if (figuresOf[name]!(figures)) unseen.delete(name);
      expect([...untold.keys()], 'not told by the page').toEqual([]);
      expect([...unseen], 'not to be seen in the figures').toEqual([]);
      return true;
    },
    { timeoutMs, intervalMs: lookEveryMs, what: `the condition of ${names.join(' and ')}` },
  );
  for (const name of alertsOf) provoked.add(name);
}

const holding = (figures: Figures, names = Object.keys(figuresOf)) => names.filter((name) => figuresOf[name]!(figures));

/** Looks anew each time: what was late is still posted for a while, and a type that was unknown stays counted. */
async function expectQuiet(): Promise<void> {
  await waitFor(
    async () => {
      expect(await overviewPage()).toContain('>All well</h2>');
      expect(holding(await readFigures()).filter((name) => name !== 'OrdersStuck')).toEqual([]);
      return true;
    },
    { timeoutMs: 120_000, intervalMs: 250, what: 'that nothing is wrong' },
  );
}

/** Waits until the figures of these alerts are in order again, whatever others are provoked meanwhile. */
const expectOver = (names: string[]) =>
  waitFor(async () => holding(await readFigures(), names).length === 0, {
    timeoutMs: 90_000,
    intervalMs: lookEveryMs,
    what: `that ${names.join(' and ')} no longer hold`,
  });

const orders = () => mongo.db().collection<{ _id: string; status: string; request?: unknown }>('orders');

/**
 * Records an order like one that was just created, but older and PENDING: that one may be posted by now.
 * @param changes of its document. @returns its id.
 */
async function insertOlder(byMs: number, changes: object = {}): Promise<string> {
  const { status, envelope } = await create();
  expect(status).toBe(200);
  const { request: _, ...created } = (await orders().findOne({ _id: envelope?.data.transferId ?? '' }))!;
  const id = leastIdAt('order', new Date(Date.now() - byMs));
  await orders().insertOne({ ...created, ...changes, _id: id, ...{ bizId: id, status: 'PENDING', completedAt: null } });
  return id;
}

/** Waits until the most that any process shows is this. */
const untilMost = (name: string, value: number, timeoutMs = 60_000) =>
  waitFor(async () => most((await readFigures())(name)) === value, { timeoutMs, intervalMs: 250 });

describe('the condition of an alert', () => {
  it('holds for none in normal service', async () => {
    // Until the workers have reported.
    await expectQuiet();
    for (let round = 0; round < 4; round += 1) {
      for (const { status } of await createMany(10, { Prefer: 'wait=10' })) expect(status).toBe(200);
      expect((await payers[0]!.client.request('GET', '/api/v1/wallets')).status).toBe(200);
      expect(holding(await readFigures())).toEqual([]);
      expect(await overviewPage()).toContain('>All well</h2>');
    }
  });

  it('SignaturesRefused, by requests without a key', async () => {
    const answers = await Promise.all(Array.from({ length: 1_200 }, () => fetch(`${service.baseUrl}/api/v1/wallets`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    await expectHolding(['SignaturesRefused']);
  }, 90_000);

  it('PostingPaused, by an operator', async () => {
    const postingPause = openPostingPause(mongo.db());
    await postingPause.set(true);
    await expectHolding(['PostingPaused']);
    await postingPause.set(false);
    await expectQuiet();
  }, 150_000);

  it('ClockOff, by a worker whose clock is behind', async () => {
    const late = await service.startWorker(clockOffBy(-5_000));
    await expectHolding(['ClockOff']);
    await endWorker(late);
    await expectQuiet();
  }, 150_000);

  it('ScrapeFails, by a worker that is no target', async () => {
    const { opsPort = 0 } = (await service.workers[0]?.ready) ?? {};
    leftOut = new Set([urlOf(opsPort)]);
    await expectHolding(['ScrapeFails']);
    leftOut = new Set();
    await expectQuiet();
  }, 150_000);

  it('CertificateExpires, by a Redis whose certificate is valid for another day', async () => {
    const worker = await service.startWorker({ REDIS_URL: tlsUrl, REDIS_TLS_CA_FILE: authority.file });
    await expectHolding(['CertificateExpires redis']);
    await endWorker(worker);
    await expectQuiet();
  }, 150_000);

  // None of these disturbs another, and what waits longest begins; a scrape is of them all.
  describe.concurrent('beside others', () => {
    afterAll(() => expectQuiet());

    it('OrdersStuck, by an order that cannot be posted', async () => {
      const odd = await payers[0]!.wallet('10', 'EUR');
      // As if a fault had got in: the API itself refuses a target of another currency. Old enough for the sweeper.
      const stuckId = await insertOlder(10_000, { targetWalletId: odd });
      await expectHolding(['OrdersStuck']);
      await untilMost('transfers_stuck_orders', 1);
      await orders().deleteOne({ _id: stuckId });
      await untilMost('transfers_stuck_orders', 0);
    }, 150_000);

    it('OrdersStuck too, by an order of a later release; DueLate, because it refers to a hold', async () => {
      const [payer] = payers;
      const sides = { sourceWalletId: payer!.wallets[0], targetWalletId: payer!.wallets[1] };
      const values = { workspaceId: payer!.workspaceId, ...sides, currency: 'USD' };
      const laterId = await insertOlder(10_000, { type: 'LATER' });
      const parentId = await insertExpiredHold(mongo.db(), values);
      // At once: a hold that nothing refers to is released within two seconds.
      await orders().updateOne({ _id: laterId }, { $set: { parentId } });
      await waitFor(async () => most((await readFigures())('transfers_orders_unknown_type_total')) > 0, {
        timeoutMs: 60_000,
      });
      await expectHolding(['OrdersStuck', 'DueLate']);
      await orders().deleteMany({ _id: { $in: [laterId, parentId] } });
    }, 300_000);

    it('DueLate, by a scheduled order whose document is at fault', async () => {
      const [payer] = payers;
      const sides = { sourceWalletId: payer!.wallets[0], targetWalletId: payer!.wallets[1] };
      const values = { workspaceId: payer!.workspaceId, ...sides, currency: 'USD' };
      const faultyId = await insertFaultyScheduled(mongo.db(), values);
      await waitFor(async () => figuresOf['DueLate']!(await readFigures()), { timeoutMs: 60_000 });
      await orders().deleteOne({ _id: faultyId });
    }, 150_000);

    it('WebhooksBehind, by workers that do not come', async () => {
      const receiver = await startReceiver((_, response) => void response.end());
      // No payer's: an order that the others settle would wake its sender.
      const workspace = await createWorkspace(service);
      const id = await workspace.webhook(receiver.url);
      const attend = await neglectWebhook(mongo.db(), redis.url, id);
      await expectHolding(['WebhooksBehind']);
      await attend();
      await workspace.post(`webhooks/${id}/test`);
      await expectOver(['WebhooksBehind']);
      await workspace.client.request('DELETE', `/api/v1/webhooks/${id}`);
      await receiver.close();
    }, 150_000);
  });

  it('PostingFails, by commits that take too long', async () => {
    await failCommands(mongo, always, { failCommands: ['commitTransaction'], errorCode: maxTimeMsExpired });
    try {
      for (const { status } of await createMany(200)) expect(status).toBe(200);
      await expectHolding(['PostingFails']);
    } finally {
      await clearFailPoint(mongo);
    }
    await untilMost('transfers_pending_orders', 0);
    await expectQuiet();
  }, 240_000);

  it('MongoSlow and ApiSlow, by a MongoDB that takes 3 s to record and to commit', async () => {
    const slow = { blockConnection: true, blockTimeMS: 3_000 };
    await failCommands(mongo, always, { failCommands: ['commitTransaction', 'insert'], ...slow });
    try {
      const endsAt = performance.now() + 20_000;
      while (performance.now() < endsAt) for (const { status } of await createMany(5)) expect(status).toBe(200);
      await expectHolding(['MongoSlow', 'ApiSlow']);
    } finally {
      await clearFailPoint(mongo);
    }
    await untilMost('transfers_pending_orders', 0);
    await expectQuiet();
  }, 240_000);

  it('NoWorkers, BacklogOld and ScrapeFails, by workers that died; ProcessesLost, once another sees it', async () => {
    while (service.workers.length < 3) await service.startWorker();
    // One that dies before it has reported is not missed by anybody.
    const reported = { kind: 'worker', report: { $exists: true } };
    await waitFor(async () => (await mongo.db().collection('posters').countDocuments(reported)) >= 3);
    for (const worker of service.workers) worker.kill('SIGKILL');
    await Promise.all(service.workers.map(({ exited }) => exited));
    await insertOlder(10_000);
    await expectHolding(['NoWorkers', 'BacklogOld', 'ScrapeFails']);
    // Whoever finds targets drops those that are gone.
    service.workers.length = 0;
    await service.startWorker();
    await expectHolding(['ProcessesLost worker']);
    await untilMost('transfers_pending_orders', 0);
    // As after the half hour for which they count.
    await mongo.db().collection('posters').deleteMany({});
    await expectQuiet();
  }, 240_000);

  it('ServiceUnread, by a MongoDB that answers, and refuses to be read', async () => {
    await failCommands(mongo, always, { failCommands: ['find', 'aggregate'], errorCode: maxTimeMsExpired });
    try {
      await expectHolding(['ServiceUnread']);
      expect(await overviewPage()).not.toContain('All well');
    } finally {
      await clearFailPoint(mongo);
    }
    await expectQuiet();
  }, 180_000);

  it('ServerDown, by a MongoDB that hangs; the page says so, and an order’s does not hang', async () => {
    engine.kill('SIGSTOP');
    try {
      await expectHolding(['ServerDown mongodb']);
      expect(await overviewPage()).toMatch(/<b>A server is away: MongoDB \([^)]+\), since /);
      const signal = AbortSignal.timeout(5_000);
      const order = await fetch(`${service.opsUrl}/search?id=${leastIdAt('order', new Date())}`, { headers, signal });
      expect(order.status).toBe(503);
      expect(await order.text()).toContain('cannot be looked up');
    } finally {
      engine.kill('SIGCONT');
    }
    await expectQuiet();
  }, 180_000);

  it('ServerDown and ApiErrors, by a Redis that died', async () => {
    await redis.kill();
    await waitFor(async () => (await create()).status === 503);
    await createMany(5);
    await expectHolding(['ServerDown redis', 'ApiErrors']);
    await redis.restart();
    await expectQuiet();
  }, 180_000);

  it('ApiGone, by a web process that died, and while another one waits for Redis', async () => {
    service.webs[0]?.kill('SIGKILL');
    await service.webs[0]?.exited;
    await expectHolding(['ApiGone']);
    service.webs.length = 0;
    await redis.kill();
    const opsPort = await freePort();
    const starting = service.startWeb({ OPS_PORT: String(opsPort) });
    moreTargets.add(urlOf(opsPort));
    await waitFor(async () => (await readFigures())('transfers_starting', { process: 'web' }).includes(1), {
      timeoutMs: 60_000,
    });
    expect(holding(await readFigures())).toContain('ApiGone');
    await redis.restart();
    await starting;
    await expectOver(['ApiGone']);
    moreTargets.clear();
  }, 120_000);

  it('was provoked for every alert there is', () => {
    expect([...provoked].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});
