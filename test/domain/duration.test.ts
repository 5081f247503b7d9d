import { expect, it } from 'vitest';
import { timeAfter } from '../../src/domain/duration.ts';

it.each<readonly [from: string, text: string, to: string | undefined]>([
  ['2026-01-31T10:00:00.123Z', 'P1M', '2026-02-28T10:00:00.123Z'],
  ['2024-01-31T10:00:00.000Z', 'P1M', '2024-02-29T10:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', 'P1Y', '2025-02-28T00:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', 'P4Y', '2028-02-29T00:00:00.000Z'],
  ['2026-11-30T23:59:59.999Z', 'P3M1D', '2027-03-01T23:59:59.999Z'],
  ['2026-01-01T00:00:00.000Z', 'P1Y2M3W4DT5H6M7S', '2027-03-26T05:06:07.000Z'],
  ['2026-01-01T00:00:00.000Z', 'P31D', '2026-02-01T00:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', 'PT1M', '2026-01-01T00:01:00.000Z'],
  ...['P', 'PT', 'P0D', 'PT0S', 'P1.5D', '-P1D', 'P-1D', 'P1DT', 'P1D1M', '1D', '', 'p1d', `P${'9'.repeat(20)}Y`].map(
    (text) => ['2026-01-01T00:00:00.000Z', text, undefined] as const,
  ),
])('%s and %s is %s', (from, text, to) => {
  expect(timeAfter(new Date(from), text)?.toISOString()).toBe(to);
});
