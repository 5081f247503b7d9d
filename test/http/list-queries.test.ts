import { describe, expect, it } from 'vitest';
import { timeOf } from '../../src/http/list-queries.ts';

describe('a time that a list is asked for', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T02:00:00.1+02:00', '2026-01-01T00:00:00.100Z'],
    ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000900Z', '2026-01-01T00:00:00.001Z'],
    ['2026-01-01T00:00:00.999000001Z', '2026-01-01T00:00:01.000Z'],
  ])('%s, is the first whole millisecond that is not before it', (text, whole) => {
    expect(timeOf(text)?.toISOString()).toBe(whole);
  });
});
