import { setTimeout as delay } from 'node:timers/promises';
import { readAlertRules } from '../support/alert-rules.ts';
import { startLoad } from './load.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { startStack, type Stack } from './stack.ts';

// Makes the cause of every alert under Debian's Prometheus with the shipped configuration, and prints how long after it the alert
// fires, and how long after its end it is over: half an hour. Exits with 0 where all fired and were over in time, otherwise with 1.
//
//   npm run test:alerts                             all of them
//   npm run test:alerts -- ServerDown ApiErrors     the causes of these

const resolvedWithinMs = 60_000;
/** The slowest rule waits for five minutes, and its scrapes. */
const firesMaxMs = 480_000;
const quietMaxMs = 600_000;
const lookEveryMs = 500;

interface Outcome {
  readonly alert: string;
  readonly cause: string;
  readonly firedAfterMs: number | undefined;
  readonly resolvedAfterMs: number | undefined;
}

const seconds = (ms: number | undefined): string => (ms === undefined ? 'never' : `${(ms / 1_000).toFixed(0)} s`);

const asked = new Set(process.argv.slice(2));
const chosen = scenarios.filter(({ alerts }) => asked.size === 0 || alerts.some((alert) => asked.has(alert)));
const stack = await startStack();
const stopLoad = startLoad(stack);
const outcomes: Outcome[] = [];
try {
  for (const scenario of chosen) {
    await untilQuiet(stack);
    for (const outcome of await tryOut(stack, scenario)) {
      outcomes.push(outcome);
      const { alert, firedAfterMs, resolvedAfterMs, cause } = outcome;
      process.stdout.write(
        `${alert.padEnd(20)} fired after ${seconds(firedAfterMs).padEnd(6)} over after ${seconds(resolvedAfterMs).padEnd(6)} ${cause}\n`,
      );
    }
  }
} finally {
  stopLoad();
  await stack.stop();
}
const rules = (await readAlertRules())
  .map(({ alert }) => alert)
  .filter((alert) => asked.size === 0 || asked.has(alert));
const untried = rules.filter((alert) => !outcomes.some((outcome) => outcome.alert === alert));
const late = outcomes.filter(
  ({ firedAfterMs, resolvedAfterMs = Infinity }) => firedAfterMs === undefined || resolvedAfterMs > resolvedWithinMs,
);
const faults = [...untried.map((alert) => `${alert} was not tried`), ...late.map(({ alert }) => `${alert} was late`)];
process.stdout.write(
  `${rules.length - untried.length} of ${rules.length} alerts tried; ${faults.join(', ') || 'all in time'}\n`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Nothing fires, nor is about to. @throws where that takes too long. */
async function untilQuiet({ prometheus }: Stack): Promise<void> {
  const deadline = performance.now() + quietMaxMs;
  for (;;) {
    const active = await prometheus.active();
    if (active.size === 0) return;
    if (performance.now() > deadline) throw new Error(`still active: ${[...active].join(', ')}`);
    await delay(lookEveryMs);
  }
}

async function tryOut(whole: Stack, { alerts, cause, begin }: Scenario): Promise<Outcome[]> {
  const { prometheus } = whole;
  const begunAt = performance.now();
  const end = await begin(whole);
  const firedAt = await timesOf(alerts, firesMaxMs, async (alert) => (await prometheus.firing()).has(alert));
  await end();
  const endedAt = performance.now();
  const resolvedAt = await timesOf(
    alerts,
    3 * resolvedWithinMs,
    async (alert) => !(await prometheus.firing()).has(alert),
  );
  const after = (at: number | undefined, since: number) => (at === undefined ? undefined : at - since);
  return alerts.map((alert) => ({
    alert,
    cause,
    firedAfterMs: after(firedAt.get(alert), begunAt),
    resolvedAfterMs: after(resolvedAt.get(alert), endedAt),
  }));
}

/** When each was first seen so; without those that were not in this time. */
async function timesOf(
  alerts: readonly string[],
  maxMs: number,
  isSo: (alert: string) => Promise<boolean>,
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const deadline = performance.now() + maxMs;
  while (times.size < alerts.length && performance.now() < deadline) {
    for (const alert of alerts) if (!times.has(alert) && (await isSo(alert))) times.set(alert, performance.now());
    await delay(lookEveryMs);
  }
  return times;
}
