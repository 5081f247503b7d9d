import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { findExecutable } from '../../local/executables.ts';
import type { AlertRule } from './alert-rules.ts';

/** Where script/bootstrap unpacks Prometheus on a machine without one. */
const unpacked = join(import.meta.dirname, '../../.node/prometheus/promtool');
const rulesPath = join(import.meta.dirname, '../../deploy/alerts.yml');

/** Undefined where this machine has none. */
export async function findPromtool(): Promise<string | undefined> {
  return (
    (await findExecutable('promtool')) ??
    (await access(unpacked).then(
      () => unpacked,
      () => undefined,
    ))
  );
}

/** Between two scrapes, and two evaluations. */
export const stepSeconds = 15;

export interface RuleTest {
  name: string;
  /** Values by series, each at {@link stepSeconds} after the one before; `stale` once it is scraped no more. */
  series: Record<string, readonly (number | 'stale')[]>;
  /** Which alerts fire when, in seconds; one without a label has none besides its name and severity. */
  expected: { at: number; alert: string; isFiring: boolean }[];
}

/**
 * Holds that the runbook's link of an alert that fires is this one, where Prometheus has these external labels.
 * @throws Error with what `promtool test rules` prints.
 */
export async function testLink(
  promtool: string,
  { alert, annotations }: Pick<AlertRule, 'alert' | 'annotations'>,
  series: string,
  labels: Record<string, string>,
): Promise<void> {
  const interval = `${stepSeconds}s`;
  const fires = { exp_labels: labels, exp_annotations: annotations };
  await runPromtool(promtool, [
    {
      interval,
      external_labels: { operations: 'https://ops.example' },
      input_series: [{ series, values: '0x40' }],
      alert_rule_test: [{ eval_time: '10m', alertname: alert, exp_alerts: [fires] }],
    },
  ]);
}

/** Runs these tests of the shipped rules by Prometheus's own `promtool test rules`. @throws Error with what it prints. */
export async function testRules(promtool: string, tests: readonly RuleTest[]): Promise<void> {
  const interval = `${stepSeconds}s`;
  await runPromtool(
    promtool,
    tests.map(({ name, series, expected }) => ({
      name,
      interval,
      input_series: Object.entries(series).map(([each, values]) => ({ series: each, values: values.join(' ') })),
      promql_expr_test: expected.map(({ at, alert, isFiring }) => ({
        // How many fire, whatever they are about.
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: `${at}s`,
        exp_samples: [{ labels: '{}', value: isFiring ? 1 : 0 }],
      })),
    })),
  );
}

async function runPromtool(promtool: string, tests: readonly object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'test-rules-'));
  const file = join(folder, 'test.yml');
  try {
    await writeFile(file, stringify({ rule_files: [rulesPath], evaluation_interval: `${stepSeconds}s`, tests }));
    await promisify(execFile)(promtool, ['test', 'rules', file]);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true });
  }
}
