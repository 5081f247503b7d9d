import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import type { ProcessReport } from '../../storage/processes/reports.ts';
import { nameOf } from '../health.ts';
import { anchorOf } from '../docs.ts';
import type { Overview } from '../overview.ts';
import type { PresentProblem } from '../problems/follow.ts';
import { html, type Html, type Part } from './html.ts';
import { idLink, ordersLink, section, table, type Columns } from './parts.ts';
import { count, countTo, duration, percent, time } from './words.ts';

/** The overview: what is wrong, how fast it goes, what waits, the processes, the webhooks. */
export function overviewPage(overview: Overview, problems: readonly PresentProblem[]): Html {
  return html`${problemSection(problems, overview.webhooks?.failing)} ${tiles(overview)} ${processTable(overview)}
    ${webhooksOf(overview)}
    <footer>
      ${time(overview.at)}. Rates and shares are of the last 5 s; over time, and latencies, Grafana shows, from
      <a href="/metrics">the metrics</a>, which are plain text for Prometheus.
    </footer>`;
}

/** Of the overview; the number of problems stands first, to be read in a tab. */
export function titleOf(problems: readonly PresentProblem[]): string {
  return `${problems.length === 0 ? '' : `(${problems.length}) `}Transfers: operations`;
}

/**
 * How many problems there are, and each of them.
 * @param failingReceivers of webhooks: no problem of the service, but not well either.
 */
export function problemSection(problems: readonly PresentProblem[], failingReceivers = 0): Html {
  const count = problems.length;
  const well =
    failingReceivers === 0 ? 'All well' : `All well here; receivers of webhooks that fail: ${failingReceivers}`;
  const head = count === 0 ? well : count === 1 ? '1 problem' : `${count} problems`;
  return html`<h2 id="problems">${head}</h2>
    ${problems.map(banner)}`;
}

/** What is wrong and since when, its consequence, what to do, where to read on, and what else follows from it. */
function banner({ name, severity, what, figure, since, follows, toDo, explained }: PresentProblem): Html {
  const anchor = anchorOf(name);
  const sinceWhen = since.toISOString().slice(0, 19).replace('T', ' ');
  return html`<p class="alarm ${severity}" role="alert" id="problem-${anchor}">
    <b>${what}${figure === undefined ? '' : `: ${figure}`}, since ${sinceWhen} UTC.</b> ${follows} <i>${toDo}</i>
    <a href="/docs/operations.md#${anchor}">Runbook</a>
    ${explained.length === 0 ? '' : html`<br />From it follows: ${explained.map(mention)}`}
  </p>`;
}

function mention({ what, figure }: PresentProblem, index: number): Html {
  return html`${index === 0 ? '' : '; '}${what}${figure === undefined ? '' : `: ${figure}`}`;
}

function tiles({ backlog, activity, scaling, at }: Overview): Html {
  const oldestMs =
    backlog?.oldestPendingAt === undefined ? undefined : at.getTime() - backlog.oldestPendingAt.getTime();
  const { pending, stuck = 0 } = backlog ?? {};
  return html`<section class="tiles">
    ${tile('Backlog', countTo(pending, backlog?.isLowerBound ?? false), 'orders wait')}
    ${tile('Oldest pending', pending === 0 ? 'none' : duration(oldestMs), '')}
    ${tile('Accepted', count(activity?.acceptedPerSecond), 'orders a second')}
    ${tile('Posted', count(activity?.postedPerSecond), html`orders a second; ${ordersLink('failed', {})}`)}
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

const rateOf: Readonly<Record<ProcessReport['kind'], (report: ProcessReport) => string>> = {
  web: ({ answeredPerSecond }) => `${count(answeredPerSecond)} answers/s`,
  worker: ({ postedPerSecond }) => `${count(postedPerSecond)} orders/s`,
  webhooks: ({ sentPerSecond }) => `${count(sentPerSecond)} events/s`,
};

function processTable({ processes, at }: Overview): Html {
  const columns: Columns<ProcessReport> = {
    kind: ({ kind }) => kind,
    process: ({ id, down = {} }) =>
      html`<span title="${id}">${id.replace(/:[^:]*$/, '')}</span> ${Object.keys(down).map(notReached)}`,
    'up for': ({ startedAt }) => duration(at.getTime() - startedAt.getTime()),
    rate: (report) => rateOf[report.kind](report),
    busy: ({ kind, busyShare }) => (kind === 'worker' ? percent(Math.min(1, busyShare)) : ''),
    release: ({ version }) => version ?? '',
  };
  const list = table({
    id: 'processes',
    columns,
    rows: processes ?? [],
    nothing: processes === undefined ? 'MongoDB does not answer.' : 'None has said so lately.',
  });
  return section('Processes alive', list);
}

/** One line: what waits, since when, where receivers fail, and what the service has disabled. */
function webhooksOf({ webhooks }: Overview): Html {
  if (webhooks === undefined) return section('Webhooks', html`<p class="nothing">MongoDB does not answer.</p>`);
  const { worst, waiting, failing, disabled, sentPerSecond, deliveredPerSecond, isLowerBound } = webhooks;
  return section(
    'Webhooks',
    table({
      id: 'webhooks',
      columns: {
        delivered: () => `${count(deliveredPerSecond)} a second`,
        failed: () => `${count(sentPerSecond - deliveredPerSecond)} a second`,
        'events waiting': () => countTo(waiting, isLowerBound),
        'oldest for': () => (worst === undefined ? 'none' : duration(worst.oldestMs)),
        'failing receivers': () => countTo(failing, isLowerBound),
        'worst of them': () => (worst === undefined ? '' : html`${idLink(worst.id)} of ${idLink(worst.workspaceId)}`),
        'disabled in 24 h': () => count(disabled),
      },
      rows: [webhooks],
    }),
  );
}
