import { queueNameOf } from '../../queue/queue.ts';
import type { Overview } from '../overview.ts';
import type { PartitionState } from '../partitions.ts';
import type { ProcessReport } from '../reports.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { count, duration, time } from './words.ts';

export function processTable({ processes, at }: Overview): Html {
  const row = (report: ProcessReport): Html => {
    const { id, kind, startedAt, answeredPerSecond, postedPerSecond, conflictsPerSecond, busyShare } = report;
    const isWorker = kind === 'worker';
    const quantiles = isWorker ? report.latencyMs : report.answerMs;
    return html`<tr>
      <td>${kind}</td>
      <td><code>${id}</code></td>
      <td>${duration(at.getTime() - Date.parse(startedAt))}</td>
      <td>${count(isWorker ? postedPerSecond : answeredPerSecond)} ${isWorker ? 'orders' : 'answers'}/s</td>
      <td>${duration(quantiles?.p50)} / ${duration(quantiles?.p95)}</td>
      <td>${isWorker ? count(conflictsPerSecond) : ''}</td>
      <td>${isWorker ? `${Math.round(Math.min(1, busyShare) * 100)} %` : ''}</td>
    </tr>`;
  };
  return html`<section>
    <h2>Processes alive</h2>
    <table id="processes">
      <thead>
        <tr>
          <th>kind</th>
          <th>host and process</th>
          <th>up for</th>
          <th>rate</th>
          <th>p50 / p95</th>
          <th>conflicts/s</th>
          <th>busy</th>
        </tr>
      </thead>
      <tbody>
        ${processes === undefined ? [nothing(7, 'Redis does not answer.')] : processes.map(row)}
      </tbody>
    </table>
  </section>`;
}

/** One line for all, and what is behind it for whoever opens it. */
export function partitionTable({ partitions, processes }: Overview): Html {
  const title = html`<h2>Partitions</h2>`;
  if (partitions === undefined)
    return html`<section>
      ${title}
      <p class="nothing">Redis does not answer.</p>
    </section>`;
  const unowned = partitions.filter(({ owners }) => owners.length === 0).length;
  const waiting = (processes ?? []).filter(
    (report) => report.kind === 'worker' && report.partitions.length === 0,
  ).length;
  const summary = [
    `${count(partitions.length)} partitions`,
    unowned === 0 ? 'each has an owner' : `${count(unowned)} without an owner`,
    ...(waiting === 0 ? [] : [`${count(waiting)} workers wait for one`]),
  ].join('; ');
  const row = ({ partition, owners, jobs }: PartitionState): Html =>
    html`<tr>
      <td><a href="/queues/queue/${encodeURIComponent(queueNameOf(partition))}">${partition}</a></td>
      <td><code>${owners.length === 0 ? 'none' : owners.join(', ')}</code></td>
      <td>${count(jobs.waiting)}</td>
      <td>${count(jobs.active)}</td>
      <td>${count(jobs.failed)}</td>
    </tr>`;
  return html`<section>
    ${title}
    <details id="partitions">
      <summary>${summary}</summary>
      <table>
        <thead>
          <tr>
            <th>partition</th>
            <th>owner</th>
            <th>jobs waiting</th>
            <th>in hand</th>
            <th>failed</th>
          </tr>
        </thead>
        <tbody>
          ${partitions.map(row)}
        </tbody>
      </table>
    </details>
  </section>`;
}

export function stuckTable({ stuck, backlog }: Overview): Html {
  const rows = stuck.map(
    ({ id, attempts, reason, stuckSince }) =>
      html`<tr>
        <td>
          <a href="/order?id=${id}"><code>${id}</code></a>
        </td>
        <td>${time(stuckSince)}</td>
        <td>${count(attempts)}</td>
        <td>${reason}</td>
      </tr>`,
  );
  return html`<section>
    <h2>Orders set aside</h2>
    <table>
      <thead>
        <tr>
          <th>order</th>
          <th>since</th>
          <th>attempts</th>
          <th>reason</th>
        </tr>
      </thead>
      <tbody>
        ${rows.length > 0 ? rows : [nothing(4, backlog === undefined ? 'MongoDB does not answer.' : 'None.')]}
      </tbody>
    </table>
  </section>`;
}

function nothing(columns: number, text: string): Html {
  return html`<tr>
    <td colspan="${columns}" class="nothing">${text}</td>
  </tr>`;
}
