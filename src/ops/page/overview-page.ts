import { stuckCountedMax } from '../../storage/orders/backlog.ts';
import { alarmsOf, type Alarm, type ProcessState } from '../alarms.ts';
import { latencyOf, onTimeAxis, slotMs, type HistoryPoint } from '../history.ts';
import type { Overview } from '../overview.ts';
import { totalOf } from '../partitions.ts';
import type { Scaling } from '../scaling.ts';
import { html, type Html } from './html.ts';
import { runbookLink } from './links.ts';
import { plot } from './plot.ts';
import { partitionTable, processTable, stuckTable } from './tables.ts';
import { webhookSection } from './webhook-section.ts';
import { count, countTo, duration, time } from './words.ts';

/** Why no more are suggested although the load asks for them. */
const limits = {
  partitions: 'more would find no partition',
  workspaces: 'more would not help: the load is in too few partitions',
} as const satisfies Record<NonNullable<Scaling['limitedBy']>, string>;

/** Five minutes. */
const placesMin = 60;

interface PageState extends ProcessState {
  /** Whether actions are allowed. */
  readonly canAct: boolean;
}

/** The live part of the page: everything that changes. */
export function overviewFragment(overview: Overview, history: readonly HistoryPoint[], state: PageState): Html {
  return html`${alarmsOf(overview, history, state).map(banner)} ${tiles(overview)}
    <section class="plots">${plots(history, overview)}</section>
    ${processTable(overview)} ${partitionTable(overview, state.canAct)} ${stuckTable(overview, state.canAct)}
    ${webhookSection(overview)}
    <footer>${time(overview.at)}. Rates are averages of 5 s; plots show the last 30 min at most.</footer>`;
}

/** An alarm: what is wrong, its consequence, what to do, and where to read on. */
function banner({ what, follows, toDo, runbook }: Alarm): Html {
  return html`<p class="alarm" role="alert" id="alarm-${runbook}">
    <b>${what}.</b> ${follows} <i>${toDo}</i> ${runbookLink(runbook)}
  </p>`;
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

function plots(history: readonly HistoryPoint[], { at, backlog }: Overview): Html[] {
  const points = onTimeAxis(history, at, placesMin);
  const places = points.length;
  const axis = { from: new Date(at.getTime() - (places - 1) * slotMs), stepMs: slotMs, places };
  const draw = (
    title: string,
    shown: Readonly<Record<string, Exclude<keyof HistoryPoint, 'at'>>>,
    format: (value: number) => string,
  ): Html => {
    const series = Object.entries(shown).map(([name, of]) => ({ name, values: points.map((point) => point?.[of]) }));
    return plot({ title, series, axis, format });
  };
  const orders = (pending: number): string =>
    countTo(pending, backlog?.isLowerBound === true && pending >= backlog.pending);
  return [
    draw('Orders a second', { accepted: 'acceptedPerSecond', posted: 'postedPerSecond' }, count),
    draw('Backlog', { orders: 'pending' }, orders),
    draw('Latency, accepted to settled', { p50: 'latencyP50Ms', p95: 'latencyP95Ms' }, duration),
    draw('Conflicts a second', { 'run again': 'conflictsPerSecond' }, count),
  ];
}
