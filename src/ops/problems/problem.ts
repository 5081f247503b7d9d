import { forgedSteps } from '../../auth/pipeline.ts';
import { latelyOf, type LatelyCount } from '../../storage/processes/reports.ts';
import { simulatedCode } from '../../errors.ts';
import type { Health } from '../health.ts';
import { serviceGauges, slowAnswerSeconds, type ServiceGauge } from '../metrics.ts';
import type { Overview } from '../overview.ts';
import { count, duration, percent } from '../page/words.ts';

/**
 * What an operator has to know and to act on: one entry of the table (table.ts). The page's banner, the alert and the heading in
 * docs/operations.md are made from it. Sentences end with a full stop, `what` does not.
 */
export interface Problem {
  readonly name: string;
  /** Whether somebody is woken, or it waits for the day. */
  readonly severity: Severity;
  readonly what: string;
  /** The consequence for clients and their orders. */
  readonly follows: string;
  readonly toDo: string;
  /** By their names, the problems that follow from this one: while it is there they are named with it, and wake nobody. */
  readonly explains?: readonly string[];
  /** How Prometheus tells. */
  readonly alert: AlertRule;
  /** How the page tells, or why it does not; that is to be read after "because". */
  readonly page: PageRule | { readonly never: string };
}

export type Severity = (typeof severities)[number];
export const severities = ['page', 'ticket'] as const;

export interface AlertRule {
  readonly expr: string;
  /** For how long the expression has to hold, as Prometheus writes it; absent: it fires at once. */
  readonly for?: string;
  /** Which or how much, as a template of Prometheus; shown after {@link Problem.what}. */
  readonly figure?: string;
  /** Of what Kubernetes alone can tell: it is no rule elsewhere. */
  readonly isOfKubernetes?: true;
}

export interface PageRule {
  /** Undefined if the problem is not there; `unknown` if that cannot be judged, because what it rests on was not read. */
  readonly seen: (overview: Overview, state: ProcessState) => Seen | 'unknown' | undefined;
  /** Of what also comes about in order, for a moment: for how long it has to last. Absent: it is shown at once. */
  readonly afterMs?: number;
}

/** What the page knows of a problem that is there. */
export interface Seen {
  /** Which or how much; shown after {@link Problem.what}. */
  readonly figure?: string;
  /** Since when, if it is known; otherwise it is since the problem was first seen. */
  readonly since?: Date;
}

/** What this web process knows of itself, whether or not MongoDB answers. */
export type ProcessState = Pick<Health, 'isStarting' | 'wrongSetting'>;

/** Judges by one part of the overview. */
export function ofKnown<Part extends keyof Overview>(
  part: Part,
  seen: (state: NonNullable<Overview[Part]>, overview: Overview) => Seen | undefined,
): PageRule['seen'] {
  return (overview) => {
    const state = overview[part];
    return state === undefined ? 'unknown' : seen(state, overview);
  };
}

/** Of no times: undefined. */
export function earliest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())));
}

/* Conditions that the alert and the page share: each is written once, with one threshold. */

/** For so long a value that is not read counts as it was read last: three looks of Prometheus, that one may miss. */
export const bridgedSeconds = 45;

/**
 * A gauge of the whole service, from whoever has read it lately, so that one look that fails ends no wait. Only for a wait (`for`)
 * of a minute or longer, so that one look alone, before a server is away, fires nothing.
 */
export function bridged(gauge: ServiceGauge): string {
  return `max(last_over_time(${gauge}[${bridgedSeconds}s]))`;
}

interface OfGauge extends Omit<AlertRule, 'expr'> {
  readonly gauge: ServiceGauge;
  /** The value beyond which, or the one at which, it is a problem. */
  readonly over?: number;
  readonly at?: number;
  /** Whether the alert takes the value that was read last where one is not read. */
  readonly isBridged?: true;
  /** What the page says of it. */
  readonly seen?: (overview: Overview) => Seen;
  readonly afterMs?: number;
}

