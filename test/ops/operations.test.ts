import { appRoutes } from '@bull-board/api/dist/routes.js';
import { eventIdOf } from '../../src/domain/webhook.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bucketOf } from '../../src/domain/bucket.ts';
import { postingQueueName } from '../../src/queue/posting-queue.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { allScopes, createWorkspace, type TestWorkspace } from '../support/workspace.ts';

let service: RunningService;
let workspace: TestWorkspace;
let orderId: string;
const completedJobs = `/queues/api/queues?activeQueue=${encodeURIComponent(postingQueueName)}&status=completed`;

beforeAll(async () => {
  // Where Express and the dashboard would show the most of an error.
  service = await startService({ workers: 2, env: { NODE_ENV: 'development' } });
  workspace = await createWorkspace(service);
  const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];
  const answer = await workspace.client.request<{ transferId: string; status: string }>(
    'POST',
    '/api/v1/transfer/command/create',
    {
      body: { sourceWalletId: alice, targetWalletId: bob, amount: '1.50', currency: 'USD', bizId: 'user-8' },
      headers: { Prefer: 'wait=10' },
    },
  );
  expect(answer.envelope?.data.status).toBe('COMPLETED');
  orderId = answer.envelope?.data.transferId ?? '';
});
afterAll(() => service.stop());

const get = (path: string, init?: RequestInit) => fetch(service.opsUrl + path, init);
const textOf = async (path: string) => (await get(path)).text();
const opsUrls = async () => {
  const workers = await Promise.all(service.workers.map(({ ready }) => ready));
  return [service.opsUrl, ...workers.map(({ opsPort }) => `http://127.0.0.1:${opsPort}`)];
};

describe('the page', () => {
  it('shows every process that is alive, and runs nothing but its own files', async () => {
    const html = await waitFor(async () => {
      const text = await textOf('/');
      const kinds = [...text.matchAll(/<td data-column="kind">(\w+)</g)].map(([, kind]) => kind);
      return kinds.toSorted().join() === 'web,worker,worker' ? text : undefined;
    });
    for (const worker of service.workers) expect(html).toContain(worker.ownId);
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    const policy = (await get('/')).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
  });

  it('has the runbook, to which a banner leads', async () => {
    expect(await textOf('/docs/operations.md')).toContain('<h3 id="serverdown">ServerDown</h3>');
    for (const path of ['/docs/..%2Fpackage.json', '/docs/nothing.md']) expect((await get(path)).status).toBe(404);
  });

  it('follows an order from its acceptance to its worker', async () => {
    const html = await textOf(`/search?id=${orderId}`);
    const steps = ['accepted: recorded as PENDING', 'posted by worker'];
    const places = steps.map((step) => html.indexOf(step));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(service.workers.some(({ pid }) => new RegExp(`:${pid}:[0-9a-f]{8}: COMPLETED`).test(html))).toBe(true);
  });

  it.each(['tr_01M7YHQQDWYVP2JCF5EHQZPXSR', '<script>alert(1)</script>', 'x'.repeat(5_000)])(
    'says that nothing has the id %s',
    async (id) => {
      const answer = await get(`/search?id=${encodeURIComponent(id)}`);
      expect(answer.status).toBe(404);
      const html = await answer.text();
      expect(html).toContain('Nothing has the id');
      expect(html).not.toContain('<script>alert');
    },
  );
});

