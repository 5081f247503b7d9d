import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inAnswerTime } from '../../src/http/answer-time.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('work in its time is answered, and leaves no timer', async () => {
  const answer = inAnswerTime(1_000, async ({ leftMs }) => {
    await sleep(400);
    return leftMs();
  });
  await vi.advanceTimersByTimeAsync(400);
  expect(await answer).toBe(600);
  expect(vi.getTimerCount()).toBe(0);
});

test('work that takes longer is ANSWER_TOO_LATE, with the time to come back after', async () => {
  const answer = expect(inAnswerTime(1_000, () => sleep(1_001))).rejects.toMatchObject({
    errorName: 'ANSWER_TOO_LATE',
    retryAfterSeconds: 1,
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await answer;
});

test('what the client takes to send does not count; what comes before and after does', async () => {
  const answer = inAnswerTime(1_000, async ({ pausedDuring, leftMs }) => {
    await sleep(300);
    await pausedDuring(sleep(20_000));
    await sleep(500);
    return leftMs();
  });
  const late = expect(
    inAnswerTime(1_000, async ({ pausedDuring }) => {
      await sleep(300);
      await pausedDuring(sleep(20_000));
      await sleep(701);
    }),
  ).rejects.toMatchObject({ errorName: 'ANSWER_TOO_LATE' });
  await vi.advanceTimersByTimeAsync(21_100);
  expect(await answer).toBe(200);
  await late;
});

test('work that fails is answered with its own error', async () => {
  vi.useRealTimers();
  const failing = inAnswerTime(1_000, async ({ pausedDuring }) => {
    await pausedDuring(delay(1).then(() => Promise.reject(new Error('its own'))));
  });
  await expect(failing).rejects.toThrow('its own');
});
