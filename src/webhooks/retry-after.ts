/** However long a receiver asks to be left alone, it is tried again after this time. */
export const retryAfterMaxMs = 3_600_000;
const tooManyRequests = 429;
const unavailable = 503;

const seconds = /^\d+$/;
const [weekdays, months] = ['(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day', '[A-Z][a-z]{2}'];
const httpDates = [
  new RegExp(`^[A-Z][a-z]{2}, \\d{2} ${months} \\d{4} [\\d:]{8} GMT$`),
  new RegExp(`^${weekdays}, \\d{2}-${months}-\\d{2} [\\d:]{8} GMT$`),
];
/** The only form without a zone; it is GMT all the same. */
const asctime = new RegExp(`^[A-Z][a-z]{2} ${months} [ \\d]\\d [\\d:]{8} \\d{4}$`);

/**
 * How long a receiver that is overloaded asks not to be sent anything, at most {@link retryAfterMaxMs}; 0 if it does not, or
 * if it says something else. Source: RFC 9110, sections 10.2.3 and 5.6.7.
 */
export function retryAfterMs(status: number, header: string | undefined, now: number): number {
  if (header === undefined || (status !== tooManyRequests && status !== unavailable)) return 0;
  const ms = seconds.test(header) ? Number(header) * 1_000 : dateOf(header) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}

function dateOf(text: string): number {
  if (httpDates.some((form) => form.test(text))) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
