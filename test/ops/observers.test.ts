import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { Money } from '../../src/domain/money.ts';
import type { OrderToPost } from '../../src/orders/order.ts';
import { ServiceError, simulatedCode } from '../../src/errors.ts';
import { createObservers } from '../../src/ops/observers.ts';
import { parseMetrics } from '../support/metrics-text.ts';

describe('what the layers below tell', () => {
  const order = (id: string): OrderToPost => ({
    id,
    workspaceId: 'ws',
    type: 'TRANSFER',
    legs: [{ sourceWalletId: 'wa_source', targetWalletId: 'wa_target', amount: new Money(1), currency: 'USD' }],
    namesLegs: false,
    createdAt: new Date(Date.now() - 300),
  });

  const attempt = { header: () => undefined, clientAddress: () => undefined };

  it('becomes metrics', async () => {
    const observers = createObservers(pino({ level: 'silent' }));
    // The second one was scheduled long ago.
    const scheduled = { ...order('b'), createdAt: new Date(0), executeAt: new Date(Date.now() - 300) };
    const at = new Date();
    const posting = {
      ended: [
        { order: order('a'), status: 'COMPLETED' as const, failure: null, at },
        { order: scheduled, status: 'FAILED' as const, failure: 'INSUFFICIENT_BALANCE' as const, at },
        // By a clock of its own, so that nobody knows how long it took.
        { order: { ...order('c'), workspaceId: 'ts_1' }, status: 'COMPLETED' as const, failure: null, at },
      ],
      unpostable: [],
      flows: [],
      wallets: [],
      walletsBefore: new Map(),
      ...{ parents: [], budgets: [], alerts: [] },
      postedAt: new Date(),
    };
    observers.post.groupPosted({ posting, outbox: [], attempts: 3, durationMs: 40 });
    observers.post.groupFailed(60);
    observers.typeUnknown('HOLD');
    observers.webhooks.attempted(true);
    observers.webhooks.attempted(false);
    observers.webhooks.setAside();
    observers.clock(-1_500);
    observers.batchRecorded(2, 12);
    observers.refused({ step: 'signature', error: new ServiceError('SIGNATURE_MISMATCH'), attempt });
    observers.refused({ step: 'signature', error: new ServiceError('KEY_RATE_EXCEEDED'), attempt });
    observers.refused({ step: 'api key', error: new ServiceError('UNAVAILABLE'), attempt });
    observers.answered({ route: 'GET /api/v1/wallets', status: 200, code: '2000', durationMs: 3 });
    observers.answered({ route: 'none', status: 401, code: 'made-up', durationMs: 3 });
    const add = vi.spyOn(observers.recent, 'add');
    observers.answered({ route: 'none', status: 503, code: simulatedCode, durationMs: 3 });
    expect(add.mock.calls.map(([name]) => name)).toEqual(['answered']);
    const families = parseMetrics(await observers.metrics.registry.metrics());
    const value = (name: string, labels: Record<string, string> = {}) =>
      families
        .get(name)
        ?.samples.find((sample) => Object.entries(labels).every(([label, text]) => sample.labels.get(label) === text))
        ?.value;
    expect(value('transfers_post_conflicts_total')).toBe(2);
    expect(value('transfers_post_group_failures_total')).toBe(1);
    expect(value('transfers_orders_unknown_type_total')).toBe(1);
    expect(observers.unknownTypes()).toEqual(['HOLD']);
    expect(value('transfers_orders_posted_total', { outcome: 'INSUFFICIENT_BALANCE' })).toBe(1);
    expect(value('transfers_orders_accepted_total')).toBe(2);
    const ofCommits = (suffix: string, of: string) =>
      families
        .get('transfers_commit_duration_seconds')
        ?.samples.find(({ name, labels }) => name.endsWith(`_${suffix}`) && labels.get('of') === of)?.value;
    expect([ofCommits('count', 'posting'), ofCommits('sum', 'posting')]).toEqual([2, 0.1]);
    expect([ofCommits('count', 'accepting'), ofCommits('sum', 'accepting')]).toEqual([1, 0.012]);
    expect(value('transfers_pipeline_refusals_total', { step: 'signature' })).toBe(1);
    expect(value('transfers_http_requests_total', { code: 'other' })).toBe(1);
    expect(value('transfers_http_requests_total', { code: simulatedCode })).toBe(1);
    expect(value('transfers_pipeline_refusals_total', { step: 'api key' })).toBe(0);
    expect(value('transfers_webhook_attempts_total', { outcome: 'failed' })).toBe(1);
    expect(value('transfers_webhook_events_set_aside_total')).toBe(1);
    expect(value('transfers_clock_offset_seconds')).toBe(-1.5);
    expect(value('transfers_order_latency_seconds', { le: '0.25' })).toBe(0);
    expect(value('transfers_order_latency_seconds', { le: '0.5' })).toBe(2);
  });
});
