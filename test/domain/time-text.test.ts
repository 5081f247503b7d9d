import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timeText } from '../../src/domain/time-text.ts';

it('is what the language says, for any time', () => {
  // The greatest and the least that a Date holds are among them; and neighbours, which share their day.
  const times = fc.tuple(fc.date({ noInvalidDate: true }), fc.integer({ min: -2_000, max: 2_000 }));
  fc.assert(
    fc.property(times, ([date, apartMs]) => {
      expect(timeText(date)).toBe(date.toISOString());
      const neighbour = new Date(date.getTime() + apartMs);
      if (!Number.isNaN(neighbour.getTime())) expect(timeText(neighbour)).toBe(neighbour.toISOString());
    }),
  );
});

it.each([
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '2026-02-28T23:59:59.999Z',
  '2028-02-29T09:08:07.006Z',
])('%s', (text) => {
  expect(timeText(new Date(text))).toBe(text);
});

it('is refused of what is no time', () => {
  expect(() => timeText(new Date(Number.NaN))).toThrow(RangeError);
});
