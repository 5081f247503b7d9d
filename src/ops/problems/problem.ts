import type { Health } from '../health.ts';
import type { Overview } from '../overview.ts';

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
  seen: (known: NonNullable<Overview[Part]>, overview: Overview) => Seen | undefined,
): PageRule['seen'] {
  return (overview) => {
    const known = overview[part];
    return known === undefined ? 'unknown' : seen(known, overview);
  };
}

/** Of no times: undefined. */
export function earliest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())));
}
