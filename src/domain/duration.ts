const timeForm = 'T([0-9]+H([0-9]+M)?([0-9]+S)?|[0-9]+M([0-9]+S)?|[0-9]+S)';
const form = new RegExp(`^P([0-9]+Y)?([0-9]+M)?([0-9]+W)?([0-9]+D)?(${timeForm})?$`);
/** The form of a duration whose length no calendar decides. */
export const fixedForm = new RegExp(`^P([0-9]+W|[0-9]+D(${timeForm})?|${timeForm})$`);
const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The form of a duration, as a regular expression. */
export const durationForm = form.source;

/**
 * The time that lies a duration after another one; undefined if the text is no duration above zero, or leads beyond what a date holds.
 * Years and months go by the calendar, in UTC: a day that the month has not is its last. The rest is added to that.
 * @param text of whole numbers, such as `P1M` or `P1DT12H`. Source: ISO 8601, "Duration".
 */
export function timeAfter(from: Date, text: string): Date | undefined {
  if (!form.test(text)) return undefined;
  const [ofDate = ''] = text.split('T');
  const month = from.getUTCMonth() + 12 * count(ofDate, 'Y') + count(ofDate, 'M');
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const after = new Date(from);
  after.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay));
  const time = new Date(after.getTime() + msIn(text));
  return time > from ? time : undefined;
}

/** Weeks and days of 24 hours, hours, minutes and seconds: all of a duration but its years and months. */
function msIn(text: string): number {
  const [ofDate = '', ofTime = ''] = text.split('T');
  const days = 7 * count(ofDate, 'W') + count(ofDate, 'D');
  return days * dayMs + count(ofTime, 'H') * hourMs + count(ofTime, 'M') * minuteMs + count(ofTime, 'S') * secondMs;
}

function count(part: string, unit: string): number {
  return Number(new RegExp(`(\\d+)${unit}`).exec(part)?.[1] ?? 0);
}

/**
 * The length of a duration of whole weeks, or of days of 24 hours, hours, minutes and seconds, such as `PT90M`. 0 for a text that is
 * no such duration.
 */
export function lengthMs(text: string): number {
  return fixedForm.test(text) ? msIn(text) : 0;
}