describe('a wallet that a client made', () => {
  const reference = 'user:7';
  let id: string;

  beforeAll(async () => {
    const make = (body: object) => workspace.client.request<{ id: string }>('POST', '/api/v1/wallets', { body });
    const made = await make({ currency: 'USD', name: 'Carol', reference, metadata: { plan: 'basic', tier: '2' } });
    id = made.envelope!.data.id;
    await workspace.client.request('POST', `/api/v1/wallets/${id}/limit`, { body: { creditLimit: '25' } });
  });

  it('has a page with what it may spend', async () => {
    const html = (await textOf(`/search?id=${id}`)).replaceAll(/\s+/g, ' ');
    const facts = { metadata: 'plan: basic, tier: 2', 'credit limit': '25.00 USD', available: '25.00 USD' };
    for (const [name, value] of Object.entries(facts)) expect(html).toContain(`<dt>${name}</dt> <dd>${value}</dd>`);
  });

  it('or an order, a webhook or a key is found by whatever id is at hand', async () => {
    const { workspaceId, apiKey } = workspace;
    const webhookId = await workspace.webhook('https://receiver.example/of-its-own?key=hidden');
    for (const id of ['user-8', eventIdOf(orderId)])
      expect(await textOf(`/search?id=${id}`)).toContain(`<h2>Order <code>${orderId}</code></h2>`);
    for (const id of [webhookId, apiKey])
      expect(await textOf(`/search?id=${id}`)).toContain(`<h2>Workspace <code>${workspaceId}</code></h2>`);
    const html = await textOf(`/search?id=${workspaceId}`);
    expect(html).toContain(webhookId);
    expect(html).toContain('receiver.example');
    expect(html).not.toContain('of-its-own');
    expect((await get('/search?id=wh_01M7YHQQDWYVP2JCF5EHQZPXSR')).status).toBe(404);
  });
});

it('the page releases nothing unless a setting allows it', async () => {
  expect((await get('/release', { method: 'POST' })).status).toBe(405);
});

describe('the queue dashboard', () => {
  it.each(['/queues/queue/%ff', '/queues/api/queues/%ff/x/logs'])('shows no stack for %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('This request is malformed.\n');
  });

  it('lists the queue of posting, and its jobs under their buckets', async () => {
    const { queues } = (await (await get(completedJobs)).json()) as {
      queues: { name: string; readOnlyMode: boolean; jobs: { name: string }[] }[];
    };
    expect(queues).toMatchObject([{ name: postingQueueName, readOnlyMode: true }]);
    // The wallet was funded by an order too.
    const ended = new RegExp(`^bucket ${bucketOf(workspace.workspaceId)}, [12] COMPLETED$`);
    expect(queues[0]?.jobs.map(({ name }) => name)).toContainEqual(expect.stringMatching(ended));
  });

  it('lists few jobs at once, whatever is asked', async () => {
    const list = `${completedJobs}&jobsPerPage=`;
    expect((await get(`${list}50`)).status).toBe(200);
    for (const size of ['51', '1e9', '-1', 'x']) expect((await get(list + size)).status).toBe(400);
  });

  it('changes nothing', async () => {
    const routes = appRoutes.api.flatMap(({ method, route }) =>
      [method].flat().flatMap((name) => [route].flat().map((path) => ({ method: name.toUpperCase(), path }))),
    );
    for (const { method, path } of routes.filter((each) => each.method !== 'GET')) {
      const named = path.replace(':queueName', postingQueueName).replace(':queueStatus', 'completed');
      expect((await get(`/queues${named}`, { method })).status, `${method} ${path}`).toBe(405);
    }
    expect(routes.length).toBeGreaterThan(10);
    const { queues } = (await (await get(completedJobs)).json()) as { queues: { jobs: unknown[] }[] };
    expect(queues[0]?.jobs).not.toEqual([]);
  });
});

it('/scaling says how many workers the load asks for', async () => {
  const answer = await waitFor(async () => {
    const found = (await (await get('/scaling')).json()) as Record<string, unknown>;
    return found['workersAlive'] === 2 && found['pendingOrders'] === 0 ? found : undefined;
  });
  expect(answer).toMatchObject({ suggestedWorkers: 1, pendingOrders: 0 });
});

