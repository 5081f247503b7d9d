import { Temporal } from 'temporal-polyfill';
import { LRUCache } from 'lru-cache';
import { lengthMs } from './duration.ts';
import { Money } from './money.ts';

/** The most limits, and the most alerts, of a wallet; and the most budgets of a key. */
export const limitsMax = 10;
/** The most orders that a limit can let pass. */
export const limitCountMax = 1_000_000;

export const calendarUnits = ['day', 'week', 'month'] as const;
export interface CalendarWindow {
  readonly calendar: (typeof calendarUnits)[number];
  /** An IANA name. */
  readonly timeZone: string;
}

/** What a limit counts: each order by itself, what is not older than a duration, or what is of one day, week or month. */
export type LimitWindow = 'order' | { readonly rolling: string } | CalendarWindow;

/** How much a wallet may give in a window: an amount, a number of orders, or both. Zero forbids all. */
export interface Limit {
  /** Unique among those of its wallet. */
  readonly name: string;
  readonly amount?: Money;
  readonly count?: number;
  readonly window: LimitWindow;
  /**
   * Of a wallet's: the number of its last flow when it was set, for whoever verifies the books: it was judged by at every later flow.
   * That is no time, so no difference between clocks matters.
   */
  readonly since?: number;
}

/** A limit, or a key's budget, with what counts towards it. */
export interface LimitUse extends Omit<Limit, 'window' | 'since'> {
  readonly currency: string;
  readonly window: LimitWindow | 'total';
  readonly used: Money;
  readonly usedCount: number;
  /** When the next calendar window begins; null of others. */
  readonly resetsAt: Date | null;
}

/** What a wallet has given until some moment, as its last flow until then says. */
export interface Given {
  /** The sum of its debits. */
  readonly debits: Money;
  /** How many orders they are of. */
  readonly debitOrders: number;
}

/** A wallet, as far as its limits go. */
export interface LimitedWallet extends Given {
  readonly currency: string;
  readonly held: Money;
  readonly openHolds: number;
  readonly limits?: readonly Limit[];
}

/** A day, week or month: from its first moment to the first of the next, exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** How long a rolling window may be. */
export const rollingRange = { least: 'PT1M', most: 'P31D' } as const;
/** The form of a time zone's name: no offset. */
export const timeZoneForm = /^[A-Za-z][A-Za-z0-9._+/-]{0,63}$/;

/** Whether there is a time zone of this IANA name, whatever its case. */
export function isTimeZone(name: string): boolean {
  if (!timeZoneForm.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

const periodsKeptMax = 1_000;
/** The last period of each unit and zone that was asked for: to ask a zone's rules takes as long as posting an order. */
const periods = new LRUCache<string, Period>({ max: periodsKeptMax });

/**
 * The day, the week from Monday, or the month in a time zone that has a moment. Where summer time leaves out a midnight or repeats
 * it, a day begins with its first moment. Source: TC39 Temporal, `ZonedDateTime.startOfDay`.
 */
export function periodAt({ calendar, timeZone }: CalendarWindow, at: Date): Period {
  const key = `${calendar} ${timeZone}`;
  const kept = periods.get(key);
  if (kept !== undefined && kept.from <= at && at < kept.to) return kept;
  const date = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const first = {
    day: date,
    week: date.subtract({ days: date.dayOfWeek - 1 }),
    month: date.with({ day: 1 }),
  }[calendar];
  const startOf = (day: Temporal.PlainDate): Date => new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
  const period = { from: startOf(first), to: startOf(first.add({ [`${calendar}s`]: 1 })) };
  periods.set(key, period);
  return period;
}

/** The first moment that a window counts, if it ends with `at`; undefined of `order`, which counts nothing before. */
export function firstMomentOf(window: LimitWindow, at: Date): Date | undefined {
  if (window === 'order') return undefined;
  if ('calendar' in window) return periodAt(window, at).from;
  return new Date(at.getTime() - lengthMs(window.rolling) + 1);
}

const nothing = new Money(0);

/** Of a wallet before its first flow. */
export const nothingGiven: Given = { debits: nothing, debitOrders: 0 };

/**
 * What counts towards each limit of a wallet: its debits in the window, and all that is held on it.
 * @param before of each limit that has a window. @param at when the windows end.
 */
export function usesOf(
  { currency, debits, debitOrders, held, openHolds, limits = [] }: LimitedWallet,
  before: readonly (Given | undefined)[],
  at: Date,
): LimitUse[] {
  return limits.map(({ since: _, ...limit }, place) => {
    const { window } = limit;
    if (window === 'order') return { ...limit, currency, used: nothing, usedCount: 0, resetsAt: null };
    const start = before[place];
    if (start === undefined) throw new Error(`what the limit ${limit.name} has used was not read`);
    return {
      ...limit,
      currency,
      used: debits.minus(start.debits).plus(held),
      usedCount: debitOrders - start.debitOrders + openHolds,
      resetsAt: 'calendar' in window ? periodAt(window, at).to : null,
    };
  });
}

/** Whether so much more, and so many orders more, pass a limit. */
export function passes(
  { amount, count, used, usedCount }: Pick<LimitUse, 'amount' | 'count' | 'used' | 'usedCount'>,
  more: Money,
  ordersMore: number,
): boolean {
  return (
    (amount !== undefined && used.plus(more).greaterThan(amount)) ||
    (count !== undefined && usedCount + ordersMore > count)
  );
}
