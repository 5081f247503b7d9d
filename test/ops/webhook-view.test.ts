import { describe, expect, it } from 'vitest';
import { createMetrics, createServiceMetrics } from '../../src/ops/metrics.ts';
import { overviewFragment } from '../../src/ops/page/overview-page.ts';
import { setState } from '../../src/ops/metrics-text.ts';
import { healthy, lastingProblems, webhooksWith } from '../support/page-states.ts';
import { parseMetrics } from '../support/metrics-text.ts';

const overview = healthy();
const namesOf = (webhooks: ReturnType<typeof webhooksWith>): string[] =>
  lastingProblems({ ...overview, webhooks }).map(({ name }) => name);
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('webhooks, of which many are behind', () => {
  const webhooks = webhooksWith({}, 25);

  it('are ten by themselves, and the rest together', () => {
    expect(webhooks?.worst).toHaveLength(10);
    expect(webhooks?.worst[0]).toMatchObject({ waiting: 1_200 });
    expect(webhooks?.waitingAtOthers).toBe(Array.from({ length: 15 }, (_, i) => 1_210 + i).reduce((a, b) => a + b));
    expect(webhooks?.failing).toBe(24);
  });

  it('have eleven series in metrics, none of them for longer than it is one of the worst', async () => {
    const { registry } = createMetrics();
    const metrics = createServiceMetrics(registry);
    const series = async (name: string) =>
      new Map(
        parseMetrics(await registry.metrics())
          .get(name)
          ?.samples.map(({ labels, value }) => [labels.get('endpoint'), value]),
      );
    setState(metrics, { ...overview, webhooks });
    expect((await series('transfers_webhook_events_waiting')).size).toBe(11);
    setState(metrics, { ...overview, webhooks: webhooksWith({}, 1) });
    expect([...(await series('transfers_webhook_events_waiting')).values()]).toEqual([1_200, 0]);
  });

  it('are one row of the page, with the worst of them', () => {
    const { markup } = overviewFragment({ ...overview, webhooks }, []);
    const cells = [...markup.matchAll(/data-column="(failing receivers|delivered|failed)"><span[^>]*>([^<]*)</g)];
    expect(cells.map(([, name, text]) => [name, text])).toEqual([
      ['delivered', '1,700 a second'],
      ['failed', '200 a second'],
      ['failing receivers', '24'],
    ]);
    expect(markup).toContain(webhooks?.worst[0]?.id.slice(-6));
  });
});

describe('the banner of webhooks', () => {
  it('is not there while they are sent', () => {
    expect(namesOf(webhooksWith({}))).toEqual([]);
    expect(namesOf(webhooksWith({ lookedAt: undefined }, 0))).toEqual([]);
    expect(namesOf(undefined)).toEqual([]);
  });

  it('tells of workers that do not come, and not of a receiver that does not take what it is sent', () => {
    expect(namesOf(webhooksWith({ lookedAt: minutesAgo(16) }, 2, 40))).toEqual(['WebhooksBehind']);
    expect(namesOf(webhooksWith({ lookedAt: minutesAgo(14) }, 2, 40))).toEqual([]);
  });
});
