import { expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { createRetryAfter } from '../../src/http/retry-after.ts';

const away = new ServiceError('UNAVAILABLE', { server: 'mongodb' });

/** What is told at these seconds, each of ten times. */
function told(times: readonly number[], error = away): number[][] {
  let now = 0;
  const retryAfter = createRetryAfter(() => now * 1_000);
  return times.map((time) => {
    now = time;
    return Array.from({ length: 10 }, () => retryAfter(error) ?? 0);
  });
}

it('the wait that is told grows while a server is away, up to a bound, and is not the same for all', () => {
  const [first = [], after20 = [], after40 = [], after600 = []] = told([
    0,
    ...Array.from({ length: 600 }, (_, second) => second + 1),
  ]).filter((_, second) => [0, 20, 40, 600].includes(second));
  expect(new Set(first)).toEqual(new Set([1]));
  for (const [all, most] of [[after20, 5] as const, [after40, 10] as const, [after600, 15] as const]) {
    expect(Math.max(...all)).toBeLessThanOrEqual(most);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(Math.ceil(most / 2));
  }
  expect(new Set(after600).size).toBeGreaterThan(1);
});

it('an outage is over once nothing has failed for a while', () => {
  const [, , later = []] = told([0, 15, 36]);
  expect(new Set(later)).toEqual(new Set([1]));
});

it('what no server is the cause of keeps its own wait', () => {
  const limited = new ServiceError('KEY_RATE_EXCEEDED', { retryAfterSeconds: 3 });
  expect(new Set(told([0, 10, 20], limited).flat())).toEqual(new Set([3]));
  expect(createRetryAfter()(new ServiceError('WALLET_NOT_FOUND'))).toBeUndefined();
});
