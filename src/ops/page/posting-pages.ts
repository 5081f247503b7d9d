import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import type { ListedProcess, Percentiles } from '../../storage/processes/reports.ts';
import { describeActor } from '../audited.ts';
import type { PartitionView, ProcessView } from '../posting-lookups.ts';
import { html, type Html, type Part } from './html.ts';
import { jobLink } from './order-page.ts';
import {
  eventsTable,
  facts,
  idLink,
  idTitle,
  listing,
  ordersLink,
  partitionLink,
  pauseMark,
  processLink,
  processLinks,
  queueLink,
  table,
} from './parts.ts';
import { count, countTo, duration, megabytes, percent, time } from './words.ts';

/** What a process does a second. */
export function rateOf({ kind, postedPerSecond, answeredPerSecond }: ListedProcess): string {
  return kind === 'worker' ? `${count(postedPerSecond)} orders/s` : `${count(answeredPerSecond)} answers/s`;
}

/** How long its orders took from acceptance to their end, or its answers. */
export function quantilesOf({ kind, latencyMs, answerMs }: ListedProcess): Percentiles | undefined {
  return kind === 'worker' ? latencyMs : answerMs;
}

/** One process that is alive: what it does, and what it takes. */
export function processPage({ at, report, events }: ProcessView, canAct: boolean): Html {
  const { id, kind, vitals, clockAheadMs, startedAt } = report;
  const quantiles = quantilesOf(report);
  const [host = '', pid = ''] = id.split(':');
  return html`<section>
      ${idTitle(kind === 'worker' ? 'Worker' : 'Web process', id)}
      ${facts({
        ...(kind === 'worker' && workerFacts(report, canAct)),
        rate: rateOf(report),
        'p50 / p95 / p99': `${duration(quantiles?.p50)} / ${duration(quantiles?.p95)} / ${duration(quantiles?.p99)}`,
        CPU: `${percent(vitals?.cpu)} of a processor; its event loop is busy ${percent(vitals?.loopShare)} of the time`,
        memory: `${megabytes(vitals?.rssBytes)}, of which heap ${megabytes(vitals?.heapBytes)}`,
        release: vitals?.version ?? 'an earlier one',
        started: `${time(startedAt)}, ${duration(at.getTime() - startedAt.getTime())} ago`,
        clock: clockWords(clockAheadMs),
        host,
        process: pid,
      })}
      <p class="nothing">As it said within the last seconds; rates, shares and latencies are of the 5 s before.</p>
    </section>
    ${listing('Who did what', events, eventsTable(events))}`;
}

function workerFacts({ id, isPaused, partitions, busyShare, conflictsPerSecond }: ListedProcess, canAct: boolean) {
  return {
    state: pauseMark('worker', id, isPaused, canAct),
    partitions: partitions.length === 0 ? 'none' : html`${partitions.map((each) => html`${partitionLink(each)} `)}`,
    busy: `${percent(Math.min(1, busyShare))} of the time with a group in hand`,
    conflicts: `${count(conflictsPerSecond)} transactions run again, a second`,
  } satisfies Record<string, Part>;
}

function clockWords(aheadMs: number): string {
  return `${duration(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'} MongoDB's; corrected by that`;
}

/** One partition: whose it is, what waits there, and who paused it. */
export function partitionPage(view: PartitionView, canAct: boolean): Html {
  const { at, partition, isPaused, owners, lease, jobs, events } = view;
  const oldestAt = view.workspaces.flatMap(({ oldestPendingAt }) => oldestPendingAt ?? []).sort((a, b) => +a - +b)[0];
  const isPartOnly = view.workspacesWaiting > view.workspaces.length;
  const oldest =
    oldestAt && `waits for ${duration(at.getTime() - oldestAt.getTime())}${isPartOnly ? ' or longer' : ''}`;
  const pause = isPaused ? events.find(({ action }) => action === 'partitions pause') : undefined;
  return html`<section>
      <h2>Partition ${partition}</h2>
      ${facts({
        state: pauseMark('partition', partition, isPaused, canAct),
        ...(pause && {
          'paused by': `${describeActor(pause)}, ${time(pause.createdAt)}: ${String(pause.subject['reason'])}`,
        }),
        owner: processLinks(owners),
        lease:
          lease === undefined
            ? 'nobody has it'
            : html`${processLink(lease.holder)} has it${lease.since ? ` since ${time(lease.since)}` : ''},
              ${lease.until > at ? 'and prolongs it' : `but let it run out at ${time(lease.until)}`}`,
        backlog: `${countTo(view.waiting, view.isLowerBound)} orders of ${count(view.workspacesWaiting)} workspaces wait`,
        oldest: oldest ?? 'none waits',
        'set aside': html`${countTo(view.stuck, (view.stuck ?? 0) >= stuckCountedMax)} orders of all partitions:
        ${ordersLink('which', { status: 'SET_ASIDE' })}`,
        jobs: html`${count(jobs.waiting)} wait, ${count(jobs.active)} in hand, ${count(jobs.failed)} failed:
        ${queueLink(partition, 'its queue')}`,
      })}
    </section>
    ${listing(
      'Workspaces with most orders that wait',
      view.workspaces,
      table<PartitionView['workspaces'][number]>({
        id: 'workspaces',
        columns: {
          workspace: ({ id }) => idLink('workspace', id),
          waiting: ({ waiting }) => count(waiting),
          oldest: ({ oldestPendingAt }) => duration(oldestPendingAt && at.getTime() - oldestPendingAt.getTime()),
        },
        rows: view.workspaces,
      }),
    )}
    ${listing(
      'Jobs in hand',
      view.activeJobs,
      table<PartitionView['activeJobs'][number]>({
        id: 'jobs',
        columns: {
          job: ({ id = '', queueName: queue }) => jobLink({ id, queue }),
          orders: ({ data }) => count(data.batches.reduce((sum, { orderIds }) => sum + orderIds.length, 0)),
          taken: ({ processedOn }) => (processedOn === undefined ? '' : `${duration(at.getTime() - processedOn)} ago`),
        },
        rows: view.activeJobs,
      }),
    )}
    ${listing('Who did what', events, eventsTable(events))}`;
}
