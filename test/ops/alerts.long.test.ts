import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import { freePort } from '../../local/free-port.ts';
import { leastIdAt } from '../../src/domain/ids.ts';
import { partitionOf } from '../../src/domain/partition.ts';
import { anchorOf } from '../../src/ops/markdown.ts';
import { problems } from '../../src/ops/problems/table.ts';
import { queueNameOf } from '../../src/queue/queue.ts';
import { openPartitioning } from '../../src/storage/partitioning/partitioning.ts';
import { clockOffBy } from '../faults/harness/clock-off-by.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { readAlertRules, watchAlerts, type AlertWatch } from '../support/alert-rules.ts';
import { createAuthority } from '../support/certificates.ts';
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
/** Time enough for a busy machine to start a process that says what is wrong, and never becomes ready. */
const neverReadyMs = 45_000;
/** Each scrape is of every process, and each of the tests that run at once has its own. */
const scrapeEveryMs = 1_000;
const maxTimeMsExpired = 50;
const writeConflict = 112;
/** Fewer than a group tries. */
const conflictsOfOne = 10;
/** Lasts until it is cleared. */
const always = 1_000_000;
/** Unless it is set. */
const partitionCount = 8;

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
let alerts: AlertWatch;
/** In different partitions: a load that is in one asks for no second worker. */
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
  alerts = watchAlerts(rules, opsUrls, { Authorization: `Bearer ${opsToken}` });
  payers = [await createPayer()];
  while (new Set(payers.map(partitionOfPayer)).size < 2) payers.push(await createPayer());
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
  await mongo.close();
  await engine.stop(stopTimeoutMs);
  rmSync(folder, { recursive: true });
});

/** Targets of the scrapes besides the service's, and those of it that are none. */
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

const partitionOfPayer = ({ workspaceId }: Payer) => partitionOf(workspaceId, partitionCount);

const create = (headers = {}, { client, wallets: [sourceWalletId, targetWalletId] } = payers[0]!) =>
  client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', {
    body: { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' },
    headers,
  });
const createMany = (count: number, headers = {}, payer = payers[0]!) =>
  Promise.all(Array.from({ length: count }, () => create(headers, payer)));

/** The page of the whole service, as its first web process shows it now. */
async function livePage(): Promise<string> {
  return (await fetch(`${service.opsUrl}/live`, { headers: { Authorization: `Bearer ${opsToken}` } })).text();
}

/**
 * Scrapes until the conditions of all these alerts hold at once, each at least once in this file, and the page has told each
 * of them that it tells.
 */
async function expectHolding(names: string[], timeoutMs = 60_000): Promise<void> {
  const alertsOf = names.map((name) => name.split(' ')[0] ?? '');
  const untold = new Set(problems.flatMap(({ name, page }) => ('seen' in page && alertsOf.includes(name) ? name : [])));
  let haveHeld = false;
  await waitFor(
    async () => {
      if (untold.size > 0) {
        const page = await livePage();
        for (const name of untold) if (page.includes(`id="problem-${anchorOf(name)}"`)) untold.delete(name);
      }
      const holding = haveHeld ? names : await alerts.holding();
      for (const name of names) expect(holding).toContain(name);
      haveHeld = true;
      expect([...untold], 'not told by the page').toEqual([]);
      return true;
    },
    { timeoutMs, intervalMs: scrapeEveryMs, what: `the condition of ${names.join(' and ')}` },
  );
  for (const name of alertsOf) provoked.add(name);
}

/** Looks anew each time: what was late is still posted for a while. */
async function expectQuiet(): Promise<void> {
  await waitFor(
    async () => {
      await alerts.begin();
      expect(await alerts.holding()).toEqual([]);
      return true;
    },
    { timeoutMs: 90_000, intervalMs: 250, what: 'that no condition holds' },
  );
}

/** Scrapes until the conditions of these alerts hold no more, whatever others are provoked meanwhile. */
const expectOver = (names: string[]) =>
  waitFor(
    async () => {
      const holding = await alerts.holding();
      for (const name of names) expect(holding).not.toContain(name);
      return true;
    },
    { timeoutMs: 90_000, intervalMs: scrapeEveryMs, what: `that ${names.join(' and ')} no longer hold` },
  );

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

const untilSettled = (timeoutMs = 30_000) =>
  waitFor(async () => (await alerts.ask('max(transfers_pending_orders)')) === 0, { timeoutMs, intervalMs: 250 });

