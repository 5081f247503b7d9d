import type { StuckOrder } from '../../storage/orders/stuck-orders.ts';
import type { Overview } from '../overview.ts';
import type { PartitionState } from '../partitions.ts';
import type { ProcessReport } from '../../storage/processes/reports.ts';
import { html, type Html } from './html.ts';
import { idLink, pauseLink, queueLink, releaseAllLink, releaseLink } from './links.ts';
import { table, type Columns } from './table.ts';
import { count, duration, time } from './words.ts';

export function processTable({ processes, at }: Overview): Html {
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
export function partitionTable({ partitions, processes }: Overview, canAct: boolean): Html {
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
        nothing: 'None.',
      })}
    </details>
  </section>`;
}

export function stuckTable({ stuck, backlog }: Overview, canAct: boolean): Html {
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