/** A rule about a gauge of the whole service, which the page judges by the same value. */
export function gauge(rule: OfGauge): Pick<Problem, 'alert' | 'page'> {
  const { gauge: name, over, at, isBridged, seen = () => ({}), afterMs, ...alert } = rule;
  const isThere = (count: number): boolean => (over === undefined ? count === at : count > over);
  return {
    alert: {
      ...alert,
      expr: `${isBridged === true ? bridged(name) : `max(${name})`} ${over === undefined ? `== ${at}` : `> ${over}`}`,
    },
    page: {
      seen(overview) {
        const value = serviceGauges[name].value(overview);
        if (value === undefined) return 'unknown';
        return isThere(value) ? seen(overview) : undefined;
      },
      ...(afterMs !== undefined && { afterMs }),
    },
  };
}

interface Counted {
  readonly events: LatelyCount;
  /** What the events are a share of, or their seconds a mean over; absent if they are judged by how many come a second. */
  readonly of?: LatelyCount;
  /** The share, the mean in seconds, or the events a second, beyond which it is a problem. */
  readonly over: number;
  /** With no more events a second than this it is none, so that a single failure of a quiet service does not count as all of its traffic. */
  readonly floor?: number;
  readonly unit: keyof typeof units;
  /** What is counted, to be read after the figure. */
  readonly figure: (value: string) => string;
}

/** How a figure is written: by Prometheus, and by the page. */
const units = {
  share: { template: 'humanizePercentage', text: percent },
  seconds: { template: 'humanizeDuration', text: (value: number) => duration(value * 1_000) },
  rate: { template: 'humanize', text: count },
} as const;

const commits = 'transfers_commit_duration_seconds';
const answers = 'transfers_http_request_duration_seconds';
const rate = (selector: string, range: string): string => `sum(rate(${selector}[${range}]))`;

/** The counter that Prometheus reads, for each of the figures that a process reports. */
const counters: Readonly<Record<LatelyCount, (range: string) => string>> = {
  answered: (range) => rate('transfers_http_requests_total', range),
  serverErrors: (range) => rate(`transfers_http_requests_total{status=~"5..",code!="${simulatedCode}"}`, range),
  slowAnswers: (range) =>
    `(${rate(`${answers}_count`, range)} - ${rate(`${answers}_bucket{le="${slowAnswerSeconds}"}`, range)})`,
  forged: (range) => rate(`transfers_pipeline_refusals_total{step=~"${forgedSteps.join('|')}"}`, range),
  commits: (range) => rate(`${commits}_count`, range),
  commitSeconds: (range) => rate(`${commits}_sum`, range),
  groups: (range) => rate(`${commits}_count{of="posting"}`, range),
  groupFailures: (range) => rate('transfers_post_group_failures_total', range),
};

/** What passes by itself, as an election does, is over for the alert before it has waited so long. */
const countedFor = '1m30s';

/**
 * A rule about what processes count. The alert looks at 45 seconds beside five minutes: the five tell that it matters, the 45
 * that it goes on. Of a mean, and on the page, the 45 seconds alone count.
 */
export function counted({ events, of, over, floor = 0, unit, figure }: Counted): Pick<Problem, 'alert' | 'page'> {
  const valueIn = (range: string): string =>
    of === undefined ? counters[events](range) : `${counters[events](range)} / ${counters[of](range)}`;
  // What is slow is also rarer: over five minutes the fast ones before it would hide it.
  const ranges = unit === 'seconds' ? ['45s'] : ['45s', '5m'];
  const conditions = ranges.map((range) => `${valueIn(range)} > ${over}`);
  if (floor > 0) conditions.push(`${counters[events]('45s')} > ${floor}`);
  const { template, text } = units[unit];
  return {
    alert: { expr: conditions.join(' and '), for: countedFor, figure: figure(`{{ $value | ${template} }}`) },
    page: {
      seen: ofKnown('processes', (processes) => {
        const perSecond = latelyOf(processes, events);
        const value = of === undefined ? perSecond : perSecond / latelyOf(processes, of);
        return value > over && perSecond > floor ? { figure: figure(text(value)) } : undefined;
      }),
    },
  };
}
