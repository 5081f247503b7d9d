import { expect, it } from 'vitest';
import { ApiError, ConnectionError, UnexpectedAnswerError, UsageError } from '../src/index.ts';
import { pauseBefore } from '../src/repeat.ts';

function refusal(status: number, told: { retryAfterSeconds?: number; reason?: string } = {}): ApiError {
  const { retryAfterSeconds, reason } = told;
  const named = { method: 'GET', path: '/', code: 'X', message: 'NO', field: undefined, value: undefined };
  return new ApiError({ ...named, status, serverTime: 0, requestId: undefined, retryAfterSeconds, reason });
}
const broken = new ConnectionError('broken', { isTimeout: false });
const page = new UnexpectedAnswerError('a page', { status: 502, text: '' });

it.each<[string, unknown, boolean, boolean]>([
  ['429', refusal(429), true, true],
  ['503', refusal(503), true, false],
  ['a broken connection', broken, true, false],
  ['a page of a gateway', page, true, false],
  ['a nonce that was used', refusal(401, { reason: 'NONCE_REUSED' }), true, false],
  ['400', refusal(400), false, false],
  ['500', refusal(500), false, false],
  ['wrong use', new UsageError('no'), false, false],
])('%s is repeated or not', (_, error, ifRepeatable, ifNot) => {
  expect(pauseBefore(error, 1, true) !== undefined).toBe(ifRepeatable);
  expect(pauseBefore(error, 1, false) !== undefined).toBe(ifNot);
});

it('waits what the server asks for and jitter above it, doubling up to a limit', () => {
  const waits = (attempt: number, seconds?: number): number[] =>
    Array.from({ length: 200 }, () => {
      const told = seconds === undefined ? {} : { retryAfterSeconds: seconds };
      return pauseBefore(refusal(503, told), attempt, true)!;
    });
  expect(Math.min(...waits(1, 3))).toBeGreaterThanOrEqual(3_000);
  expect(Math.max(...waits(1, 3))).toBeLessThan(3_500);
  expect(Math.max(...waits(30))).toBeLessThanOrEqual(8_000);
  expect(new Set(waits(3)).size).toBeGreaterThan(100);
});

it('does not wait for minutes: the caller is told', () => {
  expect(pauseBefore(refusal(429, { retryAfterSeconds: 61 }), 1, true)).toBeUndefined();
});
