const form = /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const [second, minute, hour, day, week] = [1_000, 60_000, 3_600_000, 86_400_000, 604_800_000];
/** Of each number. No duration that anybody needs has more. */
const digitsMax = 12;

/** The form of a duration, as a regular expression. */
export const durationForm = form.source;

/**
 * The time that lies a duration after another one; undefined if the text is no duration above zero, or leads beyond what a date holds.
 * Years and months go by the calendar, in UTC: a day that the month has not is its last. The rest is added to that.
 * @param text of whole numbers, such as `P1M` or `P1DT12H`. Source: ISO 8601, "Duration".
 */
export function timeAfter(from: Date, text: string): Date | undefined {
  const parts: readonly (string | undefined)[] | undefined = form.exec(text)?.slice(1);
  if (parts === undefined || parts.some((digits = '') => digits.length > digitsMax)) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((digits = '0') =>
    Number(digits),
  );
  const date = new Date(from);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + 12 * years + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, lastDay));
  const ms = weeks * week + days * day + hours * hour + minutes * minute + seconds * second;
  const after = new Date(date.getTime() + ms);
  return after > from ? after : undefined;
}
