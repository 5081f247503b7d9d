import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMetrics } from '../support/metrics-text.ts';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;

let redis: OwnRedis;
let service: RunningService;
let workspace: TestWorkspace;
let wallets: [string, string];

beforeAll(async () => {
  redis = await startRedis();
  service = await startService({ workers: 0, redisUrl: redis.url });
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet(), await workspace.wallet()];
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
});

const textOf = async (path: string) => (await fetch(service.opsUrl + path)).text();
const create = (headers = {}) => {
  const [sourceWalletId, targetWalletId] = wallets;
  return workspace.client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', {
    body: { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' },
    headers,
  });
};

async function metric(name: string, label = ''): Promise<number | undefined> {
  const families = parseMetrics(await textOf('/metrics'));
  return families.get(name)?.samples.find(({ labels }) => label === '' || [...labels.values()].includes(label))?.value;
}

describe('without workers', () => {
  it('the page says so, and shows that orders wait and for how long', async () => {
    const { envelope } = await create();
    await waitFor(async () => (await metric('transfers_pending_orders')) === 1);
    await waitFor(async () => ((await metric('transfers_oldest_pending_age_seconds')) ?? 0) > 1.5);
    expect(await metric('transfers_workers_alive')).toBe(0);
    expect(await metric('transfers_workers_suggested')).toBe(1);
    const html = await waitFor(async () => {
      const text = await textOf('/');
      return text.includes('No worker is alive') ? text : undefined;
    });
    expect(html).toMatch(/<b>1<\/b\s*><span>orders wait/);
    const order = await textOf(`/search?id=${envelope?.data.transferId ?? ''}`);
    expect(order).toContain('recorded as PENDING');
    expect(order).not.toContain('posted by');
  });
});

describe('with Redis away', () => {
  it('readiness, page and metrics say which, and since when; an order can still be followed', async () => {
    const { envelope } = await create();
    const killedAt = Date.now();
    await redis.kill();
    const ready = await waitFor(async () => {
      const answer = await fetch(`${service.opsUrl}/readyz`);
      return answer.status === 503 ? ((await answer.json()) as Record<string, unknown>) : undefined;
    });
    expect(ready).toMatchObject({ status: 'not ready', draining: false, mongodb: 'up', redis: 'down' });
    const { since } = ready as { since?: { redis: string; mongodb: string } };
    expect(Date.parse(since?.redis ?? '')).toBeGreaterThanOrEqual(killedAt);
    expect(Date.parse(since?.mongodb ?? '')).toBeLessThan(killedAt);
    expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);

    const html = await waitFor(async () => {
      const text = await textOf('/');
      return /A server is away: Redis \(connect ECONNREFUSED [^)]+\), since/.test(text) ? text : undefined;
    });
    expect(html).toContain('What needs it is answered 503');
    await waitFor(async () => (await metric('transfers_server_up', 'redis')) === 0);
    expect(await metric('transfers_server_up', 'mongodb')).toBe(1);
    // What is read in Redis is not known; what is read in MongoDB is.
    expect(await metric('transfers_posting_paused')).toBeUndefined();
    expect(await metric('transfers_queue_jobs')).toBeUndefined();
    expect(await metric('transfers_workers_alive')).toBe(0);
    expect(await metric('transfers_pending_orders')).toBeGreaterThan(0);
    expect((await fetch(`${service.opsUrl}/scaling`)).status).toBe(503);
    expect(await textOf(`/search?id=${envelope?.data.transferId ?? ''}`)).toContain('recorded as PENDING');
    expect((await create()).status).toBe(503);
    await waitFor(async () => ((await metric('transfers_http_requests_total', '503')) ?? 0) > 0);
  });

  it('it is ready again once Redis is back, and takes requests from then on', async () => {
    await redis.restart();
    await waitFor(async () => (await fetch(`${service.opsUrl}/readyz`)).status === 200);
    expect((await create()).status).toBe(200);
    await waitFor(async () => !(await textOf('/')).includes('A server is away: Redis'));
    expect(service.logs.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
    const recovered = await waitFor(() =>
      service.logs.find((line) => line.includes('"event":"recovered","server":"redis"')),
    );
    expect(recovered).toContain('Redis answers again');
    expect(service.logs.some((line) => line.includes('"event":"away","server":"redis","reason":"'))).toBe(true);
  });
});

describe('a process that drains', () => {
  it('is not ready, and says why, while a request under way is answered', async () => {
    // Longer than the figures take to show it, or nothing is under way any more.
    const waiting = create({ Prefer: 'wait=8' });
    await waitFor(async () => ((await metric('transfers_pending_orders')) ?? 0) >= 4);
    const stopped = service.webs[0]?.stop(stopTimeoutMs);
    const ready = await waitFor(async () => {
      const answer = await fetch(`${service.opsUrl}/readyz`);
      return answer.status === 503 ? answer.json() : undefined;
    });
    expect(ready).toMatchObject({ status: 'not ready', draining: true, mongodb: 'up', redis: 'up' });
    expect((await waiting).status).toBe(200);
    expect(await stopped).toMatchObject({ code: 0 });
  });
});
