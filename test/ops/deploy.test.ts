import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { addServiceMetrics, createMetrics } from '../../src/ops/metrics.ts';
import { readAlertRules } from '../support/alert-rules.ts';
import { findPromtool, testLink } from '../support/promtool.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(root, path), 'utf8');
const promtool = await findPromtool();

const dashboardFile = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).min(1),
      links: z.array(z.object({ title: z.string(), url: z.string() })).default([]),
      fieldConfig: z.object({
        defaults: z.object({
          thresholds: z.object({ steps: z.array(z.object({ value: z.number().nullable() })) }).optional(),
        }),
      }),
    }),
  ),
});

/** Every name and label that a query can ask for. */
async function knownMetrics(): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>();
  const { registry } = createMetrics();
  addServiceMetrics(registry);
  for (const { name, type, labelNames } of registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[]) {
    const labels = new Set([...labelNames, 'instance', 'job']);
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name];
    for (const each of names) known.set(each, each.endsWith('_bucket') ? new Set([...labels, 'le']) : labels);
  }
  // Prometheus's own.
  known.set('up', new Set(['job', 'instance']));
  return Promise.resolve(known);
}

/** Names in a query that look like ours, or Node's own. */
const namesIn = (query: string) => query.match(/\b(?:(?:transfers|nodejs|process)_[a-z0-9_]+|up)\b/g) ?? [];
const labelsIn = (query: string) => [
  ...[...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) => inside.match(/\w+(?=\s*[=!]~?)/g) ?? []),
  ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(/,\s*/)),
];

async function expectKnown(query: string): Promise<void> {
  parser.parse(query.replaceAll('$__rate_interval', '5m')).iterate({
    enter({ type, from }) {
      expect(type.isError, `not PromQL at character ${from}: ${query}`).toBe(false);
    },
  });
  const known = await knownMetrics();
  const names = namesIn(query);
  expect(names, query).not.toEqual([]);
  for (const name of names) expect([...known.keys()], query).toContain(name);
  for (const label of labelsIn(query)) {
    expect(
      names.some((name) => known.get(name)?.has(label)),
      `${label} in ${query}`,
    ).toBe(true);
  }
}

describe('the alert rules', async () => {
  const rules = await readAlertRules();
  const runbook = await read('docs/operations.md');

  it.each(rules)('$alert names metrics and labels that exist', async ({ expr }) => {
    await expectKnown(expr);
  });

  it.each(rules)('$alert is a heading of the runbook', ({ alert, annotations }) => {
    const link = `{{ $externalLabels.operations }}/docs/operations.md#${alert.toLowerCase()}`;
    expect(annotations.runbook_url).toBe(link);
    expect(runbook).toContain(`\n### ${alert}\n`);
  });
});

describe('the Grafana dashboard', async () => {
  const { panels } = dashboardFile.parse(JSON.parse(await read('deploy/grafana/dashboards/transfers.json')));

  it.each(panels)('$title names metrics and labels that exist', async ({ targets }) => {
    for (const { expr } of targets) await expectKnown(expr);
  });

  it('links each alert to its entry of the runbook, from the panel that shows its figures', async () => {
    const links = panels.flatMap(({ links: ofPanel }) => ofPanel);
    const alerts = (await readAlertRules()).map(({ alert }) => alert);
    expect(links.map(({ title }) => title).toSorted()).toEqual(alerts.map((alert) => `Runbook: ${alert}`).toSorted());
    for (const { title, url } of links)
      expect(url).toBe(`\${operations}/docs/operations.md#${title.replace('Runbook: ', '').toLowerCase()}`);
  });

  it.each([
    ['Oldest pending', 15],
    ['A commit, on average', 1],
    ['Certificates, until they expire', 14],
    ['Webhooks: longest unattended', 900],
  ])('%s shows where its alert begins', async (title, value) => {
    const steps = panels.find((panel) => panel.title === title)?.fieldConfig.defaults.thresholds?.steps;
    expect(steps?.map((step) => step.value)).toContain(value);
    const rules = (await readAlertRules()).map(({ expr }) => expr).join('\n');
    expect(rules).toMatch(new RegExp(`(?:[<>] |le=")${title.startsWith('Certificates') ? value * 86_400 : value}\\b`));
  });
});

describe.skipIf(promtool === undefined)('the configuration of Prometheus', () => {
  it('is one that Prometheus takes, with the rules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'test-prometheus-'));
    const text = (await read('deploy/prometheus.yml'))
      .replace('/etc/prometheus/alerts.yml', join(root, 'deploy/alerts.yml'))
      .replace('/run/secrets/ops_token', join(root, 'deploy/alerts.yml'));
    await writeFile(join(folder, 'prometheus.yml'), text);
    const { stdout } = await promisify(execFile)(promtool ?? '', ['check', 'config', join(folder, 'prometheus.yml')]);
    expect(stdout).toContain(`${(await readAlertRules()).length} rules found`);
    await rm(folder, { recursive: true });
  });

  it('says where the runbook is, and the links of the alerts that fire lead there', async () => {
    const { global } = z
      .looseObject({ global: z.looseObject({ external_labels: z.object({ operations: z.url() }) }) })
      .parse(parse(await read('deploy/prometheus.yml')));
    expect(global.external_labels.operations).toBe('http://127.0.0.1:3001');
    const { annotations: printed } = (await readAlertRules()).find(({ alert }) => alert === 'ServerDown')!;
    const annotations = {
      ...printed,
      summary: 'A server is away: redis.',
      runbook_url: 'https://ops.example/docs/operations.md#serverdown',
    };
    const labels = { severity: 'page', server: 'redis' };
    const serverDown = (links: typeof annotations) =>
      testLink(
        promtool ?? '',
        { alert: 'ServerDown', annotations: links },
        'transfers_server_up{server="redis"}',
        labels,
      );
    await serverDown(annotations);
    await expect(serverDown({ ...annotations, runbook_url: '/docs/operations.md#serverdown' })).rejects.toThrow(
      'https://ops.example',
    );
  });

  it('names jobs as the alerts expect', async () => {
    const { scrape_configs: jobs } = z
      .looseObject({ scrape_configs: z.array(z.looseObject({ job_name: z.string() })) })
      .parse(parse(await read('deploy/prometheus.yml')));
    expect(jobs.map(({ job_name: name }) => name)).toEqual(['transfers-web', 'transfers-worker', 'transfers-webhooks']);
  });
});

it('no metric has a label whose values grow with clients, orders or connections', async () => {
  // Each takes values that are known beforehand: routes, codes, steps, states, servers, settings.
  const bounded = ['route', 'status', 'code', 'step', 'outcome', 'state', 'server', 'setting', 'of', 'reason'];
  const ofProcess = ['process', 'version', 'node', 'instance', 'job', 'le'];
  const own = [...(await knownMetrics())].filter(([name]) => name.startsWith('transfers_'));
  expect(own.length).toBeGreaterThan(20);
  for (const [name, labels] of own)
    expect([...bounded, ...ofProcess], name).toEqual(expect.arrayContaining([...labels]));
});

it('a query that is none, or with a wrong name or label, would be noticed', async () => {
  await expect(expectKnown('sum(transfers_workers_alive')).rejects.toThrow();
  await expect(expectKnown('rate(transfers_nothing_total[5m])')).rejects.toThrow();
  await expect(expectKnown('sum by (wallet) (transfers_orders_posted_total)')).rejects.toThrow();
});