describe('/metrics', () => {
  it('is in the format of Prometheus, in every process, with nothing that grows with clients', async () => {
    // What a stranger sends must not become a label.
    await fetch(`${service.baseUrl}/api/v1/wallets/${'w'.repeat(40)}`, { headers: { 'X-Api-Key': 'stranger' } });
    await fetch(`${service.baseUrl}/anything/at/all`, { method: 'PATCH' });
    for (const url of await opsUrls()) {
      const text = await (await fetch(`${url}/metrics`)).text();
      expect(parseMetrics(text).size).toBeGreaterThan(30);
      for (const word of ['tr_', 'wa_', 'ak_', 'ws_', 'stranger', 'wwww', 'anything']) expect(text).not.toContain(word);
    }
  });

  it('counts what was asked, refused and posted', async () => {
    const samples = async () => {
      const texts = await Promise.all((await opsUrls()).map(async (url) => (await fetch(`${url}/metrics`)).text()));
      return texts.flatMap((text) => [...parseMetrics(text).values()].flatMap((family) => family.samples));
    };
    const sum = async (name: string, labels: Record<string, string> = {}) =>
      (await samples())
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels.get(label) === value))
        .reduce((total, { value }) => total + value, 0);

    const route = 'POST /api/v1/transfer/command/create';
    await waitFor(async () => (await sum('transfers_orders_posted_total', { outcome: 'COMPLETED' })) === 2);
    expect(await sum('transfers_http_requests_total', { route, status: '200', code: '2000' })).toBe(1);
    expect(await sum('transfers_http_request_duration_seconds_count', { route })).toBe(1);
    expect(await sum('transfers_order_latency_seconds_count')).toBe(2);
    expect(await sum('transfers_commit_duration_seconds_count', { of: 'accepting' })).toBe(1);
    expect(await sum('transfers_orders_accepted_total')).toBe(1);
    expect(await sum('transfers_pipeline_refusals_total', { step: 'api key' })).toBeGreaterThan(0);
    expect(await sum('transfers_workers_alive')).toBe(2);
    expect(await sum('transfers_server_up')).toBe(6);
    expect(await sum('transfers_posting_paused')).toBe(0);
  });
});

it('a worker that ends is no longer shown', async () => {
  const extra = await service.startWorker();
  await waitFor(async () => (await textOf('/')).includes(extra.ownId));
  await extra.stop(20_000);
  await waitFor(async () => !(await textOf('/')).includes(extra.ownId));
});

it('the page follows an order for a later time', async () => {
  const { client } = workspace;
  const [alice, bob] = [await workspace.wallet('5'), await workspace.wallet()];
  const schedule = async (inMs: number) => {
    const executeAt = new Date(Date.now() + inMs).toISOString();
    const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD', executeAt };
    const answer = await client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', { body });
    return { executeAt, id: answer.envelope!.data.transferId };
  };
  const [soon, later] = [await schedule(1_000), await schedule(3_600_000)];
  expect(await textOf(`/search?id=${later.id}`)).toContain(`accepted: recorded as SCHEDULED, for ${later.executeAt}`);
  const html = await waitFor(async () => {
    const text = await textOf(`/search?id=${soon.id}`);
    return text.includes('posted by worker') ? text : undefined;
  });
  const steps = ['accepted: recorded as SCHEDULED', 'its time came: PENDING', 'posted by worker'];
  const places = steps.map((step) => html.indexOf(step));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

describe('of a test workspace', () => {
  it('its pages show that it is one, and its own time', async () => {
    const ofTest = await createWorkspace(service, allScopes, '--test');
    const { workspaceId, apiKey } = ofTest;
    const walletId = await ofTest.wallet('1');
    const { now } = await ofTest.post<{ now: string }>('test/clock', { advanceBy: 'P2Y' });
    for (const id of [workspaceId, apiKey]) {
      const html = await textOf(`/search?id=${id}`);
      expect(html).toContain(`<h2>Workspace <code>${workspaceId}</code></h2>`);
      expect(html).toMatch(new RegExp(`<dt>a test workspace</dt>\\s+<dd>its clock shows ${now.slice(0, 10)} `));
    }
    const ofWallet = (await textOf(`/search?id=${walletId}`)).replaceAll(/<[^>]*>/g, '');
    expect(ofWallet).toContain(`${workspaceId} (test)`);
  });

  it('a failure for which it asked counts as simulated', async () => {
    const ofTest = await createWorkspace(service, allScopes, '--test');
    const [sourceWalletId, targetWalletId] = [await ofTest.wallet(), await ofTest.wallet()];
    const body = {
      sourceWalletId,
      targetWalletId,
      amount: '1',
      currency: 'USD',
      ...{ bizId: 'away', metadata: { simulate: 'UNAVAILABLE' } },
    };
    expect((await ofTest.client.request('POST', '/api/v1/transfer/command/create', { body })).status).toBe(503);
    await waitFor(async () =>
      /^transfers_http_requests_total\{.*status="503",code="simulated"\} 1$/m.test(await textOf('/metrics')),
    );
  });
});
