import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseMetrics } from './metrics-text.ts';
import { evaluate, type Scrape } from './promql.ts';

const alertsFile = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.object({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});

export type AlertRule = z.output<typeof alertsFile>['groups'][number]['rules'][number];

export async function readAlertRules(): Promise<AlertRule[]> {
  const text = await readFile(join(import.meta.dirname, '../../deploy/alerts.yml'), 'utf8');
  return alertsFile.parse(parse(text)).groups.flatMap((group) => group.rules);
}

/** Which process is meant is no matter here. */
const ofTarget: ReadonlySet<string> = new Set(['job', 'instance']);
/** A target that takes longer is left out of the scrape, as by Prometheus. */
const scrapeTimeoutMs = 3_000;

export interface AlertWatch {
  /** Scrapes, and gives the alerts whose condition holds, with what each is about where it names that. */
  holding(): Promise<string[]>;
  /** Forgets what was scraped, and scrapes once: rates count from here. */
  begin(): Promise<void>;
  /** What a query of the rules' forms gives now. */
  ask(query: string): Promise<number | undefined>;
}

/** Stands for a Prometheus that scrapes these processes and evaluates the rules; their `for` is not waited for. */
export function watchAlerts(
  rules: readonly AlertRule[],
  opsUrls: () => Promise<string[]>,
  headers: Record<string, string>,
): AlertWatch {
  let scrapes: Scrape[] = [];
  let scraping: Promise<void> | undefined;

  async function scrapeAll(): Promise<void> {
    const atMs = performance.now();
    const all = await Promise.all((await opsUrls()).map((url) => samplesOf(url, headers)));
    scrapes.push({ atMs, samples: all.flat() });
  }

  /** One at a time, so that scrapes are in the order of their times: who asks meanwhile waits for the one under way. */
  function scrape(): Promise<void> {
    scraping ??= scrapeAll().finally(() => {
      scraping = undefined;
    });
    return scraping;
  }

  return {
    async holding() {
      await scrape();
      return rules.flatMap(({ alert, expr }) => {
        const value = evaluate(expr, scrapes);
        if (typeof value === 'number') throw new Error(`${alert} is a number, not a condition`);
        return value.map(({ labels }) =>
          [alert, ...[...labels].flatMap(([label, value]) => (ofTarget.has(label) ? [] : value))].join(' '),
        );
      });
    },
    async begin() {
      scrapes = [];
      await scrape();
    },
    async ask(query) {
      await scrape();
      const value = evaluate(query, scrapes);
      return typeof value === 'number' ? value : value[0]?.value;
    },
  };
}

async function samplesOf(url: string, headers: Record<string, string>): Promise<Scrape['samples']> {
  try {
    const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(scrapeTimeoutMs) });
    const families = parseMetrics(await answer.text());
    const samples = [...families.values()].flatMap((family) =>
      family.samples.map((sample) => ({ ...sample, labels: new Map([...sample.labels, ['instance', url]]) })),
    );
    return [...samples, upOf(url, 1)];
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return [upOf(url, 0)];
    throw error;
  }
}

/** What Prometheus itself says of a target. */
function upOf(instance: string, value: number): Scrape['samples'][number] {
  const labels = new Map([
    ['job', 'transfers'],
    ['instance', instance],
  ]);
  return { name: 'up', labels, value };
}
