import { describe, expect, it } from 'vitest';
import { overviewPage } from '../../src/ops/page/overview-page.ts';
import { healthy, lastingProblems, webhooksWith } from '../support/page-states.ts';

const overview = healthy();
const namesOf = (webhooks: ReturnType<typeof webhooksWith>): string[] =>
  lastingProblems({ ...overview, webhooks }).map(({ name }) => name);
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('webhooks, of which many are behind', () => {
  const webhooks = webhooksWith({}, 25);

  it('are one row of the page, with the worst of them', () => {
    const { markup } = overviewPage({ ...overview, webhooks }, []);
    const cells = [...markup.matchAll(/data-column="(failing receivers|delivered|failed)">([^<]*)</g)];
    expect(cells.map(([, name, text]) => [name, text])).toEqual([
      ['delivered', '1,700 a second'],
      ['failed', '200 a second'],
      ['failing receivers', '24'],
    ]);
    expect(markup).toContain(webhooks?.worst?.id.slice(-6));
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
