import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import type { ListedProcess, Percentiles, ProcessReport } from '../../storage/processes/reports.ts';
import type { Overview } from '../overview.ts';
import type { PartitionState } from '../partitions.ts';
import type { PresentProblem } from '../problems/follow.ts';
import { html, type Html, type Part } from './html.ts';
import { lostProcesses } from './lost-processes.ts';
import {
  partitionLink,
  ordersLink,
  pausedMark,
  pauseMark,
  processLink,
  processLinks,
  releaseAllLink,
  section,
  stuckTable,
  table,
  type Columns,
} from './parts.ts';
import { problemSection } from './problem-section.ts';
import { webhookSection } from './webhook-section.ts';
import { quantilesOf, rateOf } from './posting-pages.ts';
import { count, countTo, duration, megabytes, percent, time } from './words.ts';

/** The live part of the page: everything that changes. */
export function overviewFragment(overview: Overview, problems: readonly PresentProblem[], canAct: boolean): Html {
  return html`${problemSection(problems)} ${tiles(overview)} ${processTable(overview)}
    ${partitionTable(overview, canAct)} ${setAside(overview, canAct)} ${webhookSection(overview)}
    <footer>
      ${time(overview.at)}. Rates, shares and latencies are of the last 5 s; over time, Grafana shows them, from
      <a href="/metrics">the metrics</a>, which are plain text for Prometheus.
    </footer>`;
}

function tiles({ backlog, processes, activity, scaling, at }: Overview): Html {
  const latency = latencyOf(processes ?? []);
  const oldestMs =
    backlog?.oldestPendingAt === undefined ? undefined : at.getTime() - backlog.oldestPendingAt.getTime();
  const { pending, stuck = 0 } = backlog ?? {};
  return html`<section class="tiles">
    ${tile('Backlog', countTo(pending, backlog?.isLowerBound ?? false), html`orders wait: ${ordersLink('which', { status: 'PENDING' })}`)}
    ${tile('Oldest pending', pending === 0 ? 'none' : duration(oldestMs), ordersLink('slowest now', { order: 'slowest' }))}
    ${tile('Accepted', count(activity?.acceptedPerSecond), 'orders a second')}
    ${tile('Posted', count(activity?.postedPerSecond), html`orders a second; ${ordersLink('failed', { status: 'FAILED' })}`)}
    ${tile('Latency', duration(latency?.p50), `median; p99 ${duration(latency?.p99)}`)}
    ${tile('Workers', count(activity?.workersAlive), html`<a href="/scaling">${count(scaling?.suggestedWorkers)} suggested</a>`)}
    ${tile('Set aside', countTo(backlog?.stuck, stuck >= stuckCountedMax), ordersLink('wait for you', { status: 'SET_ASIDE' }))}
  </section>`;
}

function tile(name: string, value: string, note: Part): Html {
  return html`<div class="tile">
    <h2>${name}</h2>
    <b>${value}</b><span>${note}</span>
  </div>`;
}

/** Latency over all workers: the median of their medians, and the worst of their p99. */
function latencyOf(processes: readonly ProcessReport[]): Pick<Percentiles, 'p50' | 'p99'> | undefined {
  const all = processes.flatMap(({ latencyMs }) => latencyMs ?? []);
  const medians = all.map(({ p50 }) => p50).sort((a, b) => a - b);
  const p50 = medians[Math.floor(medians.length / 2)];
  if (p50 === undefined) return undefined;
  return { p50, p99: Math.max(...all.map(({ p99 }) => p99)) };
}

function processTable(overview: Overview): Html {
  const { processes, at } = overview;
  const columns: Columns<ListedProcess> = {
    kind: ({ kind, isPaused }) => (isPaused ? html`${kind} ${pausedMark}` : kind),
    process: ({ id }) => processLink(id),
    'up for': ({ startedAt }) => duration(at.getTime() - startedAt.getTime()),
    rate: rateOf,
    'p50 / p95': (report) => {
      const quantiles = quantilesOf(report);
      return `${duration(quantiles?.p50)} / ${duration(quantiles?.p95)}`;
    },
    busy: ({ kind, busyShare }) => (kind === 'worker' ? percent(Math.min(1, busyShare)) : ''),
    CPU: ({ vitals }) => percent(vitals?.cpu),
    memory: ({ vitals }) => megabytes(vitals?.rssBytes),
  };
  const list = table({
    id: 'processes',
    columns,
    rows: processes ?? [],
    key: ({ id }) => id,
    nothing: processes === undefined ? 'MongoDB does not answer.' : 'None has said so lately.',
  });
  return section('Processes alive', html`${list} ${lostProcesses(overview)}`);
}

/** One summary line for all partitions, which opens to show each. */
function partitionTable({ partitions, processes }: Overview, canAct: boolean): Html {
  if (partitions === undefined)
    return section('Partitions', html`<p class="nothing">MongoDB or Redis does not answer.</p>`);
  const unowned = partitions.filter(({ owners }) => owners.length === 0).length;
  const paused = partitions.filter(({ isPaused }) => isPaused).length;
  const waiting = (processes ?? []).filter(
    ({ kind, partitions: own, isPaused }) => kind === 'worker' && own.length === 0 && !isPaused,
  ).length;
  const summary = [
    `${count(partitions.length)} partitions`,
    unowned === 0 ? 'each has an owner' : `${count(unowned)} without an owner`,
    ...(paused === 0 ? [] : [`${count(paused)} paused`]),
    ...(waiting === 0 ? [] : [`${count(waiting)} workers wait for one`]),
  ].join('; ');
  const columns: Columns<PartitionState> = {
    partition: ({ partition }) => partitionLink(partition),
    owner: ({ owners }) => processLinks(owners),
    state: ({ partition, isPaused }) => pauseMark('partition', partition, isPaused, canAct),
    'jobs waiting': ({ jobs }) => count(jobs.waiting),
    'in hand': ({ jobs }) => count(jobs.active),
    failed: ({ jobs }) => count(jobs.failed),
  };
  return section(
    'Partitions',
    html`<details id="partitions">
      <summary>${summary}</summary>
      ${table({
        id: 'partition',
        columns,
        rows: partitions,
        key: ({ partition }) => String(partition),
      })}
    </details>`,
  );
}

function setAside({ stuck, backlog }: Overview, canAct: boolean): Html {
  const list = stuckTable(stuck, canAct, backlog === undefined ? 'MongoDB does not answer.' : 'None.');
  return section(
    'Orders set aside',
    html`${list} ${canAct && stuck.length > 0 ? html`<p>${releaseAllLink()}</p>` : ''}`,
  );
}
