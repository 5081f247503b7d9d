import { setTimeout as delay } from 'node:timers/promises';
import { parseMetrics } from '../support/metrics-text.ts';
import { waitFor } from '../support/wait-for.ts';
import { startLoad } from './load.ts';
import { opsToken, startStack, type Member, type Stack } from './stack.ts';

// Kills one of three workers every 20 s, for two minutes and under load; each is started again at once. Prints what the metrics, the
// page and Prometheus say meanwhile, and whether every order was posted in the end.
//
//   npm run test:crash-loop

const killEveryMs = 20_000;
const killsUntilMs = 120_000;
const printEveryMs = 10_000;
/** So long beyond the last kill it goes on looking. */
const afterMs = 30_000;
const lookEveryMs = 1_000;
const createsPerSecond = 40;
const drainMaxMs = 120_000;
const headers = { Authorization: `Bearer ${opsToken}` };

/** What is shown, by the name of its metric; of several looks the least and the most. */
const shown = {
  alive: 'transfers_workers_alive',
  unowned: 'transfers_partitions_unowned',
  lost: 'transfers_processes_lost',
  started: 'transfers_processes_started',
  'oldest s': 'transfers_oldest_pending_age_seconds',
  pending: 'transfers_pending_orders',
} as const;
type Figures = Partial<Record<keyof typeof shown, number>>;

const stack = await startStack();
const more = [await stack.startWorker(), await stack.startWorker()];
await Promise.all(more.map(({ child }) => child.ready));
const workers = [stack.worker, ...more];
await stack.prometheus.setTargets([stack.web, ...workers].map(({ target }) => target));
const stopLoad = startLoad(stack, createsPerSecond);
try {
  await waitFor(async () => (await look(stack)).alive === workers.length, { timeoutMs: drainMaxMs });
  const begunAt = performance.now();
  const killing = killInTurn(workers, begunAt);
  let figures: Figures[] = [];
  for (let printAt = printEveryMs; printAt <= killsUntilMs + afterMs;) {
    figures.push(await look(stack));
    if (performance.now() - begunAt >= printAt) {
      await print(stack, printAt, figures);
      figures = [];
      printAt += printEveryMs;
    }
    await delay(lookEveryMs);
  }
  await killing;
  stopLoad();
  const orders = stack.mongo.db('transfers').collection('orders');
  await waitFor(async () => (await orders.countDocuments({ status: 'PENDING' })) === 0, { timeoutMs: drainMaxMs });
  const count = await orders.countDocuments();
  const posted = await orders.countDocuments({ status: 'COMPLETED' });
  process.stdout.write(`${posted} of ${count} orders are COMPLETED, none is PENDING\n`);
} finally {
  stopLoad();
  await stack.stop();
}

/** Kills each in turn, and starts it again at once, as a supervisor does. */
async function killInTurn(members: readonly Member[], begunAt: number): Promise<void> {
  for (let kill = 0; kill * killEveryMs < killsUntilMs; kill += 1) {
    await delay(Math.max(0, kill * killEveryMs - (performance.now() - begunAt)));
    const member = members[kill % members.length] as Member;
    process.stdout.write(`${clock(performance.now() - begunAt)}  kill -9 of worker ${member.child.pid}\n`);
    member.child.kill('SIGKILL');
    await member.child.exited;
    await member.restart();
  }
}

async function look({ web }: Stack): Promise<Figures> {
  const families = parseMetrics(await textOf(web, '/metrics'));
  const valueOf = (name: string): number | undefined =>
    families
      .get(name)
      ?.samples.filter(({ labels }) => (labels.get('process') ?? 'worker') === 'worker')
      .at(0)?.value;
  return Object.fromEntries(
    Object.entries(shown).flatMap(([label, name]) => {
      const value = valueOf(name);
      return value === undefined ? [] : [[label, value]];
    }),
  );
}

async function print({ web, prometheus }: Stack, atMs: number, looks: readonly Figures[]): Promise<void> {
  const ranges = (Object.keys(shown) as (keyof typeof shown)[]).map((label) => {
    const values = looks.flatMap((figures) => figures[label] ?? []).map((value) => Math.round(value * 10) / 10);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return `${label} ${values.length === 0 ? '?' : least === most ? least : `${least} to ${most}`}`;
  });
  const [firing, active] = [await prometheus.firing(), await prometheus.active()];
  const pending = [...active].filter((alert) => !firing.has(alert));
  const page = await textOf(web, '/live');
  const banners = [...page.matchAll(/<p class="alarm.*?<b>(.*?)<\/b>/gs)].map(([, text]) => text ?? '');
  const [, line = 'no line about lost processes'] = /<details id="lost">.*?<summary>(.*?)<\/summary>/s.exec(page) ?? [];
  const lines = [
    `${clock(atMs)}  ${ranges.join(', ')}`,
    `       alerts: ${[...firing].join(', ') || 'none'}${pending.length === 0 ? '' : `; pending: ${pending.join(', ')}`}`,
    `       banners: ${banners.join(' | ') || 'none'}`,
    `       page: ${line.replaceAll(/<[^>]+>/g, '')}`,
  ];
  process.stdout.write(`${lines.map((text) => text.replaceAll(/\s*\n\s*/g, ' ')).join('\n')}\n`);
}

async function textOf({ target }: Member, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${target.opsPort}${path}`, { headers })).text();
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
