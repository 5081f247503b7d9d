import { expect, it } from 'vitest';
import { createTimeText } from '../../src/orders/time-text.ts';

const text = createTimeText();

it('a time is written as by toISOString, at the edges of days and years, before 1970 and beyond 9999', () => {
  const days = [
    '-271821-04-20',
    '-000001-12-31',
    '1969-12-31',
    '1970-01-01',
    '2026-02-28',
    '2028-02-29',
    '9999-12-31',
    '+275760-09-12',
  ];
  const clocks = ['00:00:00.000', '00:00:00.001', '09:08:07.060', '10:59:59.999', '23:59:59.999'];
  const times = days.flatMap((day) => clocks.map((clock) => `${day}T${clock}Z`));
  // Each twice, from day to day and within one.
  for (const time of [...times, ...times.toReversed()]) expect(text(new Date(time))).toBe(time);
});

it('what is no time is refused, also after one that was written', () => {
  text(new Date(0));
  expect(() => text(new Date(Number.NaN))).toThrow(RangeError);
});
