import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import type { ProcessReport } from '../../storage/processes/reports.ts';
import { nameOf } from '../health.ts';
import type { Overview } from '../overview.ts';
import type { PresentProblem } from '../problems/follow.ts';
import { html, type Html, type Part } from './html.ts';
import { idLink, ordersLink, section, table, type Columns } from './parts.ts';
import { problemSection } from './problem-section.ts';
import { count, countTo, duration, percent, time } from './words.ts';

/** The live part of the page: everything that changes. */
export function overviewFragment(overview: Overview, problems: readonly PresentProblem[]): Html {
  return html`${problemSection(problems, overview.webhooks?.failing)} ${tiles(overview)} ${processTable(overview)}
    ${webhooksOf(overview)}
    <footer>
      ${time(overview.at)}. Rates and shares are of the last 5 s; over time, and latencies, Grafana shows, from
      <a href="/metrics">the metrics</a>, which are plain text for Prometheus.
    </footer>`;
}

function tiles({ backlog, activity, scaling, at }: Overview): Html {
  const oldestMs =
    backlog?.oldestPendingAt === undefined ? undefined : at.getTime() - backlog.oldestPendingAt.getTime();
  const { pending, stuck = 0 } = backlog ?? {};
  return html`<section class="tiles">
    ${tile('Backlog', countTo(pending, backlog?.isLowerBound ?? false), html`orders wait: ${ordersLink('which', { status: 'PENDING' })}`)}
    ${tile('Oldest pending', pending === 0 ? 'none' : duration(oldestMs), ordersLink('which', { status: 'PENDING' }))}
    ${tile('Accepted', count(activity?.acceptedPerSecond), 'orders a second')}
    ${tile('Posted', count(activity?.postedPerSecond), html`orders a second; ${ordersLink('failed', { status: 'FAILED' })}`)}
    ${tile('Workers', count(activity?.workersAlive), `${count(scaling?.suggestedWorkers)} suggested`)}
    ${tile('Set aside', countTo(backlog?.stuck, stuck >= stuckCountedMax), ordersLink('wait for you', { status: 'SET_ASIDE' }))}
  </section>`;
}

function tile(name: string, value: string, note: Part): Html {
  return html`<div class="tile">
    <h2>${name}</h2>
    <b>${value}</b><span>${note}</span>
  </div>`;
}

/** Others may reach it. */
function notReached(server: string): Html {
  return html`<b class="status FAILED">does not reach ${nameOf(server)}</b>`;
}

function processTable({ processes, at }: Overview): Html {
  const columns: Columns<ProcessReport> = {
    kind: ({ kind }) => kind,
    process: ({ id, down = {} }) =>
      html`<span title="${id}">${id.replace(/:[^:]*$/, '')}</span> ${Object.keys(down).map(notReached)}`,
    'up for': ({ startedAt }) => duration(at.getTime() - startedAt.getTime()),
    rate: ({ kind, postedPerSecond, answeredPerSecond }) =>
      kind === 'worker' ? `${count(postedPerSecond)} orders/s` : `${count(answeredPerSecond)} answers/s`,
    busy: ({ kind, busyShare }) => (kind === 'worker' ? percent(Math.min(1, busyShare)) : ''),
    release: ({ version }) => version ?? '',
  };
  const list = table({
    id: 'processes',
    columns,
    rows: processes ?? [],
    key: ({ id }) => id,
    nothing: processes === undefined ? 'MongoDB does not answer.' : 'None has said so lately.',
  });
  return section('Processes alive', list);
}

/** One line: what waits, since when, where receivers fail, and what the service has disabled. */
function webhooksOf({ webhooks }: Overview): Html {
  if (webhooks === undefined) return section('Webhooks', html`<p class="nothing">MongoDB does not answer.</p>`);
  const { worst, waitingAtOthers, failing, disabled, sentPerSecond, deliveredPerSecond, isLowerBound } = webhooks;
  const waiting = worst.reduce((sum, endpoint) => sum + endpoint.waiting, waitingAtOthers);
  const [first] = worst;
  return section(
    'Webhooks',
    table({
      id: 'webhooks',
      columns: {
        delivered: () => `${count(deliveredPerSecond)} a second`,
        failed: () => `${count(sentPerSecond - deliveredPerSecond)} a second`,
        'events waiting': () => countTo(waiting, isLowerBound),
        'oldest for': () => (first === undefined ? 'none' : duration(first.oldestMs)),
        'failing receivers': () => countTo(failing, isLowerBound),
        'worst of them': () =>
          first === undefined ? '' : html`${idLink('webhook', first.id)} of ${idLink('workspace', first.workspaceId)}`,
        'disabled in 24 h': () => count(disabled),
      },
      rows: [webhooks],
    }),
  );
}
