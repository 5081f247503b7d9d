import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import type { StuckOrder } from '../../storage/orders/stuck-orders.ts';
import type { Percentiles, ProcessReport } from '../../storage/processes/reports.ts';
import type { Overview } from '../overview.ts';
import { totalOf, type PartitionState } from '../partitions.ts';
import type { PresentProblem } from '../problems/follow.ts';
import type { Scaling } from '../scaling.ts';
import { html, type Html } from './html.ts';
import { idLink, pauseLink, queueLink, releaseAllLink, releaseLink, table, type Columns } from './parts.ts';
import { problemSection } from './problem-section.ts';
import { webhookSection } from './webhook-section.ts';
import { count, countTo, duration, time } from './words.ts';

/** Why no more are suggested although the load asks for them. */
const limits = {
  partitions: 'more would find no partition',
  workspaces: 'more would not help: the load is in too few partitions',
} as const satisfies Record<NonNullable<Scaling['limitedBy']>, string>;

/** The live part of the page: everything that changes. */
export function overviewFragment(overview: Overview, problems: readonly PresentProblem[], canAct: boolean): Html {
  return html`${problemSection(problems)} ${tiles(overview)} ${processTable(overview)}
    ${partitionTable(overview, canAct)} ${stuckTable(overview, canAct)} ${webhookSection(overview)}
    <footer>${time(overview.at)}. Rates and latencies are of the last 5 s.</footer>`;
}

function tiles({ backlog, partitions, processes, activity, scaling, at }: Overview): Html {
  const latency = latencyOf(processes ?? []);
  const oldestMs =
    backlog?.oldestPendingAt === undefined ? undefined : at.getTime() - backlog.oldestPendingAt.getTime();
  const conflicts = processes?.reduce((sum, { conflictsPerSecond }) => sum + conflictsPerSecond, 0);
  const { pending, stuck = 0 } = backlog ?? {};
  return html`<section class="tiles">
    ${tile('Backlog', countTo(pending, backlog?.isLowerBound ?? false), `orders; ${count(partitions && totalOf(partitions).waiting)} jobs wait`)}
    ${tile('Oldest pending', pending === 0 ? 'none' : duration(oldestMs), 'since it was accepted')}
    ${tile('Accepted', count(activity?.acceptedPerSecond), 'orders a second')}
    ${tile('Posted', count(activity?.postedPerSecond), 'orders a second')}
    ${tile('Latency', duration(latency?.p50), `p95 ${duration(latency?.p95)}, p99 ${duration(latency?.p99)}`)}
    ${tile('Conflicts', count(conflicts), 'transactions run again, a second')}
    ${tile('Workers', count(activity?.workersAlive), `alive; ${suggestion(scaling)}`)}
    ${tile('Set aside', countTo(backlog?.stuck, stuck >= stuckCountedMax), 'orders that wait for you')}
  </section>`;
}

function suggestion(scaling: Scaling | undefined): string {
  const suggested = `${count(scaling?.suggestedWorkers)} suggested`;
  return scaling?.limitedBy ? `${suggested}; ${limits[scaling.limitedBy]}` : suggested;
}

function tile(name: string, value: string, note: string): Html {
  return html`<div class="tile">
    <h2>${name}</h2>
    <b>${value}</b><span>${note}</span>
  </div>`;
}

/** Latency over all workers: the median of their p50, and the worst of their p95 and p99. */
function latencyOf(processes: readonly ProcessReport[]): Percentiles | undefined {
  const all = processes.flatMap(({ latencyMs }) => latencyMs ?? []);
  const medians = all.map(({ p50 }) => p50).sort((a, b) => a - b);
  const p50 = medians[Math.floor(medians.length / 2)];
  if (p50 === undefined) return undefined;
  return { p50, p95: Math.max(...all.map(({ p95 }) => p95)), p99: Math.max(...all.map(({ p99 }) => p99)) };
}

