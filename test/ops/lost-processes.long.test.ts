import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import type { Child } from '../../local/child.ts';
import { freePort } from '../../local/free-port.ts';
import { readAlertRules, watchAlerts, type AlertWatch } from '../support/alert-rules.ts';
import { withDatabase } from '../support/database.ts';
import type { MemberProcess } from '../support/members.ts';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
/** Time enough for a busy machine to start a process, and to notice that one is gone. */
const noticedWithin = { timeoutMs: 60_000, intervalMs: 500 };
/** Longer than workers may be silent to each other. */
const outageMs = 8_000;
const workerCount = 2;
const killsUntilAlert = 3;

let engine: Child<EngineReady>;
let redis: OwnRedis;
let service: ServiceProcesses;
let workspace: TestWorkspace;
let alerts: AlertWatch;
let wallets: [string, string];
const moreTargets = new Set<string>();

beforeAll(async () => {
  engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
  redis = await startRedis();
  const mongodbUri = withDatabase((await engine.ready).uri, 'lost');
  service = await startServiceProcesses({ workers: workerCount, mongodbUri, redisUrl: redis.url });
  alerts = watchAlerts(await readAlertRules(), opsUrls, {});
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('1000'), await workspace.wallet('1000')];
  await waitFor(async () => (await alerts.ask('max(transfers_workers_alive)')) === workerCount, noticedWithin);
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
  await engine.stop(stopTimeoutMs);
});

async function opsUrls(): Promise<string[]> {
  const ready = await Promise.all([...service.webs, ...service.workers].map((member) => member.ready));
  return [...ready.map(({ opsPort }) => `http://127.0.0.1:${opsPort}`), ...moreTargets];
}

/** What is seen after the others' ends: a process that has just started says so, and partitions have owners again. */
const untilCalm = () =>
  waitFor(async () => (await alerts.holding()).every((alert) => alert === 'ProcessesLost worker'), noticedWithin);

const live = async () => (await fetch(`${service.opsUrl}/live`)).text();
const lostWorkers = () => alerts.ask('max(transfers_processes_lost{process="worker"})');

function create() {
  const [sourceWalletId, targetWalletId] = wallets;
  return workspace.client.request<{ status: string }>('POST', '/api/v1/transfer/command/create', {
    body: { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' },
    headers: { Prefer: 'wait=30' },
  });
}

async function killAndRestart(worker: MemberProcess): Promise<void> {
  worker.kill('SIGKILL');
  await worker.exited;
  service.workers.splice(service.workers.indexOf(worker), 1);
  await service.startWorker();
}

describe('workers that are killed again and again', () => {
  it('are counted, and soon not alive; after three the alert’s condition holds, and the page names the last', async () => {
    let lastKilled = '';
    for (let kills = 1; kills <= killsUntilAlert; kills += 1) {
      expect(await alerts.holding()).not.toContain('ProcessesLost worker');
      const [killed] = service.workers;
      lastKilled = killed!.ownId;
      await killAndRestart(killed!);
      await waitFor(async () => (await lostWorkers()) === kills, noticedWithin);
      // Not the dead one beside its successor.
      await waitFor(async () => (await alerts.ask('max(transfers_workers_alive)')) === workerCount, noticedWithin);
      expect((await create()).envelope?.data.status).toBe('COMPLETED');
    }
    const holding = await alerts.holding();
    expect(holding).toContain('ProcessesLost worker');
    expect(holding).not.toContain('NoWorkers');
    const banner = await waitFor(
      async () => /id="problem-processeslost".*?<\/p>/s.exec(await live())?.[0],
      noticedWithin,
    );
    expect(banner).toContain(lastKilled);
    expect(await alerts.ask('max(transfers_processes_lost{process="web"})')).toBe(0);
  }, 300_000);

  it('are not those that stop in order', async () => {
    const [worker] = service.workers;
    expect((await worker!.stop(stopTimeoutMs)).code).toBe(0);
    service.workers.shift();
    await service.startWorker();
    await waitFor(async () => (await alerts.ask('max(transfers_workers_alive)')) === workerCount, noticedWithin);
    expect(await lostWorkers()).toBe(killsUntilAlert);
  }, 120_000);
});

describe('a MongoDB that hangs', () => {
  it('is one alert; what is read there is no value, not an old one', async () => {
    await untilCalm();
    engine.kill('SIGSTOP');
    const begunAt = performance.now();
    try {
      await waitFor(async () => (await alerts.holding()).includes('ServerDown mongodb'), noticedWithin);
      expect(await alerts.holding()).toEqual(['ServerDown mongodb']);
      for (const name of ['workers_alive', 'processes_lost', 'oldest_pending_age_seconds', 'partitions_unowned'])
        expect(await alerts.ask(`max(transfers_${name})`)).toBeUndefined();
      await waitFor(() => performance.now() - begunAt > outageMs, noticedWithin);
    } finally {
      engine.kill('SIGCONT');
    }
  }, 120_000);

  it('leaves nobody lost who works on after it', async () => {
    await waitFor(async () => (await alerts.ask('max(transfers_workers_alive)')) === workerCount, noticedWithin);
    expect((await create()).envelope?.data.status).toBe('COMPLETED');
    await waitFor(async () => (await lostWorkers()) === killsUntilAlert, noticedWithin);
  }, 120_000);
});

it('while the only web process starts without Redis there is no API, and that server is away', async () => {
  await untilCalm();
  const [web] = service.webs;
  web!.kill('SIGKILL');
  await web!.exited;
  service.webs.length = 0;
  await waitFor(async () => (await alerts.holding()).includes('ApiGone'), noticedWithin);
  await redis.kill();
  const opsPort = await freePort();
  const url = `http://127.0.0.1:${opsPort}`;
  const starting = service.startWeb({ OPS_PORT: String(opsPort) });
  moreTargets.add(url);
  const holding = await waitFor(async () => {
    const names = await alerts.holding();
    return names.includes('ServerDown redis') ? names : undefined;
  }, noticedWithin);
  expect(holding).toContain('ApiGone');
  for (const name of ['NoWorkers', 'PartitionsUnowned']) expect(holding).not.toContain(name);
  // Until it has reached MongoDB it waits for that too.
  const readiness = async () => (await fetch(`${url}/readyz`)).json();
  await waitFor(async () => {
    expect(await readiness()).toMatchObject({ starting: true, mongodb: 'up', redis: 'down' });
    return true;
  }, noticedWithin);
  await redis.restart();
  await starting;
  moreTargets.clear();
  await waitFor(async () => {
    const names = await alerts.holding();
    return !names.some((name) => name.startsWith('Api') || name.startsWith('Server'));
  }, noticedWithin);
}, 180_000);