describe('the condition of an alert', () => {
  it('holds for none in normal service', async () => {
    // Until the workers have taken their partitions.
    await expectQuiet();
    for (let round = 0; round < 4; round += 1) {
      for (const { status } of await createMany(10, { Prefer: 'wait=10' })) expect(status).toBe(200);
      expect((await payers[0]!.client.request('GET', '/api/v1/wallets')).status).toBe(200);
      expect(await alerts.holding()).toEqual([]);
      expect(await livePage()).toContain('>All well</h2>');
    }
    await waitFor(async () => ((await alerts.ask('sum(transfers_orders_posted_total)')) ?? 0) >= 40);
    expect(await alerts.holding()).toEqual([]);
  });

  it('SignaturesRefused, by requests without a key', async () => {
    await alerts.begin();
    const answers = await Promise.all(Array.from({ length: 1_200 }, () => fetch(`${service.baseUrl}/api/v1/wallets`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    await expectHolding(['SignaturesRefused']);
  }, 90_000);

  it('OperationsDenied, by a wrong token', async () => {
    await alerts.begin();
    const headers = { Authorization: 'Bearer of-another-operator' };
    for (let count = 0; count < 10; count += 1) {
      expect((await fetch(`${service.opsUrl}/metrics`, { headers })).status).toBe(401);
    }
    await expectHolding(['OperationsDenied']);
  }, 90_000);

  it('ClockOff and ClocksApart, by a worker whose clock is behind', async () => {
    await alerts.begin();
    const late = await service.startWorker(clockOffBy(-5_000));
    await expectHolding(['ClockOff', 'ClocksApart']);
    await endWorker(late);
    await expectQuiet();
  }, 150_000);

  it('Contention, by write conflicts one after the other', async () => {
    await alerts.begin();
    await failCommands(mongo, conflictsOfOne, {
      failCommands: ['commitTransaction'],
      errorCode: writeConflict,
    });
    await create({ Prefer: 'wait=10' });
    await expectHolding(['Contention']);
    await untilSettled();
  }, 120_000);

  it('WorkersUnscraped, by a worker that is no target', async () => {
    await alerts.begin();
    const { opsPort = 0 } = (await service.workers[0]?.ready) ?? {};
    leftOut = new Set([urlOf(opsPort)]);
    await expectHolding(['WorkersUnscraped']);
    leftOut = new Set();
    await expectQuiet();
  }, 150_000);

  it('CertificateExpires, by a Redis whose certificate is valid for another day', async () => {
    await alerts.begin();
    const worker = await service.startWorker({ REDIS_URL: tlsUrl, REDIS_TLS_CA_FILE: authority.file });
    await expectHolding(['CertificateExpires redis']);
    await endWorker(worker);
    await expectQuiet();
  }, 150_000);

  // None of these disturbs another, and what waits longest begins; a scrape is of them all.
  describe.concurrent('beside others', () => {
    beforeAll(() => alerts.begin());
    afterAll(() => expectQuiet());

    it('MasterKeysWrong, by a web process that was given others', async () => {
      const opsPort = await freePort();
      const MASTER_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`;
      const starting = service.startWeb({ MASTER_KEYS, OPS_PORT: String(opsPort) }, neverReadyMs);
      moreTargets.add(urlOf(opsPort));
      await expectHolding(['MasterKeysWrong'], neverReadyMs).finally(() => moreTargets.delete(urlOf(opsPort)));
      // It never becomes ready, and is given up.
      await expect(starting).rejects.toThrow('web');
      await expectOver(['MasterKeysWrong']);
    }, 150_000);

    it('QueuesDiffer, by a web process with another QUEUE_PREFIX', async () => {
      const opsPort = await freePort();
      const starting = service.startWeb({ QUEUE_PREFIX: 'other', OPS_PORT: String(opsPort) }, neverReadyMs);
      moreTargets.add(urlOf(opsPort));
      await expectHolding(['QueuesDiffer'], neverReadyMs).finally(() => moreTargets.delete(urlOf(opsPort)));
      await expect(starting).rejects.toThrow('web');
      await expectOver(['QueuesDiffer']);
    }, 150_000);

    it('CurrenciesDiffer, by an administrator who gives one more decimals than a process says', async () => {
      const web = await service.startWeb({ CURRENCIES: 'ABC:4' });
      await service.admin('currencies', 'set', '--currency', 'ABC', '--decimals', '6');
      await expectHolding(['CurrenciesDiffer']);
      expect((await web.stop(stopTimeoutMs)).code).toBe(0);
      service.webs.splice(service.webs.indexOf(web), 1);
      await expectOver(['CurrenciesDiffer']);
    }, 150_000);

    it('EnqueueFails, by a Redis that refuses jobs; the orders are swept once it takes them again', async () => {
      const connection = new Redis(redis.url);
      // The list of the jobs that wait, in BullMQ's own naming.
      const waitingJobsKey = `transfers:${queueNameOf(partitionOfPayer(payers.at(-1)!))}:wait`;
      try {
        await connection.set(waitingJobsKey, 'not a list');
        // Each in a group of its own, because a single failure is not told.
        for (let count = 0; count < 5; count += 1) expect((await create({}, payers.at(-1))).status).toBe(200);
        // No longer than that: a consumer that looks meanwhile tries again only after a while.
        await waitFor(async () => ((await alerts.ask('sum(transfers_enqueue_failures_total)')) ?? 0) >= 5);
      } finally {
        await connection.del(waitingJobsKey);
        connection.disconnect();
      }
      await expectHolding(['EnqueueFails']);
      await untilSettled();
    }, 120_000);

    it('OrdersStuck, by an order that cannot be posted', async () => {
      const odd = await payers[0]!.wallet('10', 'EUR');
      // As if a fault had got in: the API itself refuses a target of another currency. Old enough for the sweeper.
      const stuckId = await insertOlder(10_000, { targetWalletId: odd });
      await expectHolding(['OrdersStuck']);
      await orders().deleteOne({ _id: stuckId });
      await expectOver(['OrdersStuck']);
    }, 150_000);

    it('OrderTypeUnknown, by an order of a later release; ExpiryLate, because it refers to a hold', async () => {
      const [payer] = payers;
      const sides = { sourceWalletId: payer!.wallets[0], targetWalletId: payer!.wallets[1] };
      const values = { workspaceId: payer!.workspaceId, ...sides, currency: 'USD' };
      const laterId = await insertOlder(10_000, { type: 'LATER' });
      const parentId = await insertExpiredHold(mongo.db(), values);
      // At once: a hold that nothing refers to is released within two seconds.
      await orders().updateOne({ _id: laterId }, { $set: { parentId } });
      await expectHolding(['OrderTypeUnknown', 'ExpiryLate']);
      await orders().deleteMany({ _id: { $in: [laterId, parentId] } });
    }, 300_000);

    it('ScheduleLate, by a scheduled order whose document is at fault', async () => {
      const [payer] = payers;
      const sides = { sourceWalletId: payer!.wallets[0], targetWalletId: payer!.wallets[1] };
      const values = { workspaceId: payer!.workspaceId, ...sides, currency: 'USD' };
      const faultyId = await insertFaultyScheduled(mongo.db(), values);
      await expectHolding(['ScheduleLate']);
      await orders().deleteOne({ _id: faultyId });
      await expectOver(['ScheduleLate']);
    }, 150_000);

    it('PartitionPaused, by an operator', async () => {
      // No payer's: the others' orders are posted meanwhile.
      const partition = [0, 1, 2].find((each) => !payers.map(partitionOfPayer).includes(each))!;
      const partitioning = openPartitioning(mongo.db());
      await partitioning.setPaused(partition, true);
      await expectHolding(['PartitionPaused']);
      await partitioning.setPaused(partition, false);
      await expectOver(['PartitionPaused']);
    }, 150_000);

    it('WebhookEndpointDisabled, by a receiver that says it is gone; WebhooksBehind, by workers that do not come', async () => {
      const gone = await startReceiver((_, response) => void response.writeHead(410).end());
      // No payer's: an order that the others settle would have it disabled before the test is asked for.
      const { workspaceId } = await createWorkspace(service);
      const ofWorkspace = ['--workspace', workspaceId];
      const { id } = await service.admin<{ id: string }>('webhook', 'create', ...ofWorkspace, '--url', gone.url);
      await service.admin('webhook', 'test', ...ofWorkspace, '--webhook', id);
      await expectHolding(['WebhookEndpointDisabled']);
      gone.answerWith((_, response) => void response.end());
      await service.admin('webhook', 'enable', ...ofWorkspace, '--webhook', id);
      const attend = await neglectWebhook(mongo.db(), redis.url, id);
      await expectHolding(['WebhooksBehind']);
      await attend();
      await service.admin('webhook', 'test', ...ofWorkspace, '--webhook', id);
      await expectOver(['WebhookEndpointDisabled', 'WebhooksBehind']);
      await service.admin('webhook', 'delete', ...ofWorkspace, '--webhook', id, '--yes');
      await gone.close();
    }, 150_000);
  });

  it('PostingFails, WorkersShort and BacklogNearMax, by commits that take too long; LatencyHigh, once they pass', async () => {
    await alerts.begin();
    await failCommands(mongo, always, { failCommands: ['commitTransaction'], errorCode: maxTimeMsExpired });
    const startedAt = performance.now();
    try {
      for (let sent = 0; sent < 1_200; sent += 200)
        for (const { status } of await createMany(200, {}, payers[sent < 600 ? 0 : payers.length - 1]))
          expect(status).toBe(200);
      await expectHolding(['PostingFails', 'WorkersShort', 'BacklogNearMax']);
      await waitFor(() => performance.now() - startedAt > 9_000);
    } finally {
      await clearFailPoint(mongo);
    }
    await expectHolding(['LatencyHigh']);
    await untilSettled(60_000);
  }, 240_000);

  it('NoWorkers, PartitionsUnowned, BacklogOld and ScrapeFails, by workers that died; ProcessesLost, once another sees it', async () => {
    while (service.workers.length < 3) await service.startWorker();
    for (const worker of service.workers) worker.kill('SIGKILL');
    await Promise.all(service.workers.map(({ exited }) => exited));
    await insertOlder(10_000);
    await expectHolding(['NoWorkers', 'PartitionsUnowned', 'BacklogOld', 'ScrapeFails']);
    // Whoever finds targets drops those that are gone.
    service.workers.length = 0;
    await service.startWorker();
    await expectHolding(['ProcessesLost worker']);
    await untilSettled();
    // As after the half hour for which they count.
    await mongo.db().collection('processRuns').deleteMany({});
    await expectQuiet();
  }, 240_000);

  it('ServiceUnread, by a MongoDB that answers, and refuses to be read', async () => {
    await failCommands(mongo, always, { failCommands: ['find', 'aggregate'], errorCode: maxTimeMsExpired });
    try {
      await expectHolding(['ServiceUnread']);
      expect(await livePage()).not.toContain('All well');
    } finally {
      await clearFailPoint(mongo);
    }
    await expectQuiet();
  }, 180_000);

  it('ServerDown, by a MongoDB that hangs; the page says so, and an order’s does not hang', async () => {
    const headers = { Authorization: `Bearer ${opsToken}` };
    engine.kill('SIGSTOP');
    try {
      await expectHolding(['ServerDown mongodb']);
      expect(await livePage()).toContain('<b>A server does not answer: MongoDB, since ');
      const signal = AbortSignal.timeout(5_000);
      const order = await fetch(`${service.opsUrl}/order?id=${leastIdAt('order', new Date())}`, { headers, signal });
      expect(order.status).toBe(503);
      expect(await order.text()).toContain('cannot be looked up');
    } finally {
      engine.kill('SIGCONT');
    }
    await expectQuiet();
  }, 180_000);

  it('ServerDown and ApiErrors, by a Redis that died', async () => {
    await alerts.begin();
    await redis.kill();
    await waitFor(async () => (await create()).status === 503);
    // A label's first value has nothing before it to be compared with.
    await waitFor(async () => ((await alerts.ask('sum(transfers_http_requests_total{status="503"})')) ?? 0) > 0);
    await createMany(5);
    await expectHolding(['ServerDown redis', 'ApiErrors']);
    await redis.restart();
    await expectQuiet();
  }, 180_000);

  it('ApiGone, by a web process that died; ApiStarting, by one that waits for Redis', async () => {
    service.webs[0]?.kill('SIGKILL');
    await service.webs[0]?.exited;
    await expectHolding(['ApiGone']);
    service.webs.length = 0;
    await redis.kill();
    const opsPort = await freePort();
    const starting = service.startWeb({ OPS_PORT: String(opsPort) });
    moreTargets.add(urlOf(opsPort));
    await expectHolding(['ApiStarting']);
    expect(await alerts.holding()).not.toContain('ApiGone');
    await redis.restart();
    await starting;
    moreTargets.clear();
  }, 120_000);

  it('was provoked for every alert there is', () => {
    expect([...provoked].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});