function processTable({ processes, at }: Overview): Html {
  const isWorker = ({ kind }: ProcessReport): boolean => kind === 'worker';
  const rateOf = (report: ProcessReport): string =>
    isWorker(report) ? `${count(report.postedPerSecond)} orders/s` : `${count(report.answeredPerSecond)} answers/s`;
  const quantilesOf = (report: ProcessReport): string => {
    const quantiles = isWorker(report) ? report.latencyMs : report.answerMs;
    return `${duration(quantiles?.p50)} / ${duration(quantiles?.p95)}`;
  };
  const busy = ({ busyShare }: ProcessReport): string => `${Math.round(Math.min(1, busyShare) * 100)} %`;
  const columns: Columns<ProcessReport> = {
    kind: ({ kind }) => kind,
    'host and process': ({ id }) => html`<code>${id}</code>`,
    'up for': ({ startedAt }) => duration(at.getTime() - startedAt.getTime()),
    rate: rateOf,
    'p50 / p95': quantilesOf,
    'conflicts/s': (report) => (isWorker(report) ? count(report.conflictsPerSecond) : ''),
    busy: (report) => (isWorker(report) ? busy(report) : ''),
  };
  return html`<section>
    <h2>Processes alive</h2>
    ${table({
      id: 'processes',
      columns,
      rows: processes ?? [],
      key: ({ id }) => id,
      nothing: processes === undefined ? 'MongoDB does not answer.' : 'None has said so lately.',
    })}
  </section>`;
}

/** One summary line for all partitions, which opens to show each. */
function partitionTable({ partitions, processes }: Overview, canAct: boolean): Html {
  if (partitions === undefined)
    return html`<section>
      <h2>Partitions</h2>
      <p class="nothing">MongoDB or Redis does not answer.</p>
    </section>`;
  const unowned = partitions.filter(({ owners }) => owners.length === 0).length;
  const paused = partitions.filter(({ isPaused }) => isPaused).length;
  const waiting = (processes ?? []).filter(
    (report) => report.kind === 'worker' && report.partitions.length === 0,
  ).length;
  const summary = [
    `${count(partitions.length)} partitions`,
    unowned === 0 ? 'each has an owner' : `${count(unowned)} without an owner`,
    ...(paused === 0 ? [] : [`${count(paused)} paused`]),
    ...(waiting === 0 ? [] : [`${count(waiting)} workers wait for one`]),
  ].join('; ');
  const columns: Columns<PartitionState> = {
    partition: ({ partition }) => queueLink(partition),
    owner: ({ owners }) => html`<code>${owners.length === 0 ? 'none' : owners.join(', ')}</code>`,
    state: ({ partition, isPaused }) =>
      html`${isPaused ? html`<b class="status FAILED">paused</b>` : 'runs'}
      ${canAct ? pauseLink(partition, isPaused) : ''}`,
    'jobs waiting': ({ jobs }) => count(jobs.waiting),
    'in hand': ({ jobs }) => count(jobs.active),
    failed: ({ jobs }) => count(jobs.failed),
  };
  return html`<section>
    <h2>Partitions</h2>
    <details id="partitions">
      <summary>${summary}</summary>
      ${table({
        id: 'partition',
        columns,
        rows: partitions,
        key: ({ partition }) => String(partition),
      })}
    </details>
  </section>`;
}

function stuckTable({ stuck, backlog }: Overview, canAct: boolean): Html {
  const columns: Columns<StuckOrder> = {
    order: ({ id }) => idLink('order', id),
    workspace: ({ workspaceId }) => idLink('workspace', workspaceId),
    since: ({ stuckSince }) => time(stuckSince),
    attempts: ({ attempts }) => count(attempts),
    reason: ({ reason }) => reason,
    ...(canAct && { act: ({ id, reason }) => html`${releaseLink(id)}, ${releaseAllLink(reason)}` }),
  };
  return html`<section>
    <h2>Orders set aside</h2>
    ${table({
      id: 'stuck',
      columns,
      rows: stuck,
      key: ({ id }) => id,
      nothing: backlog === undefined ? 'MongoDB does not answer.' : 'None.',
    })}
    ${canAct && stuck.length > 0 ? html`<p>${releaseAllLink()}</p>` : ''}
  </section>`;
}
