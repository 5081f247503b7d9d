import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Money } from '../../src/domain/money.ts';
import type { Order } from '../../src/domain/order.ts';
import { createSharedRead } from '../../src/cache.ts';
import { titleOf } from '../../src/ops/dashboard.ts';
import { createHealth } from '../../src/ops/health.ts';
import { createObservers } from '../../src/ops/observers.ts';
import { html } from '../../src/ops/page/html.ts';
import { countTo, duration } from '../../src/ops/page/words.ts';
import { createRecent } from '../../src/ops/recent.ts';
import { parseMetrics } from '../support/metrics-text.ts';

describe('the last seconds', () => {
  it('are averaged over whole seconds, and forgotten', () => {
    let now = 100;
    const recent = createRecent(() => now);
    recent.add('posted', 50);
    recent.sample('latencyMs', 7);
    expect(recent.perSecond('posted')).toBe(0);
    now = 101;
    expect(recent.perSecond('posted')).toBe(10);
    expect(recent.percentiles('latencyMs')).toEqual({ p50: 7, p95: 7, p99: 7 });
    now = 106;
    expect(recent.perSecond('posted')).toBe(0);
    expect(recent.percentiles('latencyMs')).toBeUndefined();
  });

  it('take the same memory however much happens', () => {
    let now = 0;
    const recent = createRecent(() => now);
    for (let index = 0; index < 20_000; index += 1) recent.sample('latencyMs', index % 100);
    now = 1;
    const { p50 = 0, p95 = 0 } = recent.percentiles('latencyMs') ?? {};
    expect(p50).toBeGreaterThan(35);
    expect(p50).toBeLessThan(65);
    expect(p95).toBeGreaterThan(85);
  });
});

describe('a cached value', () => {
  it('is asked for once, however many want it; a failure is not remembered', async () => {
    let asked = 0;
    const read = createSharedRead(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked);
    }, 60_000);
    expect((await Promise.allSettled([read(), read()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2]);
    expect(await read()).toBe(2);
  });
});

describe('health', () => {
  it('a check that throws counts as down, and since when is kept', async () => {
    const state = { isDraining: () => false, wrongSetting: () => undefined };
    const health = createHealth({ redis: () => Promise.reject(new Error('refused')) }, state);
    const [redis] = await health.servers();
    expect(redis).toMatchObject({ name: 'redis', isUp: false });
    expect((await health.servers())[0]?.since).toEqual(redis?.since);
  });
});

describe('what the layers below tell', () => {
  const order = (id: string): Order => ({
    id,
    bizId: id,
    workspaceId: 'ws',
    sourceWalletId: 'wa_source',
    targetWalletId: 'wa_target',
    amount: new Money(1),
    currency: 'USD',
    status: 'PENDING',
    failure: null,
    createdAt: new Date(Date.now() - 300),
    updatedAt: new Date(),
    completedAt: null,
  });

  const attempt = { header: () => undefined, clientAddress: () => undefined };

  it('becomes metrics', async () => {
    const observers = createObservers(pino({ level: 'silent' }));
    const posting = {
      settled: new Map(),
      completed: ['a'],
      failed: new Map([['INSUFFICIENT_BALANCE' as const, ['b']]]),
      unpostable: [],
      flows: [],
      wallets: [],
      postedAt: new Date(),
    };
    observers.post.groupPosted({ orders: [order('a'), order('b')], posting, attempts: 3, durationMs: 40 });
    observers.post.groupFailed();
    observers.post.orderSetAside();
    observers.clock(-1_500);
    observers.accept.groupRecorded(3, 2, 12);
    observers.accept.enqueueFailed();
    observers.refused({ step: 'signature', error: new Error(), attempt });
    observers.answered({ route: 'GET /api/v1/wallets', status: 200, code: '2000', durationMs: 3 });
    observers.answered({ route: 'none', status: 401, code: 'made-up', durationMs: 3 });
    const families = parseMetrics(await observers.metrics.registry.metrics());
    const value = (name: string, labels: Record<string, string> = {}) =>
      families
        .get(name)
        ?.samples.find((sample) => Object.entries(labels).every(([label, text]) => sample.labels.get(label) === text))
        ?.value;
    expect(value('transfers_post_conflicts_total')).toBe(2);
    expect(value('transfers_post_group_failures_total')).toBe(1);
    expect(value('transfers_orders_set_aside_total')).toBe(1);
    expect(value('transfers_orders_posted_total', { outcome: 'INSUFFICIENT_BALANCE' })).toBe(1);
    expect(value('transfers_orders_accepted_total')).toBe(2);
    expect(value('transfers_enqueue_failures_total')).toBe(1);
    expect(value('transfers_pipeline_refusals_total', { step: 'signature' })).toBe(1);
    expect(value('transfers_http_requests_total', { code: 'other' })).toBe(1);
    expect(value('transfers_clock_offset_seconds')).toBe(-1.5);
    expect(value('transfers_order_latency_seconds', { le: '0.25' })).toBe(0);
    expect(value('transfers_order_latency_seconds', { le: '0.5' })).toBe(2);
  });
});

describe('the page', () => {
  it('escapes every text', () => {
    expect(html`<b title="${'"\'&'}">${'<script>'}</b>`.markup).toBe('<b title="&quot;&#39;&amp;">&lt;script&gt;</b>');
  });

  it('says durations as people do', () => {
    expect([undefined, 0, 850, 1_500, 59_000, 200_000, 7_500_000].map(duration)).toEqual([
      ...['–', '0 ms', '850 ms', '1.5 s', '59 s', '3 min 20 s', '2 h 5 min'],
    ]);
  });

  it('says where a number is only the least it may be', () => {
    expect([countTo(undefined, false), countTo(49_999, false), countTo(50_000, true)]).toEqual([
      ...['–', '49,999', '50,000 or more'],
    ]);
  });

  it('titles a job with its orders', () => {
    expect(titleOf([{ workspaceId: 'ws_1', orderIds: ['tr_1'] }])).toBe('tr_1');
    const batches = [
      ['tr_1', 'tr_2'],
      ['tr_3', 'tr_4', 'tr_5'],
    ].map((orderIds) => ({ workspaceId: 'ws', orderIds }));
    expect(titleOf(batches)).toBe('tr_1 tr_2 tr_3 and 2 more');
  });
});
