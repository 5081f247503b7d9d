const dayMs = 86_400_000;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const threeDigits = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** The day of the last call, because the times of one answer are mostly of one day. */
let lastDay = Number.NaN;
let lastDayText = '';
/** The time of the last call, because all flows of a group are mostly of one time. */
let lastTime = Number.NaN;
let lastText = '';

/**
 * The same text as `toISOString`, in a third of the time: a page of orders has sixty times, which took most of the work.
 * @throws RangeError the date is no time.
 */
export function timeText(date: Date): string {
  const time = date.getTime();
  if (time === lastTime) return lastText;
  const day = Math.floor(time / dayMs);
  if (day !== lastDay) {
    lastDayText = new Date(day * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
    lastDay = day;
  }
  const ms = time - day * dayMs;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const [hour, minute, second] = [twoDigits[hours], twoDigits[minutes % 60], twoDigits[seconds % 60]];
  lastTime = time;
  lastText = `${lastDayText}${hour ?? ''}:${minute ?? ''}:${second ?? ''}.${threeDigits[ms % 1_000] ?? ''}Z`;
  return lastText;
}
