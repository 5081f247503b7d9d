import type { AskedLimit } from './guards.ts';

const dayMs = 86_400_000;
const lengths: Readonly<Record<string, number>> = { PT1M: 60_000, PT2M: 120_000, P1D: dayMs };

/** Whether what is dated at one time counts towards a limit in a window that ends with another one, not before it. */
export function isInWindow(window: AskedLimit['window'], time: Date, end: Date): boolean {
  if (window === 'order') return false;
  if ('rolling' in window) return time.getTime() > end.getTime() - (lengths[window.rolling] ?? Number.NaN);
  return periodOf(window, time) === periodOf(window, end);
}

/** Dates are asked for again and again, and `Intl` takes long. */
const known = new Map<string, string>();

/** The day, the Monday of the week, or the month, by the calendar of a time zone. */
function periodOf({ calendar, timeZone }: { calendar: string; timeZone: string }, time: Date): string {
  const key = `${calendar} ${timeZone} ${time.getTime()}`;
  const period = known.get(key) ?? readPeriod(calendar, timeZone, time);
  known.set(key, period);
  return period;
}

function readPeriod(calendar: string, timeZone: string, time: Date): string {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const day = date.format(time);
  if (calendar === 'day') return day;
  if (calendar === 'month') return day.slice(0, 'yyyy-mm'.length);
  const noon = new Date(`${day}T12:00:00Z`);
  const daysSinceMonday = (noon.getUTCDay() + 6) % 7;
  return new Date(noon.getTime() - daysSinceMonday * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
