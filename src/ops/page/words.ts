import type { LimitUse } from '../../domain/limits.ts';

const secondMs = 1_000;
const minuteSeconds = 60;
const hourSeconds = 3_600;

/** Shown if a value is not known. */
export const unknown = '–';

/** `12,345`; one decimal below ten. */
export function count(value: number | undefined): string {
  if (value === undefined) return unknown;
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** A number that was counted up to a limit: `100,000 or more` if it may be higher. */
export function countTo(value: number | undefined, isLowerBound: boolean): string {
  return isLowerBound ? `${count(value)} or more` : count(value);
}

/** `43 %`, of a share from 0 to 1; one decimal below ten. */
export function percent(share: number | undefined): string {
  return share === undefined ? unknown : `${count(share * 100)} %`;
}

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return unknown;
  if (ms < secondMs) return `${Math.round(ms)} ms`;
  const seconds = ms / secondMs;
  if (seconds < minuteSeconds) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < hourSeconds) return `${Math.floor(whole / minuteSeconds)} min ${whole % minuteSeconds} s`;
  return `${Math.floor(whole / hourSeconds)} h ${Math.floor((whole % hourSeconds) / minuteSeconds)} min`;
}

/** UTC, to the millisecond, so that lines of a log and of a trail can be compared by eye. */
export function time(at: Date): string {
  return at.toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** What a limit or a budget counts. */
export function windowOf(window: LimitUse['window']): string {
  if (window === 'order') return 'each order';
  if (window === 'total') return 'in total';
  return 'rolling' in window ? `the last ${window.rolling}` : `each ${window.calendar} in ${window.timeZone}`;
}
