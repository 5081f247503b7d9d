import { forgedSteps } from '../../auth/pipeline.ts';
import type { LatelyCount, ProcessReport } from '../../storage/processes/reports.ts';
import { slowAfterSeconds } from '../metrics.ts';
import { count, percent } from '../page/words.ts';
import { ofKnown, type AlertRule, type PageRule, type Problem } from './problem.ts';

interface Counted {
  readonly events: LatelyCount;
  /** Of what the events are a share; absent if they are judged by how many come a second. */
  readonly of?: readonly LatelyCount[];
  /** The share, or the events a second, beyond which it is a problem. */
  readonly over: number;
  /** With no more events a second than this it is none, so that a single failure of a quiet service does not count as all of its traffic. */
  readonly floor?: number;
  /** Whether a share is shown in percent. */
  readonly isPercent?: boolean;
  readonly figure: (value: string) => string;
  /** As in {@link AlertRule}. */
  readonly for?: string;
}

/** The counter that Prometheus reads, for each of the figures that a process reports. */
const counters: Readonly<Record<Exclude<LatelyCount, 'slow'>, string>> = {
  answered: 'transfers_http_requests_total',
  serverErrors: 'transfers_http_requests_total{status=~"5.."}',
  forged: `transfers_pipeline_refusals_total{step=~"${forgedSteps.join('|')}"}`,
  denied: 'transfers_ops_denied_total',
  batches: 'transfers_accept_group_orders_count',
  enqueueFailures: 'transfers_enqueue_failures_total',
  groups: 'transfers_post_group_orders_count',
  groupFailures: 'transfers_post_group_failures_total',
  conflicts: 'transfers_post_conflicts_total',
  posted: 'transfers_order_latency_seconds_count',
};

/**
 * A rule about what processes count. The alert looks at 45 seconds beside five minutes: the five tell that it matters, the 45
 * that it goes on. The page has the 45 seconds.
 */
export function counted(rule: Counted): Pick<Problem, 'alert' | 'page'> {
  return { alert: alertOf(rule), page: pageOf(rule) };
}

function alertOf({ events, of = [], over, floor = 0, isPercent = false, figure, ...rest }: Counted): AlertRule {
  const valueIn = (range: string): string => {
    const whole = of.map((name) => rate(name, range)).join(' + ');
    if (of.length === 0) return rate(events, range);
    return `${rate(events, range)} / ${of.length > 1 ? `(${whole})` : whole}`;
  };
  const conditions = [`${valueIn('45s')} > ${over}`, `${valueIn('5m')} > ${over}`];
  if (floor > 0) conditions.push(`${rate(events, '45s')} > ${floor}`);
  return {
    ...rest,
    expr: conditions.join(' and '),
    figure: figure(`{{ $value | ${isPercent ? 'humanizePercentage' : 'humanize'} }}`),
  };
}

function pageOf({ events, of = [], over, floor = 0, isPercent = false, figure }: Counted): PageRule {
  return {
    seen: ofKnown('processes', (processes) => {
      const perSecond = latelyOf(processes, events);
      const value = of.length === 0 ? perSecond : perSecond / sumOf(of.map((name) => latelyOf(processes, name)));
      if (!(value > over && perSecond > floor)) return undefined;
      return { figure: figure(isPercent ? percent(value) : count(value)) };
    }),
  };
}

function rate(name: LatelyCount, range: string): string {
  const of = (selector: string): string => `sum(rate(${selector}[${range}]))`;
  if (name !== 'slow') return of(counters[name]);
  return `(${of(counters.posted)} - ${of(`transfers_order_latency_seconds_bucket{le="${slowAfterSeconds}"}`)})`;
}

/** What all processes together counted a second, over the last 45. */
export function latelyOf(processes: readonly ProcessReport[], name: LatelyCount): number {
  return sumOf(processes.map(({ lately = {} }) => lately[name] ?? 0));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
